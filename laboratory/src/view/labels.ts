/** Names of joints beside their signs. */
import type { Point, Sketch } from "../contract";

const AT_MOST = 200; // more would cover the robot

export class Labels {
  private readonly box = document.createElement("div");
  private spans: HTMLSpanElement[] = [];
  constructor(host: HTMLElement) {
    this.box.className = "labels";
    this.box.setAttribute("aria-hidden", "true");
    host.append(this.box);
  }
  update(sketch: Sketch | null, project: (point: Point) => [number, number], canvas: HTMLCanvasElement): void {
    const nodes = sketch?.nodes.slice(0, AT_MOST) ?? [];
    while (this.spans.length < nodes.length) {
      const span = document.createElement("span");
      this.spans.push(span);
      this.box.append(span);
    }
    while (this.spans.length > nodes.length) this.spans.pop()!.remove();
    if (nodes.length === 0) return;
    const { left, top } = canvas.getBoundingClientRect();
    nodes.forEach((node, k) => {
      const [x, y] = project(node.at);
      const span = this.spans[k];
      if (span.textContent !== node.name) span.textContent = node.name;
      span.className = node.driven ? "driven" : "";
      span.style.transform = `translate(${(x - left + 9).toFixed(1)}px, ${(y - top - 9).toFixed(1)}px)`;
    });
  }
}
