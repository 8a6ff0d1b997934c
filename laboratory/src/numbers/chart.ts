/** A layer of a map in the plane: one pixel per cell, a cursor that reads values and goes to poses. */
import { h } from "../app/dom";
import { texts } from "../app/texts";
import type { MapRow } from "../contract";
import type { Colour } from "../view/painting";
import { distances, type Rgb } from "./scale";

export type Quantity = "type1" | "type2" | "reach";
export const REACH: Record<number, Rgb> = { 0: [120, 60, 60], 1: [214, 150, 40], 2: [60, 150, 105] };

/** Colours of a row's cells; what has no value is left open. */
export function paint(row: MapRow, quantity: Quantity): Colour[] {
  return row.reach.map((reach, i): Colour => {
    if (quantity === "reach") return [...unitary(REACH[reach]), reach === 0 ? 0 : 1];
    const value = row[quantity][i];
    return value === null ? [0, 0, 0, 0] : [...unitary(distances.colour(distances.place(value))), 1];
  });
}
const unitary = (colour: Rgb) => colour.map((part) => part / 255) as Rgb;

export class Chart {
  readonly canvas = h("canvas", { id: "map-canvas", class: "map-canvas", width: 1, height: 1, tabindex: 0, role: "img" });
  private readonly cursor = h("i", { class: "map-cursor", hidden: true });
  private readonly here = h("i", { class: "map-here", hidden: true, title: texts.numbers.here });
  readonly element = h("div", { class: "map-box" }, this.canvas, this.cursor, this.here);
  private at: { column: number; row: number } | null = null;
  /** The cell under the cursor, or null. */
  onPoint: (column: number, row: number) => void = () => {};
  onLeave: () => void = () => {};
  onGo: (column: number, row: number) => void = () => {};

  constructor() {
    this.canvas.setAttribute("aria-label", texts.numbers.mapHelp);
    this.canvas.addEventListener("pointermove", (event) => this.point(...this.cell(event)));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("blur", () => this.leave());
    this.canvas.addEventListener("click", (event) => {
      this.point(...this.cell(event));
      if (this.at) this.onGo(this.at.column, this.at.row);
    });
    this.canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
      if (step) {
        const { column, row } = this.at ?? { column: Math.floor(this.canvas.width / 2), row: Math.floor(this.canvas.height / 2) };
        this.point(column + step[0], row + step[1]);
      } else if (event.key === "Enter" && this.at) this.onGo(this.at.column, this.at.row);
      else return;
      event.preventDefault();
    });
  }

  begin(columns: number, rows: number, ratio: number): void {
    this.canvas.width = columns;
    this.canvas.height = rows;
    this.canvas.style.aspectRatio = String(Math.min(2.5, Math.max(0.5, ratio)));
    this.leave();
  }

  /** The first row lies at the bottom. */
  row(row: number, values: MapRow, quantity: Quantity): void {
    const context = this.canvas.getContext("2d")!;
    const strip = context.createImageData(this.canvas.width, 1);
    paint(values, quantity).forEach((colour, i) => strip.data.set(colour.map((part) => Math.round(255 * part)), 4 * i));
    context.putImageData(strip, 0, this.canvas.height - 1 - row);
  }

  /** The mark of the present pose, in parts of the axes; none outside of them. */
  mark(x: number, y: number): void {
    const { width, height } = this.canvas;
    this.here.hidden = !(x >= 0 && x <= 1 && y >= 0 && y <= 1);
    // Values belong to the middles of cells.
    this.here.style.left = `${((0.5 + x * (width - 1)) / width) * 100}%`;
    this.here.style.bottom = `${((0.5 + y * (height - 1)) / height) * 100}%`;
  }

  private cell(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this.canvas;
    return [((event.clientX - box.left) / box.width) * width, ((box.bottom - event.clientY) / box.height) * height];
  }

  private point(x: number, y: number): void {
    const { width, height } = this.canvas;
    const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
    const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
    this.at = { column, row };
    this.cursor.hidden = false;
    this.cursor.style.cssText = `left: ${(100 * column) / width}%; bottom: ${(100 * row) / height}%; width: ${100 / width}%; height: ${100 / height}%`;
    this.onPoint(column, row);
  }

  private leave(): void {
    this.at = null;
    this.cursor.hidden = true;
    this.onLeave();
  }
}
