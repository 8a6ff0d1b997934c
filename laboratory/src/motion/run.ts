/**
 * A run: rows over time that are plotted and played, whoever made them: a Motion, a trajectory, a scenario, or a
 * measurement. Columns are named as in the records of `appell simulate`.
 */
import type { RobotInfo, Trajectory, TrialRun } from "../contract";
import { texts as all } from "../app/texts";

const texts = all.motion;

export type GroupKey = "positions" | "torques" | "energies" | "errors";
export const GROUPS: readonly GroupKey[] = ["positions", "torques", "energies", "errors"];

/** Columns that share a plot. */
export interface Group {
  /** Of the columns in CSV: q1 …, tau1 …, kinetic …, error1 …. */
  columns: string[];
  /** For people: the joints' names. */
  names: string[];
  /** One array per column, as long as `t`. */
  data: (number | null)[][];
}

/** How a row of `places` puts the robot: all joints, the drives, or the pose of the platform. */
export type Place = "q" | "drives" | "pose";

export interface Run {
  name: string;
  t: number[];
  groups: Record<GroupKey, Group>;
  place: Place;
  /** One per row; empty if the run says nothing about positions. */
  places: number[][];
}

const none = (): Group => ({ columns: [], names: [], data: [] });
const numbered = (letter: string, names: string[]): Group => ({
  columns: names.map((_, i) => `${letter}${i + 1}`),
  names: [...names],
  data: names.map(() => []),
});

/** An empty run of a robot, to be filled by `push`. */
export function recordOf(robot: RobotInfo, name: string, errors: boolean): Run {
  const drives = robot.drives.map((drive) => drive.name);
  return {
    name,
    t: [],
    groups: {
      positions: numbered("q", drives),
      torques: numbered("tau", drives),
      energies: { columns: ["kinetic", "potential", "total"], names: [texts.kinetic, texts.potential, texts.total], data: [[], [], []] },
      errors: errors ? numbered("error", drives) : none(),
    },
    place: "q",
    places: [],
  };
}

/** Adds a row; groups that are not given stay without it, which draws a gap. */
export function push(run: Run, t: number, place: number[], rows: Partial<Record<GroupKey, readonly number[] | null>>): void {
  run.t.push(t);
  run.places.push(place);
  for (const key of GROUPS) run.groups[key].data.forEach((column, k) => column.push(rows[key]?.[k] ?? null));
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
  const run = recordOf(robot, name, false);
  trajectory.t.forEach((t, i) => {
    const q = trajectory.q[i] ?? [];
    push(run, t, q, { positions: robot.drives.map((drive) => q[drive.joint] ?? NaN), torques: trajectory.tau[i] ?? null });
  });
  return run;
}

const POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"];

/** The record of a scenario, or a measured table: columns t, q1 …, tau1 …, error1 …; q.NAME goes by the joint's name. */
export function ofTable(robot: RobotInfo, columns: string[], rows: readonly (readonly number[])[], name: string): Run {
  const at = columns.indexOf("t");
  if (at < 0) throw new Error(texts.noTime);
  const tree = robot.kind === "tree";
  const group = (letter: string): Group => {
    const made = none();
    columns.forEach((column) => {
      const found = new RegExp(`^${letter}(\\d+)$`).exec(column);
      const index = found ? Number(found[1]) - 1 : column.startsWith(`${letter}.`) ? robot.drives.findIndex((d) => d.name === column.slice(letter.length + 1)) : -1;
      if (index < 0) return;
      made.columns.push(`${letter}${index + 1}`);
      made.names.push(robot.drives[index]?.name ?? column);
      made.data.push(rows.map((row) => finite(row[columns.indexOf(column)])));
    });
    return made;
  };
  const energies = none();
  for (const [column, label] of [["kinetic", texts.kinetic], ["potential", texts.potential]] as const)
    if (columns.includes(column)) {
      energies.columns.push(column);
      energies.names.push(label);
      energies.data.push(rows.map((row) => finite(row[columns.indexOf(column)])));
    }
  if (energies.data.length === 2) {
    energies.columns.push("total");
    energies.names.push(texts.total);
    energies.data.push(energies.data[0]!.map((k, i) => (k === null || energies.data[1]![i] === null ? null : k + energies.data[1]![i]!)));
  }
  const run: Run = {
    name,
    t: rows.map((row) => row[at]!),
    groups: { positions: group("q"), torques: group("tau"), energies, errors: group("error") },
    place: "drives",
    places: [],
  };
  if (run.t.length === 0) throw new Error(texts.noRows);
  if (run.t.some((t, i) => !Number.isFinite(t) || (i > 0 && t < run.t[i - 1]!))) throw new Error(texts.timeOrder);
  if (run.groups.positions.data.length + run.groups.torques.data.length === 0) throw new Error(texts.noColumns);
  const pose = POSE.map((column) => columns.indexOf(column));
  const complete = robot.drives.map((_, k) => run.groups.positions.columns.indexOf(`q${k + 1}`));
  if (robot.has_platform && pose.every((index) => index >= 0)) {
    run.place = "pose";
    run.places = rows.map((row) => pose.map((index) => row[index]!));
  } else if (complete.length > 0 && complete.every((index) => index >= 0)) {
    run.place = tree && robot.drives.length === robot.joints.length ? "q" : "drives";
    run.places = rows.map((_, i) => complete.map((index) => run.groups.positions.data[index]![i] ?? NaN));
  }
  return run;
}

export const ofTrial = (robot: RobotInfo, trial: TrialRun, name: string): Run => ofTable(robot, trial.columns, trial.rows, name);

const finite = (value: number | undefined): number | null => (value !== undefined && Number.isFinite(value) ? value : null);

/** A table in CSV: comma, semicolon or tab; a header; `#` begins a remark. */
export function readCsv(text: string): { columns: string[]; rows: number[][] } {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const head = lines[0];
  if (head === undefined) throw new Error(texts.noRows);
  const separator = head.includes(";") ? ";" : head.includes("\t") ? "\t" : ",";
  const columns = head.replace(/^\uFEFF/, "").split(separator).map((name) => name.trim().replace(/^"|"$/g, ""));
  if (lines.length > 500_000) throw new Error(texts.tooLong);
  const rows = lines.slice(1).map((line, i) => {
    const cells = line.split(separator);
    if (cells.length !== columns.length) throw new Error(texts.raggedRow(i + 2, cells.length, columns.length));
    return cells.map((cell) => (cell.trim() === "" ? NaN : Number(cell)));
  });
  return { columns, rows };
}

/** Some groups of a run as CSV, all digits. */
export function csv(run: Run, groups: readonly GroupKey[]): string {
  const picked = groups.flatMap((key) => run.groups[key].columns.map((name, k) => [name, run.groups[key].data[k]!] as const));
  const lines = [["t", ...picked.map(([name]) => name)].join(",")];
  run.t.forEach((t, i) => lines.push([t, ...picked.map(([, data]) => data[i] ?? "")].join(",")));
  return lines.join("\n") + "\n";
}

/** Root mean square of the difference of two runs in one group, per column that both have; over the time they share. */
export function difference(one: Run, other: Run, key: GroupKey): { name: string; rms: number; largest: number }[] {
  const end = Math.min(one.t.at(-1) ?? 0, other.t.at(-1) ?? 0);
  const answer: { name: string; rms: number; largest: number }[] = [];
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
    if (count > 0) answer.push({ name: one.groups[key].names[k]!, rms: Math.sqrt(sum / count), largest });
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
