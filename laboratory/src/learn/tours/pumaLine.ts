/** Paper 002, Valera et al.: the PUMA on its line, under three laws of inverse dynamics. */
import type { Point, TrialRun } from "../../contract";
import { number, radians } from "../../app/dom";
import { largest, smooth, type Stage, type Tour } from "../stage";
import { pose } from "../turns";

const ROBOT = "puma560";
const FROM: Point = [0.6, 0.175, 0.25];
const TO: Point = [0.018, 0.757, 0];
const TIME = 8.6; // s
/** The joints at the start of the line: shoulder right, elbow up, wrist not flipped. */
const START = [30.146745, -63.168501, -11.261503, 17.447813, 132.234114, 109.482365].map(radians);
const ATTITUDE = [[[0, 0, 1], radians(45)], [[0, 1, 0], radians(60)], [[0, 0, 1], radians(90)]] as [Point, number][];
const BODIES = ["waist", "shoulder", "elbow", "wrist-roll", "wrist-pitch", "wrist-yaw"];
const HEAVIER = 1.05;
const WAY = "#d55e00"; // where the tool really went: seen on both themes
const LAWS = {
  point: 'law = "point-to-point"\nnatural_frequency = 10.0\ndamping = 1.0',
  tracking: 'law = "computed-torque"\nnatural_frequency = 10.0\ndamping = 1.0',
  integral: 'law = "computed-torque"\nnatural_frequency = 10.0\ndamping = 1.0\nintegral_root = 10.0',
};

async function begin(stage: Stage): Promise<void> {
  const { lab } = stage;
  await stage.robot(ROBOT);
  lab.setQ(START);
  lab.view.clearPath();
  lab.view.line("tour", [FROM, TO]);
  stage.onLeave(() => lab.view.line("tour", null));
}

/** A trial as `appell simulate` runs it, in a worker; then its record, played in half of its time. */
async function trial(stage: Stage, law: keyof typeof LAWS, heavier: boolean): Promise<void> {
  const { lab } = stage;
  await begin(stage);
  const scenario = [
    `robot = "${ROBOT}"`,
    `duration = ${TIME}`,
    `[start]\nq = [${START.join(", ")}]`,
    ...(heavier ? BODIES.map((body) => `[plant.body.${body}]\nscale = ${HEAVIER}`) : []),
    `[reference]\nkind = "line"\nto = [${TO.join(", ")}]\nlaw = "quintic"\ntime = ${TIME}`,
    `[controller]\n${LAWS[law]}`,
    "[run]\ntolerance = 1e-8\nrecord = 0.02\n",
  ].join("\n\n");
  const pending = lab.engine.call<string>({ robot: null, method: "play", args: [scenario, ROBOT, ""] });
  stage.onLeave(() => pending.cancel());
  const { columns, rows, stop } = JSON.parse(await pending.promise) as TrialRun;
  if (stage.left) return;
  if (stop !== null) throw new Error(stop);
  const of = (letter: string) => START.map((_, k) => columns.indexOf(`${letter}${k + 1}`));
  const errors = of("error");
  const places = of("q");
  const torques = of("tau");
  stage.show({ key: "error", value: 1000 * Math.max(...rows.map((row) => largest(errors.map((k) => row[k]!))!)), unit: "mrad" });
  stage.show({ key: "last error", value: 1000 * largest(errors.map((k) => rows.at(-1)![k]!))!, unit: "mrad" });
  stage.show({ key: "torque", value: Math.max(...rows.map((row) => largest(torques.map((k) => row[k]!))!)), unit: "N m" });
  const way = stage.aside(ROBOT, (bench) =>
    rows.map((row) => {
      bench.set_q(Float64Array.from(places, (k) => row[k]!));
      return [...bench.pose().subarray(0, 3)] as Point;
    }),
  );
  lab.view.line("tour-way", way, WAY);
  stage.onLeave(() => lab.view.line("tour-way", null));
  void stage.animate(TIME / 2, (part) => {
    const row = rows[Math.round(part * (rows.length - 1))]!;
    lab.setQ(places.map((k) => row[k]!));
  });
}

export const pumaLine: Tour = {
  id: "puma-line",
  steps: [
    {
      key: "robot",
      source: ["vectorial", "puma line"],
      panel: "robot",
      enter: begin,
      values: () => [{ key: "length", value: Math.hypot(...FROM.map((x, k) => TO[k]! - x)), unit: "m" }],
    },
    {
      key: "line",
      equations: ["p(t) = p_0 + s(t) (p_1 − p_0)"],
      source: ["puma line"],
      panel: "pose",
      async enter(stage) {
        await begin(stage);
        await stage.animate(4, (part) => {
          const at = FROM.map((x, k) => x + smooth(part) * (TO[k]! - x)) as Point;
          const why = stage.lab.setPose(pose(at, ...ATTITUDE));
          stage.show({ key: "position", value: at.map((x) => number(x, 3)).join(", ") + (why && ` (${why})`) });
        });
      },
    },
    {
      key: "inverse",
      equations: ["τ = M(q) u + C(q, \\dot q) \\dot q + G(q)", "⇒ \\ddot q = u"],
      source: ["tracking"],
      panel: "forces",
      mark: "#torques",
      enter: begin,
      values: (lab) => (lab.state().live!.tau ?? []).map((tau, k) => ({ key: `tau${k + 1}`, value: tau, unit: "N m" })),
    },
    { key: "point", equations: ["u = −K_d \\dot q − K_p (q − q_{\\text{end}})"], source: ["to point"], enter: (stage) => trial(stage, "point", false) },
    { key: "tracking", equations: ["u = \\ddot q_d − K_d \\dot e − K_p e", "e = q − q_d", "⇒ \\ddot e + K_d \\dot e + K_p e = 0"], source: ["tracking"], enter: (stage) => trial(stage, "tracking", false) },
    { key: "heavier", equations: ["\\ddot e + K_d \\dot e + K_p e = M^{−1} Δτ"], source: ["tracking"], enter: (stage) => trial(stage, "tracking", true) },
    { key: "integral", equations: ["u = \\ddot q_d − K_d \\dot e − K_p e − K_i ∫ e \\text{d} t"], source: ["gains"], enter: (stage) => trial(stage, "integral", true) },
  ],
};
