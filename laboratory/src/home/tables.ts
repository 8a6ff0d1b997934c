/** Numbers as CSV: the present run, or everything that is shown live. */
import { cell } from "../app/csv";
import { choice, row } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { Live, RobotInfo } from "../contract";
import { fileName, now, sheet } from "./sheet";

const texts = all.home;
const POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"];
const TWIST = ["vx", "vy", "vz", "wx", "wy", "wz"];

export function tables(lab: Lab): void {
  const hasRun = (lab.motion?.run()?.t.length ?? 0) > 0;
  let kind = hasRun ? "run" : "live";
  const options = [["run", hasRun ? texts.csvRun : texts.csvNoRun] as const, ["live", texts.csvLive] as const];
  sheet(
    lab,
    texts.tables,
    (again) => {
      const chosen = choice("home-table", options, kind, (value) => {
        kind = value;
        again();
      });
      chosen.options[0]!.disabled = !hasRun;
      return [row(texts.table, chosen)];
    },
    () =>
      now(() => {
        const name = fileName(lab.robot().name);
        if (kind === "run") return { name: `${name}-run.csv`, text: lab.motion!.csv() };
        return { name: `${name}-state.csv`, text: liveCsv(lab.robot(), lab.live()), remark: texts.csvLiveHelp };
      }),
  );
}

/** Name and value, a row each, all digits: one state is easier to read down than across. */
export function liveCsv(robot: RobotInfo, live: Live): string {
  const rows: [string, number | null][] = [];
  const list = (letter: string, names: readonly string[], values: readonly number[] | null) => values?.forEach((value, k) => rows.push([names[k] === undefined ? `${letter}${k + 1}` : `${letter}${names[k]}`, value]));
  const drives = robot.drives.map((drive) => drive.name);
  list("q.", robot.joints.map((joint) => joint.name), live.q);
  list("v.", live.v.length === robot.joints.length ? robot.joints.map((joint) => joint.name) : robot.freedoms, live.v);
  list("", POSE, live.pose);
  list("", TWIST, live.twist);
  list("tau.", drives, live.tau);
  list("gravity.", drives, live.gravity);
  list("dynamic.", drives, live.dynamic);
  live.inertia?.forEach((line, i) => line.forEach((value, j) => rows.push([`M${i + 1}_${j + 1}`, value])));
  if (live.energy) rows.push(["kinetic", live.energy.kinetic], ["potential", live.energy.potential]);
  list("com.", ["x", "y", "z"], live.com);
  list("sigma", [], live.singular_values);
  rows.push(["manipulability", live.manipulability], ["inverse_condition", live.inverse_condition]);
  const { singularity } = live;
  if (singularity) rows.push(["type1", singularity.type1], ["type2", singularity.type2], ["constraints", singularity.constraints]);
  for (const { joint, force, moment } of live.reactions ?? []) {
    list(`${joint}.`, ["fx", "fy", "fz"], force);
    list(`${joint}.`, ["mx", "my", "mz"], moment);
  }
  return `name,value\n${rows.map(([name, value]) => `${cell(name)},${value ?? ""}`).join("\n")}\n`;
}
