/** Paper 004, Enferadi & Akbarzadeh: the spherical star-triangle robot by virtual work. */
import type { Lab } from "../../app/lab";
import type { Point } from "../../contract";
import { degrees } from "../../app/dom";
import { largest, type Stage, type Tour, type Value } from "../stage";
import { pose } from "../turns";

const ROBOT = "sst";
const MIDDLE: Point = [1, 1, 1]; // of the triangle; the star's axis points there
const FREQUENCY = 12; // rad/s
const SLOWER = 10; // as many times the motion is shown

/** The star over the middle of the triangle, turned about its axis. */
const swung = (angle: number) => pose([0, 0, 0], [[0, 0, 1], Math.PI / 4], [[0, 1, 0], Math.acos(Math.sqrt(1 / 3))], [[0, 0, 1], angle]);

/** The paper's first motion, ψ = sin(12 t) / 12, with its rates. */
function swing(stage: Stage, t: number): void {
  const axis = MIDDLE.map((x) => x / Math.sqrt(3));
  const along = (rate: number) => [0, 0, 0, ...axis.map((x) => rate * x)];
  stage.lab.setPose(swung(Math.sin(FREQUENCY * t) / FREQUENCY));
  stage.lab.setMotion(along(Math.cos(FREQUENCY * t)), along(-FREQUENCY * Math.sin(FREQUENCY * t)));
}

const torques = (lab: Lab): Value[] => (lab.state().live!.tau ?? []).map((tau, k) => ({ key: `tau${k + 1}`, value: tau, unit: "N m" }));

export const starTriangle: Tour = {
  id: "star-triangle",
  steps: [
    {
      key: "robot",
      source: ["meeting"],
      panel: "robot",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "legs", value: lab.robot().legs.length },
        { key: "freedoms", value: lab.robot().freedoms.length },
      ],
    },
    {
      key: "angles",
      equations: ["γ_k = \\fn{atan2}( −v_k · t_k , (w_k × v_k) · t_k )"],
      source: ["star legs"],
      panel: "pose",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => lab.robot().drives.map((drive, k) => ({ key: `gamma${k + 1}`, value: degrees(lab.state().live!.q[drive.joint]!), unit: "°" })),
    },
    {
      key: "rates",
      equations: ["\\dot γ_k = \\frac{(r_k × t_k)^T}{c_k} ω", "c_k = (r_k × t_k) · w_k"],
      source: ["spherical rows"],
      panel: "singularities",
      mark: "#section-legs",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => (lab.state().live!.singularity?.legs ?? []).map((leg, k) => ({ key: `leg${k + 1}`, value: leg.type1 })),
    },
    {
      key: "work",
      equations: ["τ = −J_γ^{−T} ( n_P + ∑_k J_{a,k}^T n_{a,k} + J_{l,k}^T n_{l,k} )"],
      source: ["virtual work"],
      panel: "forces",
      mark: "#torques",
      async enter(stage) {
        await stage.robot(ROBOT);
        swing(stage, Math.PI / 2 / FREQUENCY);
        stage.onLeave(() => stage.rest());
      },
      values: (lab) => [...torques(lab), { key: "dynamic", value: largest(lab.state().live!.dynamic), unit: "N m" }],
    },
    {
      key: "swing",
      equations: ["ψ(t) = \\frac{1}{12} \\fn{sin} 12 t", "⇒ τ_1 = τ_2 = τ_3"],
      source: ["swing"],
      panel: "forces",
      mark: "#torques",
      async enter(stage) {
        await stage.robot(ROBOT);
        stage.onLeave(() => stage.rest());
        stage.repeat((time) => swing(stage, time / SLOWER));
      },
      values(lab) {
        const tau = lab.state().live!.tau ?? [];
        return [...torques(lab), { key: "spread", value: Math.max(...tau) - Math.min(...tau), unit: "N m" }];
      },
    },
    {
      key: "yours",
      source: ["virtual work"],
      panel: "pose",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "type1", value: lab.state().live!.singularity?.type1 ?? null },
        { key: "type2", value: lab.state().live!.singularity?.type2 ?? null },
      ],
    },
  ],
};
