/** Paper 001, Mata et al.: the PUMA's inverse dynamics by the Gibbs-Appell equations, and what it costs. */
import type { Lab } from "../../app/lab";
import type { Bench } from "../../contract";
import { type Stage, type Tour, type Value } from "../stage";

const ROBOT = "puma560";
// A state without special angles.
const Q = [0.3, -0.9, 0.6, 0.4, 0.8, -0.2];
const V = [0.2, -0.1, 0.3, 0.5, -0.4, 0.6];
const A = [-0.7, 0.4, 0.9, -0.3, 0.6, 0.2];

async function moving(stage: Stage): Promise<void> {
  await stage.robot(ROBOT);
  stage.lab.setQ(Q);
  stage.lab.setMotion(V, A);
  stage.onLeave(() => stage.rest());
}
const torques = (lab: Lab): Value[] => (lab.state().live!.tau ?? []).map((tau, k) => ({ key: `tau${k + 1}`, value: tau, unit: "N m" }));

/** Gibbs' function where one acceleration is another. */
function gibbs(bench: Bench, joint: number, by: number): number {
  const a = Float64Array.from(A);
  a[joint]! += by;
  bench.set_motion(Float64Array.from(V), a);
  return bench.ask("gibbs-function")[0]!;
}

/** The first lines of generated code say how many operations it and the algorithm for any arm take. */
async function operations(stage: Stage): Promise<{ general: [number, number]; generated: [number, number] }> {
  const pending = stage.lab.engine.call<string>({ robot: { source: { kind: "builtin", name: ROBOT }, q: null }, method: "generate", args: ["inverse-dynamics", "c"] });
  stage.onLeave(() => pending.cancel());
  const text = await pending.promise;
  const read = (before: string): [number, number] => {
    const found = new RegExp(`${before} (\\d+) \\* and (\\d+) \\+`).exec(text);
    return [Number(found?.[1] ?? NaN), Number(found?.[2] ?? NaN)];
  };
  return { general: read("general algorithm"), generated: read("Operations:") };
}

export const pumaCounts: Tour = {
  id: "puma-counts",
  steps: [
    {
      key: "robot",
      source: ["tensor"],
      panel: "robot",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "joints", value: lab.robot().joints.length },
        { key: "mass", value: lab.robot().mass, unit: "kg" },
      ],
    },
    {
      key: "gibbs",
      equations: ["G = ∑_i \\frac{1}{2} m_i \\ddot r_i^2 + g_i", "g_i = \\frac{1}{2} \\dot ω_i · I_i \\dot ω_i + \\dot ω_i · (ω_i × I_i ω_i)", "τ_j = \\frac{∂G}{∂\\ddot q_j}"],
      source: ["gibbs"],
      async enter(stage) {
        await moving(stage);
        const [derivative, tau] = stage.aside(ROBOT, (bench) => {
          bench.set_q(Float64Array.from(Q));
          // G is quadratic in the accelerations: a central difference is its derivative.
          const difference = (gibbs(bench, 1, 1) - gibbs(bench, 1, -1)) / 2;
          bench.set_motion(Float64Array.from(V), Float64Array.from(A));
          return [difference, bench.ask("inverse-dynamics")[1]!];
        });
        stage.show({ key: "gradient", value: derivative!, unit: "N m" }, { key: "tau2", value: tau!, unit: "N m" });
      },
    },
    {
      key: "outward",
      equations: ["Ω_i = \\tilde{\\dot ω}_i + \\tilde ω_i \\tilde ω_i", "\\ddot r_i = \\ddot s_i + Ω_i r_i", "f_i = m_i \\ddot r_i"],
      source: ["outward"],
      panel: "forces",
      mark: "#torques",
      enter: moving,
      values: torques,
    },
    {
      key: "inward",
      equations: ["φ_j = R (f + φ)", "χ_j = r_j × f_j + s × φ_j + t_j + R χ", "τ_j = z · χ_j"],
      source: ["inward"],
      panel: "forces",
      mark: "#torques",
      enter: moving,
      values: torques,
    },
    {
      key: "counts",
      equations: ["N_× = 96 n − 101", "N_+ = 84 n − 100"],
      source: ["counts"],
      async enter(stage) {
        await moving(stage);
        const { general } = await operations(stage);
        if (!stage.left) stage.show({ key: "multiplications", value: general[0] }, { key: "additions", value: general[1] });
      },
    },
    {
      key: "code",
      source: ["code"],
      async enter(stage) {
        await moving(stage);
        const { generated } = await operations(stage);
        if (!stage.left) stage.show({ key: "multiplications", value: generated[0] }, { key: "additions", value: generated[1] });
      },
    },
    {
      key: "speed",
      source: ["tensor"],
      async enter(stage) {
        await moving(stage);
        stage.show({ key: "nanoseconds", value: stage.lab.engine.library.bench_inverse_dynamics(20_000), unit: "ns" });
      },
    },
  ],
};
