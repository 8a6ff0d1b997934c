/** The panel of live plots: one uPlot per group of columns, a common cursor, the kept run dashed beside the present one. */
import uPlot from "uplot";
import type { Lab } from "../app/lab";
import { h } from "../app/dom";
import { button } from "../app/fields";
import { texts as all } from "../app/texts";
import { Plot } from "./plot";
import { GROUPS } from "./run";
import type { Runner } from "./runner";

const texts = all.motion;

export class Plots {
  /** The time that is shown; null: all of it. */
  range: [number, number] | null = null;
  readonly sync = uPlot.sync("appell-runs");
  private readonly plots: Plot[];
  private readonly empty = h("p", { class: "hint" }, texts.noRun);
  private readonly reset = button("plots-reset", texts.resetZoom, () => this.zoom(null));
  private turn = 0;

  constructor(
    host: HTMLElement,
    lab: Lab,
    private readonly runner: Runner,
    private readonly panel: { visible(): boolean; hide(): void },
  ) {
    this.plots = GROUPS.map((key) => new Plot(lab, runner, this, key));
    const close = h("button", { type: "button", id: "plots-close", class: "close", "aria-label": texts.closePlots, onclick: () => panel.hide() }, "×");
    host.append(
      h("header", { class: "plots-head" }, h("h2", {}, texts.plots), h("span", { class: "hint" }, texts.zoomHelp), this.reset, close),
      this.empty,
      h("div", { class: "plots" }, ...this.plots.map((plot) => plot.element)),
    );
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(host);
    lab.store.subscribe(["theme"], () => this.repaint());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    runner.subscribe(() => this.update());
  }

  update(): void {
    if (!this.panel.visible()) return;
    const running = this.runner.phase === "running";
    const now = performance.now();
    this.empty.hidden = this.runner.run !== null;
    this.reset.hidden = this.range === null;
    // One plot a frame while it runs, so that a frame stays short.
    for (let k = 0; k < this.plots.length; k++) {
      const at = (this.turn + k) % this.plots.length;
      if (this.plots[at]!.update(now, running) && running) {
        this.turn = (at + 1) % this.plots.length;
        break;
      }
    }
    for (const plot of this.plots) plot.mark();
  }

  zoom(range: [number, number] | null): void {
    this.range = range;
    for (const plot of this.plots) plot.rescale();
    this.update();
  }

  private repaint(): void {
    for (const plot of this.plots) plot.forget();
    this.update();
  }
}
