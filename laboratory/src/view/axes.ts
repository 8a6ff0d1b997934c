/** The small cross of axes in the corner: shows how the camera stands; a click on an axis looks along it. */
import * as three from "three";
import { texts } from "../app/texts";
import type { Point } from "../contract";

const SVG = "http://www.w3.org/2000/svg";
const DIRECTIONS: { name: string; at: Point; colour: string }[] = [
  { name: "x", at: [1, 0, 0], colour: "#d62728" },
  { name: "y", at: [0, 1, 0], colour: "#2a9134" },
  { name: "z", at: [0, 0, 1], colour: "#2f6fe0" },
  { name: "−x", at: [-1, 0, 0], colour: "#d62728" },
  { name: "−y", at: [0, -1, 0], colour: "#2a9134" },
  { name: "−z", at: [0, 0, -1], colour: "#2f6fe0" },
];

export class AxisWidget {
  private readonly svg = document.createElementNS(SVG, "svg");
  private readonly parts: { group: SVGGElement; line: SVGLineElement | null; depth: number }[] = [];
  private before = new three.Quaternion(9, 9, 9, 9);

  constructor(host: HTMLElement, look: (direction: Point) => void) {
    this.svg.setAttribute("viewBox", "-50 -50 100 100");
    this.svg.setAttribute("class", "axis-widget");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", texts.view.axes);
    for (const [k, { name, at, colour }] of DIRECTIONS.entries()) {
      const group = document.createElementNS(SVG, "g");
      const circle = document.createElementNS(SVG, "circle");
      circle.setAttribute("r", k < 3 ? "9" : "6");
      circle.setAttribute("fill", k < 3 ? colour : "var(--surface)");
      circle.setAttribute("stroke", colour);
      circle.setAttribute("stroke-width", "1.5");
      let line: SVGLineElement | null = null;
      if (k < 3) {
        line = document.createElementNS(SVG, "line");
        line.setAttribute("stroke", colour);
        line.setAttribute("stroke-width", "2.5");
        this.svg.append(line);
      }
      group.append(circle);
      if (k < 3) {
        const label = document.createElementNS(SVG, "text");
        label.textContent = name;
        group.append(label);
      }
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "0");
      group.setAttribute("aria-label", texts.view.lookAlong(name));
      group.addEventListener("click", () => look(at));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") look(at);
      });
      this.parts.push({ group, line, depth: 0 });
      this.svg.append(group);
    }
    host.append(this.svg);
  }

  update(eye: three.Camera): void {
    if (this.before.equals(eye.quaternion)) return;
    this.before.copy(eye.quaternion);
    const inverse = eye.quaternion.clone().invert();
    for (const [k, part] of this.parts.entries()) {
      const p = new three.Vector3(...DIRECTIONS[k].at).applyQuaternion(inverse).multiplyScalar(36);
      part.depth = p.z;
      part.group.setAttribute("transform", `translate(${p.x.toFixed(1)} ${(-p.y).toFixed(1)})`);
      part.group.setAttribute("opacity", p.z < -2 ? "0.55" : "1");
      part.line?.setAttribute("x2", p.x.toFixed(1));
      part.line?.setAttribute("y2", (-p.y).toFixed(1));
    }
  }
}
