/** Paper 000, Abedloo et al.: the Agile Wrist, its eight working modes and its equations in closed form. */
import type { Assemblies } from "../../contract";
import { radians } from "../../app/dom";
import { type Stage, type Tour } from "../stage";
import { pose } from "../turns";

const ROBOT = "agile-wrist";
const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;

/** All working modes for the present pose, computed in a worker. */
async function modes(stage: Stage): Promise<Assemblies> {
  const pending = stage.lab.engine.ask<Assemblies>("modes");
  stage.onLeave(() => pending.cancel());
  return pending.promise;
}

/** The paper's motion (eq. 52) at t = 1 s: Euler angles 0, 30° and −20°, their rates and accelerations as it says. */
function atOneSecond(stage: Stage): void {
  const { lab } = stage;
  const pitch = radians(30);
  lab.setPose(pose([0, 0, 0], [[...Y], pitch], [[...X], radians(-20)]));
  const yawRate = -radians(10) * Math.PI;
  const pitchRate2 = (-radians(30) * Math.PI ** 2) / 4;
  const rollRate2 = (radians(20) * 9 * Math.PI ** 2) / 4;
  // ω̇ = q̈₂ e_y + q̈₃ R_y e_x; the products of rates vanish, as two of the three rates do.
  lab.setMotion([0, 0, 0, 0, 0, yawRate], [0, 0, 0, rollRate2 * Math.cos(pitch), pitchRate2, -rollRate2 * Math.sin(pitch)]);
}

export const agileWrist: Tour = {
  id: "agile-wrist",
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
      key: "closure",
      equations: ["v_i · w_i = \\fn{cos} α_2", "⇒ a \\fn{cos} θ_i + b \\fn{sin} θ_i = c"],
      source: ["leg closure"],
      panel: "pose",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => lab.robot().drives.map((drive, k) => ({ key: `theta${k + 1}`, value: lab.state().live!.q[drive.joint]!, unit: "rad" })),
    },
    {
      key: "eight",
      equations: ["θ_i = \\fn{atan2}(b, a) ± \\fn{atan2}(h, c)", "h = \\sqrt{a^2 + b^2 − c^2}", "2^3 = 8"],
      source: ["modes"],
      panel: "assemblies",
      mark: "#find-modes",
      async enter(stage) {
        const { lab } = stage;
        await stage.robot(ROBOT);
        const found = await modes(stage);
        if (stage.left) return;
        stage.show({ key: "modes", value: found.total }, { key: "how", value: found.count });
        stage.onLeave(() => lab.view.clearGhosts("tour"));
        found.assemblies.filter((mode) => !mode.present).forEach((mode, k) => lab.view.ghost(`tour${k}`, mode.sketch));
      },
    },
    {
      key: "visit",
      source: ["modes"],
      async enter(stage) {
        const { lab } = stage;
        await stage.robot(ROBOT);
        const { assemblies } = await modes(stage);
        if (stage.left) return;
        let shown = -1;
        stage.repeat((time) => {
          const wanted = Math.floor(time) % assemblies.length;
          if (wanted === shown) return;
          shown = wanted;
          const mode = assemblies[shown]!;
          lab.setQ(mode.q);
          stage.show({ key: "mode", value: mode.mode }, { key: "type2", value: mode.type2 });
        });
      },
    },
    {
      key: "rows",
      equations: ["\\dot θ_i = \\frac{(v_i × w_i)^T}{h_i} ω", "h_i = u_i · (v_i × w_i)"],
      source: ["spherical rows"],
      panel: "singularities",
      mark: "#section-legs",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => (lab.state().live!.singularity?.legs ?? []).map((leg, k) => ({ key: `leg${k + 1}`, value: leg.type1 })),
    },
    {
      key: "motion",
      equations: ["M(q) \\ddot q + C(q, \\dot q) \\dot q + G(q) = J^T τ"],
      source: ["spherical equations", "wrist motion"],
      panel: "forces",
      mark: "#torques",
      async enter(stage) {
        await stage.robot(ROBOT);
        atOneSecond(stage);
        stage.onLeave(() => stage.rest());
      },
      values: (lab) => (lab.state().live!.tau ?? []).map((tau, k) => ({ key: `tau${k + 1}`, value: tau, unit: "N m" })),
    },
    {
      key: "yours",
      source: ["spherical equations"],
      panel: "pose",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "type1", value: lab.state().live!.singularity?.type1 ?? null },
        { key: "type2", value: lab.state().live!.singularity?.type2 ?? null },
      ],
    },
  ],
};
