/** Coordinates that a map can be over: of a platform, or joints; shown in m and degrees, kept in m and radians. */
import { Euler, Quaternion } from "three";
import { degrees } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import type { Live, RobotInfo } from "../contract";

export interface Axis {
  coordinate: string;
  from: number;
  to: number;
  cells: number;
}

const PLACES = ["x", "y", "z"];
const ANGLES = ["roll", "pitch", "yaw"]; // R = Rz(yaw) Ry(pitch) Rx(roll)
const joint = (robot: RobotInfo, name: string) => robot.joints.findIndex((joint) => joint.name === name);

export function choices(robot: RobotInfo): (readonly [string, string])[] {
  if (robot.has_platform) return [...PLACES, ...ANGLES].map((name) => [name, texts.numbers.coordinates[name]] as const);
  return robot.joints.filter(({ type }) => type === "revolute" || type === "prismatic").map(({ name }) => [name, name] as const);
}

export function isAngle(robot: RobotInfo, coordinate: string): boolean {
  return robot.has_platform ? ANGLES.includes(coordinate) : robot.joints[joint(robot, coordinate)]?.type !== "prismatic";
}
export const unit = (robot: RobotInfo, coordinate: string): string => (isAngle(robot, coordinate) ? "°" : "m");
export const shown = (robot: RobotInfo, coordinate: string, value: number): number => (isAngle(robot, coordinate) ? degrees(value) : value);

const angles = (pose: number[]) => new Euler().setFromQuaternion(new Quaternion(pose[3], pose[4], pose[5], pose[6]), "ZYX");

/** The present value of a coordinate. */
export function present(robot: RobotInfo, live: Live, coordinate: string): number {
  if (!robot.has_platform) return live.q[joint(robot, coordinate)];
  const place = PLACES.indexOf(coordinate);
  return place >= 0 ? live.pose[place] : angles(live.pose).toArray()[ANGLES.indexOf(coordinate)] as number;
}

/** A first range around the present value, for a coordinate that was chosen. */
export function range(robot: RobotInfo, live: Live, coordinate: string): [number, number] {
  if (robot.has_platform) {
    const [middle, half] = isAngle(robot, coordinate) ? [0, Math.PI / 4] : [present(robot, live, coordinate), 0.3 * robot.size];
    return [middle - half, middle + half];
  }
  const { lower, upper, type } = robot.joints[joint(robot, coordinate)];
  const half = type === "prismatic" ? 0.5 * robot.size : Math.PI;
  return [lower ?? -half, upper ?? half];
}

/** Moves the robot to values of some coordinates, the others left alone; returns why it stopped. */
export function goTo(lab: Lab, values: Record<string, number>): string {
  const robot = lab.robot();
  const live = lab.live();
  if (!robot.has_platform) {
    const q = [...live.q];
    for (const [name, value] of Object.entries(values)) q[joint(robot, name)] = value;
    return lab.setQ(q);
  }
  const pose = [...live.pose];
  const turn = angles(pose).toArray() as unknown as number[];
  for (const [name, value] of Object.entries(values)) {
    if (PLACES.includes(name)) pose[PLACES.indexOf(name)] = value;
    else turn[ANGLES.indexOf(name)] = value;
  }
  const { x, y, z, w } = new Quaternion().setFromEuler(new Euler(turn[0], turn[1], turn[2], "ZYX"));
  return lab.setPose([...pose.slice(0, 3), x, y, z, w]);
}
