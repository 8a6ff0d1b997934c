/** Which way gravity pulls: an arrow beside the robot. A planar robot lies in the ground's plane, and its gravity does too. */
import * as three from "three";
import { texts } from "../app/texts";
import type { Point } from "../contract";
import { Arrows } from "./extras";
import { css } from "./palette";

const LENGTH = 0.16; // of the robot's size

export class GravitySign {
  private readonly arrows: Arrows;
  private readonly label = document.createElement("span");
  /** Where the arrow begins, and its name stands. */
  private tail: Point | null = null;
  /** Its direction, a unit vector in base axes; null where none is drawn. */
  along: Point | null = null;
  on = true;

  constructor(parent: three.Object3D, host: HTMLElement) {
    this.arrows = new Arrows(parent);
    const box = document.createElement("div");
    box.className = "gravity-sign";
    box.setAttribute("aria-hidden", "true");
    this.label.textContent = texts.view.gravity;
    box.append(this.label);
    host.append(box);
  }

  /** At the corner of the robot's box that is in front, above the floor; none without gravity. */
  place(gravity: Point, box: three.Box3, floor: number, size: number, colour: number): void {
    const pull = Math.hypot(...gravity);
    this.arrows.begin();
    this.tail = null;
    this.along = this.on && pull > 0 ? (gravity.map((g) => g / pull) as Point) : null;
    if (this.along !== null) {
      const along = this.along.map((part) => part * LENGTH * size) as Point;
      const [x, y] = [box.min.x - 0.06 * size, box.min.y - 0.06 * size];
      const z = floor + 0.5 * Math.abs(along[2]) + 0.03 * size;
      this.tail = [x - along[0] / 2, y - along[1] / 2, z - along[2] / 2];
      this.arrows.push(this.tail, along, 0.006 * size, new three.Color(colour));
    }
    this.arrows.end();
    this.label.style.color = css(colour);
  }

  update(project: (point: Point) => [number, number], canvas: HTMLCanvasElement): void {
    this.label.hidden = this.tail === null;
    if (this.tail === null) return;
    const { left, top } = canvas.getBoundingClientRect();
    const [x, y] = project(this.tail);
    this.label.style.transform = `translate(${(x - left + 5).toFixed(1)}px, ${(y - top - 22).toFixed(1)}px)`;
  }
}
