/** Paper 003, Briot & Khalil: the Gough-Stewart platform meets its Type 2. */
import type { Lab } from "../../app/lab";
import type { Bench, Uncontrolled } from "../../contract";
import { degrees } from "../../app/dom";
import { texts } from "../../app/texts";
import { largest, smooth, type Stage, type Tour, type Value } from "../stage";
import { pose } from "../turns";

const ROBOT = "gough-stewart";
const THERE = Math.PI / 2; // the yaw of the singularity, the platform level at its home height
const yawed = (yaw: number) => pose([0, 0, 0.75], [[0, 0, 1], yaw]);

const near = (lab: Lab): Value[] => {
  const live = lab.state().live!;
  return [
    { key: "yaw", value: degrees(2 * Math.atan2(live.pose[5]!, live.pose[6]!)), unit: "°" },
    { key: "type2", value: live.singularity?.type2 ?? null },
    { key: "force", value: largest(live.tau) ?? texts.learn.noForce, unit: "N" },
  ];
};

const least = (bench: Bench): { index: number; motion: Uncontrolled } | null => {
  const found = JSON.parse(bench.uncontrolled()) as Uncontrolled[];
  const index = found.reduce((best, motion, k) => (best < 0 || motion.controlled < found[best]!.controlled ? k : best), -1);
  return index < 0 ? null : { index, motion: found[index]! };
};

async function there(stage: Stage): Promise<void> {
  const { lab } = stage;
  await stage.robot(ROBOT);
  lab.setPose(yawed(1.2)); // not in one leap: legs keep their branches
  lab.setPose(yawed(THERE));
}

export const goughStewart: Tour = {
  id: "gough-stewart",
  steps: [
    {
      key: "robot",
      source: ["legs and platform"],
      panel: "robot",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "legs", value: lab.robot().legs.length },
        { key: "freedoms", value: lab.robot().freedoms.length },
        { key: "mass", value: lab.robot().mass, unit: "kg" },
      ],
    },
    {
      key: "rows",
      equations: ["\\dot q_i = a_i · v + (r_i × a_i) · ω", "\\dot q = J_{\\text{inv}} V"],
      source: ["inverse Jacobian", "distances"],
      panel: "singularities",
      mark: "#gauge-type2",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [{ key: "type2", value: lab.state().live!.singularity?.type2 ?? null }],
    },
    {
      key: "forces",
      equations: ["τ = J_{\\text{inv}}^{−T} ( w_P + ∑_i K_i^T τ_i )"],
      source: ["legs and platform"],
      panel: "forces",
      mark: "#torques",
      enter: (stage) => stage.robot(ROBOT),
      values: (lab) => [
        { key: "force", value: largest(lab.state().live!.tau), unit: "N" },
        { key: "weight", value: lab.robot().mass * Math.hypot(...lab.robot().gravity), unit: "N" },
      ],
    },
    {
      key: "turn",
      equations: ["\\fn{det} J_{\\text{inv}} → 0"],
      source: ["distances"],
      panel: "singularities",
      mark: "#gauge-type2",
      async enter(stage) {
        await stage.robot(ROBOT);
        await stage.animate(4, (part) => stage.lab.setPose(yawed((smooth(part) * 80 * Math.PI) / 180)));
      },
      values: near,
    },
    {
      key: "there",
      equations: ["J_{\\text{inv}} t_s = 0"],
      source: ["uncontrolled"],
      panel: "singularities",
      mark: "#uncontrolled",
      async enter(stage) {
        await there(stage);
        const { lab } = stage;
        const found = least(lab.bench());
        if (!found) return;
        stage.show({ key: "controlled", value: found.motion.controlled }, { key: "uncontrolled", value: found.motion.words });
        lab.store.set({ swing: found.index });
        stage.onLeave(() => lab.store.set({ swing: null }));
      },
      values: near,
    },
    {
      key: "growth",
      equations: ["\\fn{max} |τ| ≈ \\frac{c}{|ψ − π/2|}"],
      source: ["growth"],
      async enter(stage) {
        await stage.robot(ROBOT);
        stage.lab.setPose(yawed(1.2));
        const ways = [1e-2, 1e-3, 1e-4];
        const forces = stage.aside(ROBOT, (bench) => {
          bench.set_pose(Float64Array.from(yawed(1.2)));
          return ways.map((way) => {
            bench.set_pose(Float64Array.from(yawed(THERE - way)));
            return largest([...bench.ask("inverse-dynamics")])!;
          });
        });
        ways.forEach((way, k) => stage.show({ key: `force at ${way}`, value: forces[k]!, unit: "N" }, { key: `product at ${way}`, value: forces[k]! * way, unit: "N rad" }));
      },
    },
    {
      key: "criterion",
      equations: ["t_s^T ( M_r \\dot V + c_r ) = 0"],
      source: ["criterion"],
      async enter(stage) {
        await there(stage);
        const bench = stage.lab.bench();
        const twist = least(bench)?.motion.twist;
        if (!twist) return;
        const held = bench.ask("gravity");
        stage.show({ key: "work", value: twist.reduce((sum, t, k) => sum + t * held[k]!, 0) });
      },
    },
    { key: "yours", source: ["map"], panel: "map", mark: "#map-start", enter: (stage) => stage.robot(ROBOT), values: near },
  ],
};
