/** A small picture of a sketch, by itself: the gallery's. */
import * as three from "three";
import type { Point, Sketch } from "../contract";
import { drawSvg } from "./drawing";
import type { Palette } from "./palette";

/** Where one looks from, as in the scene. */
export const FROM: Point = [0.62, -1, 0.52];
const ANGLE = 24; // of view, degrees: the narrower, the flatter

/** The sketch as SVG, filling `width` × `height`. */
export function pictureOf(sketch: Sketch, name: string, width: number, height: number, palette: Palette): string {
  const points = [...sketch.bars.flatMap((bar) => bar.line), ...sketch.nodes.map((node) => node.at), ...sketch.platform, ...sketch.base];
  const box = new three.Box3().setFromPoints(points.filter((p) => p.every(Number.isFinite)).map((p) => new three.Vector3(...p)));
  if (box.isEmpty()) box.expandByPoint(new three.Vector3());
  const size = Math.max(box.getSize(new three.Vector3()).length(), 1e-6);
  const centre = box.getCenter(new three.Vector3());
  const eye = new three.PerspectiveCamera(ANGLE, width / height, 0.01 * size, 100 * size);
  eye.up.set(0, 0, 1);
  const away = new three.Vector3(...FROM).normalize();
  // Back until every point is inside, with a margin for joints.
  const half = Math.tan((ANGLE * Math.PI) / 360);
  eye.position.copy(centre).addScaledVector(away, 1);
  eye.lookAt(centre);
  eye.updateMatrixWorld();
  let distance = 0;
  for (const point of points) {
    const p = new three.Vector3(...point).sub(centre).applyQuaternion(eye.quaternion.clone().invert());
    distance = Math.max(distance, p.z + Math.abs(p.y) / (0.86 * half), p.z + Math.abs(p.x) / (0.86 * half * eye.aspect));
  }
  eye.position.copy(centre).addScaledVector(away, Math.max(distance, size));
  eye.updateMatrixWorld();
  return drawSvg(sketch, name, eye, width, height, palette, 0.014 * size);
}
