/** A line of the last values of some distances, logarithmic, newest at the right. */
import { h } from "../app/dom";
import { css, distances, styled } from "./scale";

const LENGTH = 300; // values that are kept
const WIDTH = 600;
const HEIGHT = 150;

export class History {
  readonly canvas = h("canvas", { id: "history", class: "history", width: WIDTH, height: HEIGHT, role: "img" });
  private readonly lines = new Map<string, { colour: string; values: number[] }>();

  constructor(label: string) {
    this.canvas.setAttribute("aria-label", label);
  }

  clear(): void {
    this.lines.clear();
  }

  /** One more value of each line. */
  push(values: { id: string; colour: string; value: number }[]): void {
    for (const { id, colour, value } of values) {
      let line = this.lines.get(id);
      if (!line) this.lines.set(id, (line = { colour, values: [] }));
      line.colour = colour;
      line.values.push(value);
      if (line.values.length > LENGTH) line.values.shift();
    }
    this.draw();
  }

  private draw(): void {
    // In memory: a canvas on the graphics card waits until the view of a large robot is drawn.
    const context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    const y = (place: number) => HEIGHT - 4 - place * (HEIGHT - 8);
    context.clearRect(0, 0, WIDTH, HEIGHT);
    context.lineWidth = 1;
    context.strokeStyle = css(styled("--line"));
    for (const { place } of distances.ticks) {
      context.beginPath();
      context.moveTo(0, y(place));
      context.lineTo(WIDTH, y(place));
      context.stroke();
    }
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    for (const { colour, values } of this.lines.values()) {
      context.strokeStyle = colour;
      context.beginPath();
      context.moveTo(WIDTH - (values.length + 1) * (WIDTH / (LENGTH - 1)), y(distances.place(values[0]))); // the first alone is a dash
      values.forEach((value, k) => context.lineTo(WIDTH - (values.length - 1 - k) * (WIDTH / (LENGTH - 1)), y(distances.place(value))));
      context.stroke();
    }
  }
}
