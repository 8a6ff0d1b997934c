/** The inertia matrix as a picture: values under the pointer or the arrow keys, and as a table. */
import { h, number, write } from "../app/dom";
import { texts } from "../app/texts";
import { Legend, css, round, signed, styled, type Rgb } from "./scale";
import { Table } from "./parts";

const SIZE = 320; // pixels of the picture, about
const NAMES_AT_MOST = 16; // beside the picture
const TABLE_AT_MOST = 40; // rows and columns of the table

export class HeatMap {
  private readonly canvas = h("canvas", { id: "inertia", class: "heatmap", tabindex: 0, role: "img", width: 1, height: 1 });
  private readonly readout = h("output", { id: "inertia-value", class: "readout", "aria-live": "polite" });
  private readonly legend = new Legend();
  private readonly table = h("div", { class: "scroll" });
  private readonly details = h("details", { id: "inertia-table", ontoggle: () => this.fillTable() }, h("summary", {}, texts.numbers.asTable), this.table);
  private readonly side = h("div", { class: "heat-side", "aria-hidden": "true" });
  private readonly above = h("div", { class: "heat-above", "aria-hidden": "true" });
  private readonly figure = h("div", { class: "heat-figure" }, this.above, this.side, this.canvas);
  readonly element = h("div", {}, h("p", { class: "hint" }, texts.numbers.inertiaUnits), this.figure, this.readout, this.legend.element, this.details);
  private matrix: number[][] = [];
  private names: string[] = [];
  private lengths: boolean[] = [];
  private rows: Table | null = null;
  private active: { row: number; column: number } | null = null;
  private zero: { theme: string | undefined; colour: Rgb } = { theme: "", colour: [0, 0, 0] };

  constructor() {
    this.canvas.setAttribute("aria-label", texts.numbers.inertiaHelp);
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      this.point(((event.clientY - box.top) / box.height) * this.matrix.length, ((event.clientX - box.left) / box.width) * this.matrix.length);
    });
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("focus", () => this.active ?? this.point(0, 0));
    this.canvas.addEventListener("blur", () => this.leave());
    this.canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step || !this.active) return;
      event.preventDefault();
      this.point(this.active.row + step[0], this.active.column + step[1]);
    });
  }

  /** `lengths`: which coordinates are lengths, the others are angles. */
  show(matrix: number[][], names: string[], lengths: boolean[]): void {
    this.matrix = matrix;
    this.lengths = lengths;
    if (names.join() !== this.names.join()) {
      const labels = () => (names.length <= NAMES_AT_MOST ? names.map((name) => h("span", { title: name }, name)) : []);
      this.side.replaceChildren(...labels());
      this.above.replaceChildren(...labels());
    }
    this.names = names;
    this.draw();
    if (this.details.open) this.fillTable();
  }

  private draw(): void {
    const n = this.matrix.length;
    if (n === 0) return;
    const { theme } = document.documentElement.dataset;
    if (theme !== this.zero.theme) this.zero = { theme, colour: styled("--raised") };
    const largest = round(this.matrix.reduce((most, row) => row.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0));
    const scale = signed(largest, this.zero.colour);
    this.legend.show(scale);
    const cell = Math.max(1, Math.floor(SIZE / n));
    const { canvas } = this;
    if (canvas.width !== n * cell) canvas.width = canvas.height = n * cell;
    const context = canvas.getContext("2d")!;
    const gap = cell > 8 ? 1 : 0;
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        context.fillStyle = css(scale.colour(scale.place(this.matrix[i][j])));
        context.fillRect(j * cell, i * cell, cell - gap, cell - gap);
      }
    if (this.active) {
      const { row, column } = this.active;
      context.strokeStyle = css(styled("--ink"));
      context.lineWidth = 2;
      context.strokeRect(column * cell + 1, row * cell + 1, cell - 2 - gap, cell - 2 - gap);
      write(this.readout, texts.numbers.entry(row + 1, column + 1, this.names[row] ?? "", this.names[column] ?? "", `${number(this.matrix[row][column], 6)} ${this.unit(row, column)}`));
    } else write(this.readout, texts.numbers.point);
  }

  private unit(row: number, column: number): string {
    return ["kg m²", "kg m", "kg"][Number(this.lengths[row]) + Number(this.lengths[column])];
  }

  private point(row: number, column: number): void {
    const n = this.matrix.length;
    const within = (k: number) => Math.min(n - 1, Math.max(0, Math.floor(k)));
    if (n === 0) return;
    this.active = { row: within(row), column: within(column) };
    this.draw();
  }

  private leave(): void {
    this.active = null;
    this.draw();
  }

  private fillTable(): void {
    if (!this.details.open) return;
    const names = this.names.slice(0, TABLE_AT_MOST);
    const heads = ["", ...names];
    if (this.rows === null || this.rows.element.tHead!.textContent !== heads.join("")) {
      this.rows = new Table("inertia-values", texts.numbers.inertia, heads);
      this.table.replaceChildren(this.rows.element);
    }
    this.rows.show(names.map((name, i) => [name, ...this.matrix[i].slice(0, TABLE_AT_MOST).map((x) => number(x))]));
  }
}
