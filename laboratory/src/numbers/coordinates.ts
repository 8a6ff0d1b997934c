/** Coordinates that a map can be over: of a platform, or joints; shown in m and degrees, kept in m and radians. */
import { Euler, Quaternion } from "three";
import { degrees, radians } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import type { Live, RobotInfo } from "../contract";

export interface Axis {
  coordinate: string;
  from: number;
  to: number;
  cells: number;
}
/** Where a map was begun: what it does not change stays there, and angles of a platform are turns from there. */
export type Base = Pick<Live, "q" | "pose">;

const PLACES = ["x", "y", "z"];
const ANGLES = ["roll", "pitch", "yaw"]; // R = Rz(yaw) Ry(pitch) Rx(roll), in base axes
const VELOCITIES = ["vx", "vy", "vz", "wx", "wy", "wz"]; // as degrees of freedom are called
const joint = (robot: RobotInfo, name: string) => robot.joints.findIndex((joint) => joint.name === name);

/** Names and texts of those in which the robot moves. */
export function choices(robot: RobotInfo): (readonly [string, string])[] {
  if (!robot.has_platform) return robot.joints.filter(({ type }) => type === "revolute" || type === "prismatic").map(({ name }) => [name, name] as const);
  const free = [...PLACES, ...ANGLES].filter((_, k) => robot.freedoms.includes(VELOCITIES[k]));
  return free.map((name) => [name, texts.numbers.coordinates[name]] as const);
}

export function isAngle(robot: RobotInfo, coordinate: string): boolean {
  return robot.has_platform ? ANGLES.includes(coordinate) : robot.joints[joint(robot, coordinate)]?.type !== "prismatic";
}
export const unit = (robot: RobotInfo, coordinate: string): string => (isAngle(robot, coordinate) ? "°" : "m");
export const shown = (robot: RobotInfo, coordinate: string, value: number): number => (isAngle(robot, coordinate) ? degrees(value) : value);

/** An axis with ends that are short to read. */
export function tidy(robot: RobotInfo, axis: Axis): Axis {
  const short = (value: number) => {
    const rounded = Number(shown(robot, axis.coordinate, value).toPrecision(3));
    return isAngle(robot, axis.coordinate) ? radians(rounded) : rounded;
  };
  return { ...axis, from: short(axis.from), to: short(axis.to) };
}

const turnOf = (pose: number[]) => new Quaternion(pose[3], pose[4], pose[5], pose[6]);

/** The present value of a coordinate. */
export function present(robot: RobotInfo, live: Live, coordinate: string, base: Base): number {
  if (!robot.has_platform) return live.q[joint(robot, coordinate)];
  const place = PLACES.indexOf(coordinate);
  if (place >= 0) return live.pose[place];
  const turn = new Euler().setFromQuaternion(turnOf(live.pose).multiply(turnOf(base.pose).invert()), "ZYX");
  return [turn.x, turn.y, turn.z][ANGLES.indexOf(coordinate)];
}

/** A first range around where the robot is, for a coordinate that was chosen. */
export function range(robot: RobotInfo, live: Live, coordinate: string): [number, number] {
  if (robot.has_platform) {
    const [middle, half] = isAngle(robot, coordinate) ? [0, Math.PI / 4] : [present(robot, live, coordinate, live), 0.3 * robot.size];
    return [middle - half, middle + half];
  }
  const { lower, upper, type } = robot.joints[joint(robot, coordinate)];
  const half = type === "prismatic" ? 0.5 * robot.size : Math.PI;
  return [lower ?? -half, upper ?? half];
}

/** Moves the robot to a cell: values of coordinates within a layer. Returns why it stopped. */
export function goTo(lab: Lab, base: Base, cell: Record<string, number>, layer: Record<string, number>): string {
  const robot = lab.robot();
  if (!robot.has_platform) {
    const q = [...base.q];
    for (const [name, value] of Object.entries({ ...cell, ...layer })) q[joint(robot, name)] = value;
    return lab.setQ(q);
  }
  const place = PLACES.map((name, k) => cell[name] ?? layer[name] ?? base.pose[k]);
  const turn = turnOf(base.pose);
  for (const by of [layer, cell]) turn.premultiply(new Quaternion().setFromEuler(new Euler(by.roll ?? 0, by.pitch ?? 0, by.yaw ?? 0, "ZYX")));
  return lab.setPose([...place, turn.x, turn.y, turn.z, turn.w]);
}
