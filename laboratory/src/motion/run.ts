/**
 * A run: rows over time that are plotted and played, whoever made them: a Motion, a trajectory, a scenario, or a
 * measurement. Columns are named as in the records of `appell simulate`.
 */
import type { RobotInfo, Trajectory } from "../contract";
import { texts as all } from "../app/texts";

const texts = all.motion;

export type GroupKey = "positions" | "speeds" | "torques" | "energies" | "errors";
export const GROUPS: readonly GroupKey[] = ["positions", "torques", "energies", "errors", "speeds"];

/** Columns that share a plot. */
export interface Group {
  /** Of the columns in CSV: q1 …, v1 …, tau1 …, kinetic …, error1 …. */
  columns: string[];
  /** For people: the joints' names. */
  names: string[];
  /** One array per column, as long as `t`. */
  data: (number | null)[][];
}

/** How a row of `places` puts the robot: all joints, the drives, or the pose of the platform, of which three numbers are its position alone. */
export type Place = "q" | "drives" | "pose";

export interface Run {
  name: string;
  t: number[];
  groups: Record<GroupKey, Group>;
  place: Place;
  /** One per row; empty if the run says nothing about positions. */
  places: number[][];
}

const TABLE_AT_MOST = 500_000; // rows

const none = (): Group => ({ columns: [], names: [], data: [] });

/** The joints whose positions are plotted: those of the drives, or all of a robot without any. */
export const plotted = (robot: RobotInfo): { name: string; joint: number }[] =>
  robot.drives.length > 0 ? robot.drives : robot.joints.map(({ name }, joint) => ({ name, joint }));

/** An empty run of a robot, to be filled by `push`. */
export function recordOf(name: string): Run {
  return {
    name,
    t: [],
    groups: { positions: none(), speeds: none(), torques: none(), energies: none(), errors: none() },
    place: "q",
    places: [],
  };
}

/** Adds a row. A group appears with its first row; without one it has a gap. */
export function push(run: Run, robot: RobotInfo, t: number, place: number[], rows: Partial<Record<GroupKey, readonly (number | null)[] | null>>): void {
  for (const key of GROUPS) if (rows[key] && run.groups[key].data.length === 0) run.groups[key] = opened(key, robot, run.t.length);
  run.t.push(t);
  run.places.push(place);
  for (const key of GROUPS) run.groups[key].data.forEach((column, k) => column.push(rows[key]?.[k] ?? null));
}

/** A group that begins after some rows. */
function opened(key: GroupKey, robot: RobotInfo, rows: number): Group {
  const gap = (): null[] => new Array<null>(rows).fill(null);
  if (key === "energies") return { columns: ["kinetic", "potential", "total"], names: [texts.kinetic, texts.potential, texts.total], data: [gap(), gap(), gap()] };
  const letter = { positions: "q", speeds: "v", torques: "tau", errors: "error" }[key];
  const names = (key === "torques" || key === "errors" ? robot.drives : plotted(robot)).map(({ name }) => name);
  return { columns: names.map((_, i) => `${letter}${i + 1}`), names, data: names.map(gap) };
}

/** Forgets all rows after row `last`. */
export function cut(run: Run, last: number): void {
  run.t.length = last + 1;
  run.places.length = Math.min(run.places.length, last + 1);
  for (const key of GROUPS) for (const column of run.groups[key].data) column.length = last + 1;
}

/** The last row that is not after `t`. */
export function rowAt(run: Run, t: number): number {
  let low = 0;
  let high = run.t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.t[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

export function ofTrajectory(robot: RobotInfo, trajectory: Trajectory, name: string): Run {
  const run = recordOf(name);
  trajectory.t.forEach((t, i) => {
    const q = trajectory.q[i] ?? [];
    const v = trajectory.v[i] ?? [];
    const of = (values: number[]) => plotted(robot).map(({ joint }) => values[joint] ?? null);
    // Of robots with quaternions there are fewer velocities than positions.
    push(run, robot, t, q, { positions: of(q), speeds: v.length === q.length ? of(v) : null, torques: trajectory.tau[i] ?? null });
  });
  return run;
}

const POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"];

/** The record of a scenario, or a measured table: columns t, q1 …, v1 …, tau1 …, error1 …; q.NAME goes by the joint's name. */
export function ofTable(robot: RobotInfo, columns: string[], rows: readonly (readonly number[])[], name: string): Run {
  const at = columns.indexOf("t");
  if (at < 0) throw new Error(texts.noTime);
  const complete = columns.filter((name) => /^q\d+$/.test(name)).length === robot.joints.length;
  const column = (index: number): (number | null)[] => rows.map((row) => finite(row[index]));
  const group = (letter: string): Group => {
    const made = none();
    // With quaternions a record has all positions, not those of the drives alone.
    const joints = letter === "q" && complete ? robot.joints : plotted(robot);
    columns.forEach((name, index) => {
      const found = new RegExp(`^${letter}(\\d+)$`).exec(name);
      const k = found ? Number(found[1]) - 1 : name.startsWith(`${letter}.`) ? joints.findIndex((joint) => joint.name === name.slice(letter.length + 1)) : -1;
      if (k < 0) return;
      if (made.columns.includes(`${letter}${k + 1}`)) throw new Error(texts.columnTwice(name));
      made.columns.push(`${letter}${k + 1}`);
      made.names.push(joints[k]?.name ?? name);
      made.data.push(column(index));
    });
    return made;
  };
  const errors = group("error");
  // Of laws of the platform: its position and rotation.
  columns.forEach((name, index) => {
    if (!/^error_[pr][xyz]$/.test(name)) return;
    errors.columns.push(name);
    errors.names.push(name.slice(6));
    errors.data.push(column(index));
  });
  const energies = none();
  for (const [name, label] of [["kinetic", texts.kinetic], ["potential", texts.potential]] as const)
    if (columns.includes(name)) {
      energies.columns.push(name);
      energies.names.push(label);
      energies.data.push(column(columns.indexOf(name)));
    }
  if (energies.data.length === 2) {
    energies.columns.push("total");
    energies.names.push(texts.total);
    energies.data.push(energies.data[0]!.map((k, i) => (k === null || energies.data[1]![i] === null ? null : k + energies.data[1]![i]!)));
  }
  const run: Run = {
    name,
    t: rows.map((row) => row[at]!),
    groups: { positions: group("q"), speeds: group("v"), torques: group("tau"), energies, errors },
    place: "drives",
    places: [],
  };
  if (run.t.length === 0) throw new Error(texts.noRows);
  if (run.t.some((t, i) => !Number.isFinite(t) || (i > 0 && t < run.t[i - 1]!))) throw new Error(texts.timeOrder);
  if (run.groups.positions.data.length + run.groups.torques.data.length === 0) throw new Error(texts.noColumns);
  const pose = POSE.map((name) => columns.indexOf(name));
  const all = (names: readonly unknown[]) => names.map((_, k) => run.groups.positions.columns.indexOf(`q${k + 1}`));
  const placed = [robot.kind === "tree" ? robot.joints : [], robot.drives].map(all).find((found) => found.length > 0 && found.every((index) => index >= 0));
  if (robot.has_platform && pose.slice(0, 3).every((index) => index >= 0)) {
    run.place = "pose";
    const known = pose.every((index) => index >= 0) ? pose : pose.slice(0, 3);
    run.places = rows.map((row) => known.map((index) => row[index]!));
  } else if (placed !== undefined) {
    run.place = robot.kind === "tree" && placed.length === robot.joints.length ? "q" : "drives";
    run.places = rows.map((_, i) => placed.map((index) => run.groups.positions.data[index]![i] ?? NaN));
  }
  return run;
}

const finite = (value: number | undefined): number | null => (value !== undefined && Number.isFinite(value) ? value : null);

/** A table in CSV: comma, semicolon or tab; a header; `#` begins a remark. */
export function readCsv(text: string): { columns: string[]; rows: number[][]; bad: { count: number; first: string; line: number } } {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((content, k) => ({ content, line: k + 1 }))
    .filter(({ content }) => content.trim() !== "" && !content.startsWith("#"));
  const head = lines[0]?.content;
  if (head === undefined) throw new Error(texts.noRows);
  const separator = head.includes(";") ? ";" : head.includes("\t") ? "\t" : ",";
  const columns = head.split(separator).map((name) => name.trim().replace(/^"|"$/g, ""));
  const twice = columns.find((name, k) => name !== "" && columns.indexOf(name) < k);
  if (twice !== undefined) throw new Error(texts.columnTwice(twice));
  if (lines.length > TABLE_AT_MOST) throw new Error(texts.longTable(TABLE_AT_MOST));
  const bad = { count: 0, first: "", line: 0 };
  const rows = lines.slice(1).map(({ content, line }) => {
    const cells = content.split(separator);
    if (cells.length !== columns.length) throw new Error(texts.raggedRow(line, cells.length, columns.length));
    return cells.map((cell) => {
      if (cell.trim() === "") return NaN; // a gap that is meant
      const value = Number(cell);
      if (!Number.isFinite(value) && bad.count++ === 0) Object.assign(bad, { first: cell.trim().slice(0, 40), line });
      return value;
    });
  });
  return { columns, rows, bad };
}

/** Whether a text is the record of a motion rather than another table: its header has a time, and positions or torques. */
export function isRecord(name: string, text: string): boolean {
  if (!/\.(csv|tsv|txt)$/i.test(name)) return false;
  const head = text.replace(/^\uFEFF/, "").split(/\r?\n/).find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
  const columns = head.split(/[,;\t]/).map((column) => column.trim().replace(/^"|"$/g, ""));
  return columns.includes("t") && columns.some((column) => /^(q|tau)(\d+$|\.)/.test(column));
}

/** Some groups of a run as CSV, all digits. */
export function csv(run: Run, groups: readonly GroupKey[] = GROUPS): string {
  const picked = groups.flatMap((key) => run.groups[key].columns.map((name, k) => [name, run.groups[key].data[k]!] as const));
  const lines = [["t", ...picked.map(([name]) => name)].join(",")];
  run.t.forEach((t, i) => lines.push([t, ...picked.map(([, data]) => data[i] ?? "")].join(",")));
  return lines.join("\n") + "\n";
}

/** Whether two runs begin at the same positions, as far as both tell them. */
export function sameStart(one: Run, other: Run): boolean {
  const [mine, theirs] = [one.groups.positions, other.groups.positions];
  return mine.columns.every((column, k) => {
    const a = mine.data[k]![0];
    const b = theirs.data[theirs.columns.indexOf(column)]?.[0];
    return a == null || b == null || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
  });
}

export interface Difference {
  column: string;
  name: string;
  rms: number;
  largest: number;
}

/** Root mean square of the difference of two runs in one group, per column that both have; over the time they share. */
export function difference(one: Run, other: Run, key: GroupKey): Difference[] {
  const end = Math.min(one.t.at(-1) ?? 0, other.t.at(-1) ?? 0);
  const answer: Difference[] = [];
  one.groups[key].columns.forEach((column, k) => {
    const twin = other.groups[key].columns.indexOf(column);
    if (twin < 0) return;
    let sum = 0;
    let count = 0;
    let largest = 0;
    for (let i = 0; i < one.t.length && one.t[i]! <= end; i++) {
      const mine = one.groups[key].data[k]![i];
      const theirs = interpolated(other.t, other.groups[key].data[twin]!, one.t[i]!);
      if (mine == null || theirs === null) continue;
      sum += (mine - theirs) ** 2;
      largest = Math.max(largest, Math.abs(mine - theirs));
      count++;
    }
    if (count > 0) answer.push({ column, name: one.groups[key].names[k]!, rms: Math.sqrt(sum / count), largest });
  });
  return answer;
}

function interpolated(t: number[], data: (number | null)[], at: number): number | null {
  if (t.length === 0 || at < t[0]! || at > t.at(-1)!) return null;
  let low = 0;
  let high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle]! <= at) low = middle;
    else high = middle;
  }
  const a = data[low] ?? null;
  const b = data[high] ?? null;
  if (a === null || b === null || t[high] === t[low]) return a;
  return a + ((b - a) * (at - t[low]!)) / (t[high]! - t[low]!);
}
