// Numbers of the command line that the page is held against: node make.mjs [path of appell] writes numbers.json.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const appell = process.argv[2] ?? "appell";
const run = (args, input) => execFileSync(appell, args, { input, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] });
const POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"];
const TWIST = ["vx", "vy", "vz", "wx", "wy", "wz"];
const RATE = ["ax", "ay", "az", "ex", "ey", "ez"];
const numbered = (letter, count) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);

const compute = (question, robot, header, row) => {
  const table = `${header.join(",")}\n${row.join(",")}\n`;
  const text = run(["compute", question, robot, "--states", "-"], table).trim().split("\n");
  return { columns: text[0].split(","), values: text[1].split(",").map(Number) };
};

const TREE = ["inverse-dynamics", "inertia-matrix", "bias", "gravity", "coriolis-vector", "energy", "centre-of-mass", "frames", "jacobian", "singularity", "reactions"];
const CLOSED = ["inverse-dynamics", "inertia-matrix", "bias", "gravity", "energy", "centre-of-mass", "actuated", "joints", "inverse-jacobian", "singularity", "reactions"];

const golden = {};
for (const robot of JSON.parse(run(["robots", "--json"])).map((r) => r.name)) {
  const shown = JSON.parse(run(["show", robot, "--json"]));
  const tree = shown.kind === undefined || shown.kind === "tree" || shown.kind === "serial";
  const entry = { kind: tree ? "tree" : "closed", mass: shown.mass, answers: {} };
  const ask = (questions, header, row) => {
    for (const question of questions) {
      try {
        entry.answers[question] = compute(question, robot, header, row);
      } catch {
        // A question that this robot does not answer.
      }
    }
  };
  if (tree) {
    const n = shown.joints.length;
    entry.q = Array.from({ length: n }, (_, i) => [0.3, -0.9, 0.6, 0.4, 0.8, -0.2, 0.5][i % 7]);
    entry.v = Array.from({ length: n }, (_, i) => [0.2, -0.1, 0.3, 0.5, -0.4, 0.6, 0.1][i % 7]);
    entry.a = Array.from({ length: n }, (_, i) => [-0.7, 0.4, 0.9, -0.3, 0.6, 0.2, -0.5][i % 7]);
    ask(TREE, [...numbered("q", n), ...numbered("v", n), ...numbered("a", n)], [...entry.q, ...entry.v, ...entry.a]);
  } else {
    // A little way from home, by the drives; from there on by the pose that the command line answers.
    const driven = shown.joints.map((joint, i) => ({ joint, i })).filter(({ joint }) => joint.driven);
    entry.drives = driven.map(({ joint, i }, k) => shown.at.q[i] + (joint.type === "prismatic" ? 0.01 : 0.04) * [1, -1, 0.5, -0.6, 0.8, -0.3][k % 6]);
    const n = entry.drives.length;
    const speeds = driven.map(({ joint }, k) => (joint.type === "prismatic" ? 0.1 : 0.3) * [0.4, -0.7, 0.9, 0.2, -0.5, 0.6][k % 6]);
    const header = [...numbered("q", n), ...numbered("v", n), ...numbered("a", n)];
    const row = [...entry.drives, ...speeds, ...speeds.map((v) => -2 * v)];
    if (shown.at.platform) {
      const platform = compute("platform", robot, header, row);
      const of = (names) => names.map((name) => platform.values[platform.columns.indexOf(name)]);
      entry.pose = of(POSE);
      entry.v = of(TWIST);
      entry.a = of(RATE);
      ask(CLOSED, [...POSE, ...TWIST, ...RATE], [...entry.pose, ...entry.v, ...entry.a]);
    } else {
      ask(CLOSED, numbered("q", n).concat(numbered("v", n), numbered("a", n)), [...entry.drives, ...speeds.map(() => 0), ...speeds.map(() => 0)]);
    }
  }
  golden[robot] = entry;
  console.log(robot, Object.keys(entry.answers).length, "questions");
}
writeFileSync(fileURLToPath(new URL("numbers.json", import.meta.url)), JSON.stringify(golden).replaceAll('},"', '},\n"') + "\n");
