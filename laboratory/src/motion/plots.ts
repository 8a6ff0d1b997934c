/** Live plots of a run, with the kept one dashed beside it: one uPlot per group, a common cursor, CSV of each. */
import uPlot from "uplot";
import type { Lab } from "../app/lab";
import { h, number as figures } from "../app/dom";
import { button } from "../app/fields";
import { csv, difference, GROUPS, type GroupKey, type Run } from "./run";
import type { Runner } from "./runner";
import { texts as all } from "../app/texts";

const texts = all.motion;

/** Colours that are told apart by eyes of all kinds (Okabe and Ito), then again. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a4fb5", "#8c564b"];
const HEIGHT = 190;
/** Least time between two drawings of one plot while it runs, ms. */
const PAUSE = 120;

type Table = uPlot.AlignedData;

class Plot {
  readonly element: HTMLElement;
  private readonly place: HTMLElement;
  private plot: uPlot | null = null;
  private shape = "";
  private drawn = 0;
  private rows = -1;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
    readonly key: GroupKey,
  ) {
    this.place = h("div", { class: "lab-plot-place" });
    this.element = h(
      "section",
      { class: "lab-plot", id: `plot-${key}`, "aria-label": texts[key] },
      h("header", {}, h("h3", {}, texts[key]), button(`csv-${key}`, texts.saveCsv, () => this.save(), texts.saveCsvTitle)),
      this.place,
    );
  }

  private save(): void {
    const { run } = this.runner;
    if (run !== null) this.lab.download(`${this.lab.robot().name}-${this.key}.csv`.replace(/[^\w.-]+/g, "-"), csv(run, [this.key]), "text/csv");
  }

  /** Draws what is new, if enough time has passed; returns whether it drew. */
  update(now: number, force: boolean): boolean {
    const { run, kept } = this.runner;
    const group = run?.groups[this.key];
    this.element.hidden = group === undefined || group.data.length === 0;
    if (run === null || group === undefined || this.element.hidden) return false;
    const shape = JSON.stringify([group.columns, kept?.name, kept?.groups[this.key].columns, kept?.t.length, this.place.clientWidth > 0]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.make(run, kept);
    } else if (!force && (now - this.drawn < PAUSE || run.t.length === this.rows)) return false;
    this.drawn = now;
    this.rows = run.t.length;
    this.plot?.setData(table(run, kept, this.key));
    return true;
  }

  cursor(): void {
    if (this.plot === null || this.element.hidden || this.runner.phase === "idle") return;
    const left = this.plot.valToPos(this.runner.t, "x");
    this.place.style.setProperty("--now", `${left + this.plot.over.offsetLeft}px`);
  }

  resize(): void {
    const width = this.place.clientWidth;
    if (this.plot !== null && width > 0 && Math.abs(width - this.plot.width) > 2) this.plot.setSize({ width, height: HEIGHT });
  }

  forget(): void {
    this.shape = "";
  }

  private make(run: Run, kept: Run | null): void {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim() || style.color || "#333";
    const line = style.getPropertyValue("--line").trim() || "#8884";
    const value = (_: uPlot, v: number | null): string => (v === null || v === undefined ? "–" : figures(v));
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const series: uPlot.Series[] = [{ label: "t", value }];
    run.groups[this.key].names.forEach((name, k) => series.push({ label: name, stroke: COLOURS[k % COLOURS.length], width: 1.6, value, spanGaps: true }));
    kept?.groups[this.key].names.forEach((name, k) => {
      const twin = run.groups[this.key].columns.indexOf(kept.groups[this.key].columns[k]!);
      series.push({ label: `${name} (${texts.kept})`, stroke: COLOURS[(twin < 0 ? k : twin) % COLOURS.length], width: 1.2, dash: [5, 4], value, spanGaps: true });
    });
    this.plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth || 320),
        height: HEIGHT,
        series,
        scales: { x: { time: false } },
        axes: [{ ...axis, values: (_, ticks) => ticks.map((t) => `${Number(t.toFixed(6))} s`) }, { ...axis, size: 56 }],
        cursor: { sync: { key: "appell-runs" }, drag: { x: true, y: false } },
        legend: { live: true },
      },
      table(run, kept, this.key),
      this.place,
    );
    this.plot.over.addEventListener("click", () => {
      const t = this.plot?.posToVal(this.plot.cursor.left ?? -1, "x");
      if (t !== undefined && Number.isFinite(t)) this.runner.scrub(t);
    });
  }
}

/** One table of both runs; their times differ. */
function table(run: Run, kept: Run | null, key: GroupKey): Table {
  const own = [run.t, ...run.groups[key].data] as Table;
  if (kept === null || kept.groups[key].data.length === 0) return own;
  return uPlot.join([own, [kept.t, ...kept.groups[key].data] as Table]);
}

/** The panel below the view. */
export class Plots {
  private readonly plots: Plot[];
  private readonly empty = h("p", { class: "lab-hint" }, texts.noRun);
  private readonly differences = h("div", { id: "run-differences", class: "lab-differences" });
  private turn = 0;

  constructor(
    host: HTMLElement,
    lab: Lab,
    private readonly runner: Runner,
    private readonly visible: () => boolean,
  ) {
    this.plots = GROUPS.map((key) => new Plot(lab, runner, key));
    host.append(this.empty, h("div", { class: "lab-plots" }, ...this.plots.map((plot) => plot.element)), this.differences);
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(host);
    lab.store.subscribe(["theme"], () => {
      this.plots.forEach((plot) => plot.forget());
      this.update();
    });
    runner.subscribe(() => this.update());
    this.update();
  }

  update(): void {
    if (!this.visible()) return;
    const { run, kept, phase } = this.runner;
    this.empty.hidden = run !== null;
    const still = phase !== "running";
    const now = performance.now();
    // One plot a frame while it runs, so that a frame stays short.
    for (let k = 0; k < this.plots.length; k++) {
      const plot = this.plots[(this.turn + k) % this.plots.length]!;
      if (plot.update(now, still) && !still) {
        this.turn = (this.turn + k + 1) % this.plots.length;
        break;
      }
    }
    for (const plot of this.plots) plot.cursor();
    this.differences.hidden = run === null || kept === null;
    if (still && run !== null && kept !== null) this.tell(run, kept);
  }

  private tell(run: Run, kept: Run): void {
    const list = h("ul");
    for (const key of GROUPS) {
      const found = difference(run, kept, key);
      if (found.length === 0) continue;
      const item = h("li", { "data-group": key, "data-rms": JSON.stringify(found.map((d) => d.rms)) });
      item.append(h("b", {}, `${texts[key]}: `), found.map((d) => `${d.name} ${figures(d.rms, 3)} (${figures(d.largest, 3)})`).join(", "));
      list.append(item);
    }
    this.differences.replaceChildren(h("p", {}, texts.rms), list);
  }
}
