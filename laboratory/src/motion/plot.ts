/** One plot of a run: a group of its columns, those of the kept run dashed, the present moment as a line. */
import uPlot from "uplot";
import type { Lab } from "../app/lab";
import { h, number as figures, quiet } from "../app/dom";
import { button } from "../app/fields";
import { texts as all } from "../app/texts";
import { csv, type GroupKey, type Run } from "./run";
import type { Runner } from "./runner";

const texts = all.motion;

/** Colours that are told apart by eyes of all kinds (Okabe and Ito), for both themes, then again. */
export const COLOURS = {
  light: ["#0072b2", "#d55e00", "#00805c", "#b8508f", "#8f6a00", "#2f8fc4", "#7a4fb5", "#8c564b"],
  dark: ["#4aa8e0", "#f28a3c", "#3fc79a", "#e39bc6", "#e0c04c", "#a5dcfa", "#b794ea", "#cf9d8f"],
};
const HEIGHT = 172;
/** Least time between two drawings of a plot while it runs, ms, and in times of what a drawing costs. */
const PAUSE = 120;
const PAUSES = 20;
/** A press that moves less is a click, px. */
const STILL = 4;

/** What the plots have in common. */
interface Common {
  range: [number, number] | null;
  readonly sync: uPlot.SyncPubSub;
  zoom(range: [number, number] | null): void;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly place = h("div", { class: "plot-place" });
  private readonly now = h("div", { class: "plot-now" });
  private plot: uPlot | null = null;
  private shape: unknown[] = [];
  private version = -1;
  private drawn = 0;
  private cost = 0;
  private pressed = 0;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
    private readonly common: Common,
    readonly key: GroupKey,
  ) {
    const png = button(`png-${key}`, texts.savePng, () => this.savePicture(), texts.savePngTitle);
    const table = button(`csv-${key}`, texts.saveCsv, () => this.saveTable(), texts.saveCsvTitle);
    this.element = h("section", { class: "plot", id: `plot-${key}`, "aria-label": texts[key], hidden: true }, h("header", {}, h("h3", {}, texts[key]), table, png), this.place);
  }

  /** Draws what is new; while it runs only if enough time has passed. Returns whether it drew. */
  update(now: number, running: boolean): boolean {
    const { run, version } = this.runner;
    const kept = this.kept();
    const group = run?.groups[this.key];
    this.element.hidden = group === undefined || group.data.length === 0;
    if (run === null || group === undefined || this.element.hidden) return false;
    const shape = [run, group, kept, this.place.clientWidth > 0];
    const same = shape.every((one, k) => one === this.shape[k]);
    if (same && version === this.version) return false;
    if (same && running && now - this.drawn < Math.max(PAUSE, PAUSES * this.cost)) return false;
    this.drawn = now;
    this.version = version;
    if (same) this.plot?.setData(table(run, kept, this.key));
    else {
      this.shape = shape;
      this.make(run, kept);
    }
    return true;
  }

  /** Marks the moment that is shown; the legend has its values while no pointer is in the plot. */
  mark(): void {
    const { plot } = this;
    const { run, phase, t } = this.runner;
    if (plot === null || run === null || this.element.hidden) return;
    this.now.hidden = phase === "idle";
    this.now.style.left = `${plot.valToPos(t, "x")}px`;
    if ((plot.cursor.left ?? -1) < 0 && plot.data[0].length > 0) plot.setLegend({ idx: plot.valToIdx(t) }, false);
  }

  /** After the range of the time has changed. */
  rescale(): void {
    if (this.plot !== null) this.plot.setData(this.plot.data);
  }

  resize(): void {
    const width = this.place.clientWidth;
    if (this.plot !== null && width > 0 && Math.abs(width - this.plot.width) > 1) this.plot.setSize({ width, height: HEIGHT });
  }

  /** Makes it anew with the next update: other colours. */
  forget(): void {
    this.shape = [];
  }

  private kept(): Run | null {
    const { run, kept } = this.runner;
    return kept === run || kept === null || kept.groups[this.key].data.length === 0 ? null : kept;
  }

  private make(run: Run, kept: Run | null): void {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const colours = COLOURS[document.documentElement.dataset.theme === "dark" ? "dark" : "light"];
    const value = ({ scales }: uPlot, v: number | null): string => figures(v === null ? v : quiet(v, Math.max(Math.abs(scales.y?.min ?? 0), Math.abs(scales.y?.max ?? 0))));
    const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1, size: 4 }, font: `11px ${style.fontFamily}` };
    const series: uPlot.Series[] = [{ label: "t", value: (_, t: number | null) => (t === null ? "–" : texts.seconds(t)) }];
    const { columns, names } = run.groups[this.key];
    names.forEach((name, k) => series.push({ label: name, stroke: colours[k % colours.length], width: 1.6, value, points: { show: false } }));
    kept?.groups[this.key].names.forEach((name, k) => {
      const twin = columns.indexOf(kept.groups[this.key].columns[k]!);
      const stroke = colours[(twin < 0 ? k : twin) % colours.length];
      series.push({ label: `${name} (${texts.kept})`, stroke, width: 1.3, dash: [5, 4], value, spanGaps: true, points: { show: false } });
    });
    let begun = 0;
    const plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth),
        height: HEIGHT,
        series,
        scales: { x: { time: false, range: (_, min, max) => this.common.range ?? (max > min ? [min, max] : [min ?? 0, (min ?? 0) + 1]) } },
        axes: [
          { ...axis, size: 30, values: (_, ticks) => ticks.map((t) => `${Number(t.toFixed(6))} s`) },
          { ...axis, size: 52 },
        ],
        cursor: {
          sync: { key: this.common.sync.key },
          drag: { x: true, y: false, setScale: false },
          points: { size: 6 },
          bind: { dblclick: () => () => (this.common.zoom(null), null) },
        },
        legend: { markers: { dash: (_, k) => (k > names.length ? "dashed" : "solid") } },
        hooks: {
          drawClear: [() => void (begun = performance.now())],
          draw: [
            () => {
              this.cost = 0.7 * this.cost + 0.3 * (performance.now() - begun);
              queueMicrotask(() => this.mark()); // the scale may be another now
            },
          ],
          setSelect: [(made) => this.selected(made)],
        },
      },
      table(run, kept, this.key),
      this.place,
    );
    plot.over.append(this.now);
    plot.over.addEventListener("pointerdown", (event) => (this.pressed = event.clientX));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - this.pressed) < STILL) this.runner.scrub(plot.posToVal(event.offsetX, "x"));
    });
    this.plot = plot;
  }

  private selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < STILL) return;
    const range: [number, number] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.common.zoom(range);
  }

  private file(ending: string): string {
    return `${this.lab.robot().name}-${this.key}.${ending}`.replace(/[^\w.-]+/g, "-");
  }

  private saveTable(): void {
    const { run } = this.runner;
    if (run !== null) this.lab.download(this.file("csv"), csv(run, [this.key]), "text/csv");
  }

  /** The curves with a title and the names in their colours. */
  private savePicture(): void {
    if (this.plot === null) return;
    const curves = this.plot.ctx.canvas;
    const scale = curves.width / this.plot.width;
    const line = 18 * scale;
    const style = getComputedStyle(document.documentElement);
    const canvas = h("canvas", { width: curves.width, height: curves.height + 2.6 * line });
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = style.getPropertyValue("--surface");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.font = `600 ${12 * scale}px ${style.fontFamily}`;
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.fillText(texts[this.key], 8 * scale, line);
    pen.drawImage(curves, 0, 1.3 * line);
    pen.font = `${11 * scale}px ${style.fontFamily}`;
    let x = 8 * scale;
    for (const { label, stroke } of this.plot.series.slice(1)) {
      const text = String(label);
      pen.fillStyle = typeof stroke === "function" ? String(stroke(this.plot, 0)) : String(stroke);
      pen.fillText(text, x, canvas.height - 0.4 * line);
      x += pen.measureText(text).width + 12 * scale;
    }
    canvas.toBlob((blob) => blob && this.lab.download(this.file("png"), blob));
  }
}

/** One table of both runs; their times differ. */
function table(run: Run, kept: Run | null, key: GroupKey): uPlot.AlignedData {
  const own = [run.t, ...run.groups[key].data] as uPlot.AlignedData;
  if (kept === null) return own;
  return uPlot.join([own, [kept.t, ...kept.groups[key].data] as uPlot.AlignedData]);
}
