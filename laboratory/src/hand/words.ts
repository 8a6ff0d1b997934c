/** Where things are, in words and figures: for fields, the status line and the screen reader. */
import { degrees, number, quiet } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { JointInfo } from "../contract";
import { anglesOf } from "./angles";

const texts = all.hand;

/** Angles are shown in degrees, lengths in m; a part of a quaternion has no unit. */
export const turns = (joint: JointInfo): boolean => joint.type === "revolute";
export const shown = (joint: JointInfo, value: number): number => (turns(joint) ? degrees(value) : value);
export const unitOf = (joint: JointInfo): string => (turns(joint) ? "°" : joint.type === "prismatic" ? "m" : "");

/** The text of a field: no more digits than a person reads, no minus before zero. */
export const figure = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)) + 0);
export const decimalsOf = (joint: JointInfo): number => (turns(joint) ? 3 : 5);

const withUnit = (joint: JointInfo, value: number): string => {
  const unit = unitOf(joint);
  return `${number(quiet(shown(joint, value), turns(joint) ? 180 : 1))}${unit === "°" ? "" : " "}${unit}`.trimEnd();
};

export function jointText(joint: JointInfo, value: number): string {
  const { lower, upper } = joint;
  const text = texts.jointAt(joint.name, withUnit(joint, value));
  if (lower !== null && value <= lower + 1e-9 * Math.max(1, Math.abs(lower))) return texts.atLower(text);
  if (upper !== null && value >= upper - 1e-9 * Math.max(1, Math.abs(upper))) return texts.atUpper(text);
  return text;
}

export const jointValue = (lab: Lab, index: number): string => jointText(lab.robot().joints[index], lab.bench().q()[index]);

export function outputValue(lab: Lab): string {
  const pose = lab.bench().pose();
  const place = [0, 1, 2].map((k) => number(quiet(pose[k], lab.robot().size))).join(", ");
  const turn = anglesOf(pose).map((angle) => number(quiet(degrees(angle), 180), 3)).join(", ");
  return texts.outputAt(lab.robot().output, place, turn);
}

/** A round length of about a hundredth of the robot, m: one step of a key. */
export const lengthStep = (size: number): number => 10 ** Math.round(Math.log10(Math.max(size, 1e-6) / 100));
