/** The panel of torques and forces, and of everything else that the mathematics says about the present state. */
import { h, number, write } from "../app/dom";
import { button } from "../app/fields";
import type { PanelContext } from "../app/panel";
import { texts } from "../app/texts";
import type { Live, RobotInfo } from "../contract";
import { limits } from "../hand/limits";
import { AnyQuestion } from "./question";
import { Assumed } from "./assumed";
import { HeatMap } from "./heatmap";
import { Table, numbers, paced, section, toggle } from "./parts";
import { Torques } from "./torques";

const PACE = 120; // ms between two texts
const REACTIONS_AT_MOST = 150;

export function forces(host: HTMLElement, { lab, visible, watch }: PanelContext): void {
  const torques = new Torques();
  const assumed = new Assumed(lab);
  const heat = new HeatMap();
  const question = new AnyQuestion(lab);
  const reactions = new Table("reactions", texts.numbers.reactionsHelp, texts.numbers.reactionHeads);
  const arrows = h("p", { id: "reaction-scale", class: "hint" });
  const facts = new Table("facts");
  const notes = h("ul", { id: "notes", class: "hint notes" });
  const toggles = {
    reactions: toggle(lab, "show-reactions", texts.numbers.showReactions, "reactions"),
    com: toggle(lab, "show-com", texts.numbers.showCom, "com"),
    velocities: toggle(lab, "show-velocities", texts.numbers.showVelocities, "velocities", "velocity"),
    forces: toggle(lab, "show-forces", texts.numbers.showForces, "forces", "force"),
  };

  const parts = {
    inertia: section("section-inertia", texts.numbers.inertia, true, heat.element),
    reactions: section("section-reactions", texts.numbers.reactions, false, toggles.reactions.element, arrows, h("div", { class: "scroll tall" }, reactions.element)),
    question: section("section-question", texts.numbers.question, false, question.element),
  };
  host.append(
    h("h2", {}, texts.numbers.torques),
    torques.element,
    h("div", { class: "buttons" }, button("force-limits", texts.hand.setLimits, () => limits(lab), texts.hand.limitsHelp)),
    section("section-assumed", texts.numbers.assumed, false, assumed.element),
    section("section-facts", texts.numbers.state, true, facts.element, h("p", { class: "hint" }, texts.numbers.scaledHelp), toggles.com.element, toggles.velocities.element, toggles.forces.element, notes),
    parts.inertia,
    parts.reactions,
    parts.question,
  );

  const slow = paced(PACE, () => {
    const { live, robot, owner } = lab.state();
    if (!visible() || !live || !robot) return;
    torques.texts(live);
    facts.show(rows(live, robot));
    if (notes.children.length !== live.notes.length || live.notes.some((note, k) => notes.children[k].textContent !== note))
      notes.replaceChildren(...live.notes.map((note) => h("li", {}, note)));
    parts.inertia.hidden = live.inertia === null;
    if (parts.inertia.open && live.inertia) heat.show(live.inertia, ...coordinatesOf(live.inertia, robot));
    const scale = lab.state().shown.reactions ? lab.view.reactionScale() : null;
    write(arrows, scale === null ? "" : texts.numbers.reactionScale(number(scale.force, 3), number(scale.moment, 3), number(scale.longest, 2)));
    if (parts.reactions.open) reactions.show(reactionRows(live));
    if (parts.question.open && owner === "hand") question.show();
  });
  for (const part of Object.values(parts)) part.addEventListener("toggle", slow);

  let built = -1;
  watch(["revision", "live", "shown", "theme", "motion"], ({ robot, live, shown, revision, motion }) => {
    if (!robot || !live) return;
    if (revision !== built) {
      built = revision;
      torques.reset(robot);
      assumed.reset(robot);
      question.reset(robot);
    }
    torques.bars(live);
    assumed.show(motion);
    for (const { show } of Object.values(toggles)) show(shown);
    queueMicrotask(slow); // the scene, whose scales are told, may have its turn later
  });
}

/** Joints with force and moment, each with its size. */
function reactionRows({ reactions }: Live): string[][] {
  const some = (reactions ?? []).slice(0, REACTIONS_AT_MOST);
  const [force, moment] = (["force", "moment"] as const).map((part) => some.reduce((most, row) => Math.max(most, Math.hypot(...row[part])), 0));
  return some.map((row) => [row.joint, ...numbers([Math.hypot(...row.force), ...row.force], 3, force), ...numbers([Math.hypot(...row.moment), ...row.moment], 3, moment)]);
}

/** Of the coordinates that the inertia matrix is in: their names, and which are lengths. */
function coordinatesOf(matrix: number[][], { joints, drives, freedoms, kind }: RobotInfo): [names: string[], lengths: boolean[]] {
  if (kind === "tree" && matrix.length === joints.length) return [joints.map(({ name }) => name), joints.map(({ type }) => type === "prismatic")];
  if (matrix.length === freedoms.length) return [freedoms, freedoms.map((name) => /^v[xyz]$/.test(name) || joints.some((joint) => joint.type === "prismatic" && (name === joint.name || name === `v.${joint.name}`)))];
  return [drives.map(({ name }) => name), drives.map(({ unit }) => unit === "N")];
}

function rows(live: Live, robot: RobotInfo): string[][] {
  const { fact } = texts.numbers;
  const { energy, com, singular_values: values, manipulability, inverse_condition: condition, length } = live;
  const [kinetic, potential] = energy ? numbers([energy.kinetic, energy.potential], 4, Math.max(Math.abs(energy.potential), robot.mass * robot.size)) : [];
  return [
    [fact.kinetic, kinetic === undefined ? "–" : `${kinetic} J`],
    [fact.potential, potential === undefined ? "–" : `${potential} J`],
    [fact.mass, `${number(robot.mass)} kg`],
    [fact.com, com ? numbers(com, 4, robot.size).join("  ") : "–"],
    [fact.length, length === null ? "–" : `${number(length)} m`],
    [fact.singularValues, values ? values.map((x) => number(x)).join("  ") : "–"],
    [fact.manipulability, number(manipulability)],
    [fact.condition, number(condition)],
  ];
}
