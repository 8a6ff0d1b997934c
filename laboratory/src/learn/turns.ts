/** Poses of tours: px py pz qx qy qz qw from a position and turns about axes, the first one last applied. */
import type { Point } from "../contract";

export type Turn = readonly [axis: Point, angle: number];

export function pose(position: Point, ...turns: Turn[]): number[] {
  return [...position, ...turns.map(quaternion).reduce(product, [0, 0, 0, 1])];
}

function quaternion([axis, angle]: Turn): number[] {
  const length = Math.hypot(...axis);
  return [...axis.map((x) => (x / length) * Math.sin(angle / 2)), Math.cos(angle / 2)];
}

/** Of two quaternions, the scalar last. */
function product(a: number[], b: number[]): number[] {
  const [ax, ay, az, aw] = a as [number, number, number, number];
  const [bx, by, bz, bw] = b as [number, number, number, number];
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
