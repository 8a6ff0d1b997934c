/** What a pointer's way in the plane that faces the camera means for a joint or the output: lever and direction, no more. */
import { Quaternion, Vector3 } from "three";
import type { Point, RobotInfo } from "../contract";

const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };
export type AxisName = keyof typeof AXES;

export interface Free {
  move: AxisName[];
  turn: AxisName[];
}

/** Which components of its twist the platform can choose: all, where the robot does not say so by vx … wz. */
export function free(robot: RobotInfo): Free {
  const names = robot.freedoms.filter((name) => /^[vw][xyz]$/.test(name));
  const of = (letter: string) => (["x", "y", "z"] as const).filter((axis) => names.length === 0 || names.includes(letter + axis));
  return { move: of("v"), turn: of("w") };
}

/**
 * A joint by its sign: how far it goes, rad or m, for a pointer at `point`, seen from `eye`. A slide follows the pointer
 * along its axis; a hinge seen along its axis follows the angle around it, one seen from the side rolls with the pointer.
 */
export function jointPull(slides: boolean, at: Point, axis: Point, eye: Point, arm: number): (point: Point) => number {
  const centre = new Vector3(...at);
  const a = new Vector3(...axis).normalize();
  const sight = (point: Point) => new Vector3(...point).sub(new Vector3(...eye)).normalize();
  const way = (point: Point) => new Vector3(...point).sub(centre);
  if (slides)
    return (point) => {
      // The point of the axis next to the line of sight; along it there is none.
      const [d, f] = [way(point), sight(point)];
      const slope = a.dot(f);
      return (d.dot(a) - slope * d.dot(f)) / Math.max(1 - slope * slope, 0.05);
    };
  const facing = sight(at);
  if (Math.abs(a.dot(facing)) < 0.5) {
    const near = a.clone().cross(facing).negate().normalize();
    return (point) => way(point).dot(near) / arm;
  }
  const u = new Vector3().crossVectors(Math.abs(a.z) < 0.9 ? AXES.z : AXES.x, a).normalize();
  const v = a.clone().cross(u);
  let before: number | null = null;
  let turned = 0;
  return (point) => {
    const [d, f] = [way(point), sight(point)];
    if (d.length() < 0.3 * arm) return turned; // at the centre there is no angle yet
    d.addScaledVector(f, -d.dot(a) / f.dot(a));
    const now = Math.atan2(d.dot(v), d.dot(u));
    if (before !== null) turned += Math.atan2(Math.sin(now - before), Math.cos(now - before));
    before = now;
    return turned;
  };
}

/** The move along free axes that looks like the pointer's way along a line of sight. */
export function slide(way: Vector3, sight: Vector3, axes: AxisName[]): Vector3 {
  const f = sight.clone().normalize();
  if (axes.length === 3) return way;
  if (axes.length === 2) {
    const normal = AXES[(["x", "y", "z"] as const).find((axis) => !axes.includes(axis))!];
    const slope = f.dot(normal);
    if (Math.abs(slope) > 0.15) return way.clone().addScaledVector(f, -way.dot(normal) / slope);
    return way.clone().projectOnPlane(normal);
  }
  if (axes.length === 0) return new Vector3();
  const along = AXES[axes[0]];
  const slope = along.dot(f);
  return along.clone().multiplyScalar((way.dot(along) - slope * way.dot(f)) / Math.max(1 - slope * slope, 0.05));
}

/** The turn of a ball of radius `arm` under the pointer, about free axes. */
export function roll(way: Vector3, sight: Vector3, axes: AxisName[], arm: number): Quaternion {
  const turn = way.clone().cross(sight.clone().normalize()).divideScalar(arm);
  for (const axis of ["x", "y", "z"] as const) if (!axes.includes(axis)) turn[axis] = 0;
  const angle = turn.length();
  return angle > 0 ? new Quaternion().setFromAxisAngle(turn.divideScalar(angle), angle) : new Quaternion();
}

/** The pose that is asked for: as the hand holds it where the output can choose, as the robot stands elsewhere. */
export function chosen(position: Vector3, attitude: Quaternion, present: ArrayLike<number>, { move, turn }: Free): number[] {
  const place = (["x", "y", "z"] as const).map((axis, k) => (move.includes(axis) ? position[axis] : present[k]));
  if (turn.length === 3) return [...place, ...attitude.toArray()];
  const stands = new Quaternion(present[3], present[4], present[5], present[6]);
  const way = attitude.clone().multiply(stands.clone().invert());
  if (way.w < 0) way.set(-way.x, -way.y, -way.z, -way.w);
  const axis = new Vector3(way.x, way.y, way.z);
  const sine = axis.length();
  if (sine > 0) axis.multiplyScalar((2 * Math.atan2(sine, way.w)) / sine);
  for (const name of ["x", "y", "z"] as const) if (!turn.includes(name)) axis[name] = 0;
  const angle = axis.length();
  if (angle > 0) stands.premultiply(new Quaternion().setFromAxisAngle(axis.divideScalar(angle), angle));
  return [...place, ...stands.toArray()];
}

/** Moves or turns a pose by a step along or about one axis, of the base or of the output itself. */
export function stepped(pose: ArrayLike<number>, mode: "translate" | "rotate", axis: AxisName, step: number, own: boolean): number[] {
  const p = new Vector3(pose[0], pose[1], pose[2]);
  const q = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
  const along = AXES[axis].clone();
  if (mode === "translate") p.addScaledVector(own ? along.applyQuaternion(q) : along, step);
  else {
    const turn = new Quaternion().setFromAxisAngle(along, step);
    if (own) q.multiply(turn);
    else q.premultiply(turn);
  }
  return [...p.toArray(), ...q.toArray()];
}
