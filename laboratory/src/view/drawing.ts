/** The robot as a drawing in lines, SVG, from where the camera stands. */
import * as three from "three";
import type { Point, Sketch } from "../contract";
import { css, type Palette } from "./palette";

const WIDTH = { bone: 2, sleeve: 2.9, rod: 1.3, rail: 1, twig: 0.6 } as const;
const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function drawSvg(sketch: Sketch | null, name: string, eye: three.PerspectiveCamera, width: number, height: number, palette: Palette, bone: number): string {
  const items: { depth: number; text: string }[] = [];
  eye.updateMatrixWorld();
  const place = (point: Point) => {
    const p = new three.Vector3(...point);
    const depth = -p.clone().applyMatrix4(eye.matrixWorldInverse).z;
    p.project(eye);
    const scale = height / (2 * Math.tan((eye.fov * Math.PI) / 360) * Math.max(depth, 1e-9));
    return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, depth, px: bone * scale };
  };
  const f = (x: number) => x.toFixed(2);
  const plate = (corners: Point[], colour: number) => {
    if (corners.length < 3) return;
    const at = corners.map(place);
    const depth = at.reduce((sum, p) => sum + p.depth, 0) / at.length;
    items.push({ depth, text: `<polygon points="${at.map((p) => `${f(p.x)},${f(p.y)}`).join(" ")}" fill="${css(colour)}" fill-opacity="0.85"/>` });
  };
  plate(sketch?.base ?? [], palette.base);
  plate(sketch?.platform ?? [], palette.platform);
  for (const { line, class: kind } of sketch?.bars ?? []) {
    const at = line.map(place);
    for (let i = 1; i < at.length; i++) {
      const [p, q] = [at[i - 1], at[i]];
      items.push({
        depth: (p.depth + q.depth) / 2,
        text: `<line x1="${f(p.x)}" y1="${f(p.y)}" x2="${f(q.x)}" y2="${f(q.y)}" stroke="${css(palette[kind])}" stroke-width="${f(WIDTH[kind] * p.px)}"/>`,
      });
    }
  }
  for (const node of sketch?.nodes ?? []) {
    const p = place(node.at);
    const colour = css(node.sign === "rigid" ? palette.rigid : node.driven ? palette.driven : node.closing ? palette.closing : palette.passive);
    const r = 2.2 * p.px;
    const text =
      node.sign === "prismatic"
        ? `<rect x="${f(p.x - r)}" y="${f(p.y - r)}" width="${f(2 * r)}" height="${f(2 * r)}" fill="${colour}"/>`
        : `<circle cx="${f(p.x)}" cy="${f(p.y)}" r="${f(r)}" fill="${colour}"/>`;
    items.push({ depth: p.depth - 2 * bone, text: text.replace("/>", `><title>${escape(node.name)}</title></${text.slice(1, text.indexOf(" "))}>`) });
  }
  items.sort((a, b) => b.depth - a.depth);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${f(width)} ${f(height)}" width="${f(width)}" height="${f(height)}">`,
    `<title>${escape(name)}</title>`,
    `<rect width="100%" height="100%" fill="${css(palette.background)}"/>`,
    `<g stroke-linecap="round">`,
    ...items.map((item) => item.text),
    `</g></svg>`,
  ].join("\n");
}
