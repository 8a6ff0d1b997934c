/** The panel "pose": what the hand holds and how, where the output is, where the joints are. */
import { degrees, h, radians, write } from "../app/dom";
import { button, choice, row } from "../app/fields";
import type { Lab } from "../app/lab";
import type { Panel } from "../app/panel";
import { texts as all } from "../app/texts";
import type { Scene } from "../view/scene";
import { anglesOf, withAngles } from "./angles";
import { entry } from "./entry";
import type { Hand } from "./hand";
import { Joints } from "./joints";
import { limits } from "./limits";
import type { Free } from "./pull";
import { lengthStep, outputValue } from "./words";

const texts = all.hand;

export const posePanel = (lab: Lab, scene: Scene, hand: Hand): Panel => ({
  id: "pose",
  title: texts.pose,
  order: 20,
  icon: "M12 3v18M3 12h18M12 3l-2.5 2.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5",
  mount(host, context) {
    const output = h("div");
    const modes = segments(
      [
        ["translate", texts.move, "hand-translate"],
        ["rotate", texts.turn, "hand-rotate"],
      ],
      (value) => lab.store.set({ gizmo: value }),
      texts.mode,
    );
    const spaces = segments(
      [
        ["world", texts.ofBase, "hand-world"],
        ["local", texts.ofOutput, "hand-local"],
      ],
      (value) => {
        scene.gizmo.setSpace(value);
        spaces.mark(value);
      },
      texts.axes,
    );
    spaces.mark("world");
    const fields = poseFields(lab, hand);
    const joints = new Joints(lab, hand);
    const why = h("p", { class: "hand-why bad", id: "hand-why", role: "status" });
    const resting = h("p", { class: "hint", id: "hand-resting" }, texts.notYours);
    const path = h("input", { type: "checkbox", id: "hand-path", onchange: () => lab.store.set({ shown: { ...lab.state().shown, path: path.checked } }) });
    host.append(
      resting,
      h("div", { class: "buttons" }, modes.element, button("hand-home", texts.home, () => hand.home(), texts.homeHelp), spaces.element),
      output,
      h("h3", {}, texts.poseOf),
      fields.element,
      why,
      h("h3", {}, texts.joints),
      joints.element,
      h("div", { class: "buttons" }, button("hand-limits", texts.setLimits, () => limits(lab), texts.limitsHelp)),
      h("h3", {}, texts.path),
      h("div", { class: "buttons" }, h("label", { class: "check" }, path, texts.showPath), button("hand-clear-path", texts.clearPath, () => scene.clearPath())),
      h("p", { class: "hint" }, texts.howTo),
    );

    let revision = -1;
    let frame = "";
    context.watch(["revision", "robot"], ({ robot, revision: present, live }) => {
      if (!robot || !live) return;
      if (present !== revision) joints.build(robot, live.q);
      if (present !== revision || frame !== robot.output) {
        const frames = robot.frames.includes(robot.output) ? robot.frames : [robot.output, ...robot.frames];
        output.replaceChildren(row(texts.output, choice("hand-output", frames.map((name) => [name, name]), robot.output, (name) => lab.setOutput(name))));
        fields.free(hand.free());
      }
      revision = present;
      frame = robot.output;
    });
    context.watch(["live", "joint"], () => joints.update());
    context.watch(["live", "sketch"], () => fields.show());
    context.watch(["gizmo"], ({ gizmo }) => modes.mark(gizmo));
    context.watch(["shown"], ({ shown }) => (path.checked = shown.path));
    context.watch(["resistance"], ({ resistance }) => write(why, resistance));
    context.watch(["owner"], ({ owner }) => {
      resting.hidden = owner === "hand";
      host.classList.toggle("resting", owner !== "hand");
    });
  },
});

/** x y z in m, roll pitch yaw in degrees, the quaternion to read. */
function poseFields(lab: Lab, hand: Hand) {
  const names = ["x", "y", "z", "roll", "pitch", "yaw"] as const;
  const set = (k: number, value: number) => {
    // The other numbers are the robot's, not the rounded ones of the fields.
    const pose = [...lab.bench().pose()];
    if (k < 3) pose[k] = value;
    const angles = anglesOf(pose);
    if (k >= 3) angles[k - 3] = radians(value);
    hand.step(() => lab.setPose(k < 3 ? pose : withAngles(pose, angles)), () => outputValue(lab));
  };
  const entries = names.map((name, k) =>
    entry(`pose-${name}`, `${texts.coordinates[name]}, ${k < 3 ? texts.metres : texts.degrees}`, k < 3 ? 5 : 3, () => (k < 3 ? lengthStep(lab.robot().size) : 1), (value) => set(k, value)),
  );
  const quaternion = h("output", { class: "mono", id: "pose-quaternion" });
  const cell = (k: number) => h("label", { class: "hand-cell" }, h("span", {}, `${texts.coordinates[names[k]]}, ${k < 3 ? "m" : "°"}`), entries[k].element);
  const element = h("div", { class: "hand-pose" }, ...names.map((_, k) => cell(k)), h("div", { class: "hand-quaternion" }, h("span", { class: "muted" }, texts.quaternion), quaternion));
  return {
    element,
    show() {
      const { owner, live } = lab.state();
      const pose = owner === "hand" ? lab.bench().pose() : live?.pose;
      if (!pose || pose.length < 7) return;
      const angles = anglesOf(pose);
      for (let k = 0; k < 3; k++) {
        entries[k].show(pose[k]);
        entries[k + 3].show(degrees(angles[k]));
      }
      write(quaternion, [3, 4, 5, 6].map((k) => (pose[k] < 0 ? "−" : "") + Math.abs(pose[k]).toFixed(6)).join("  "));
    },
    /** What the robot cannot choose is shown, not asked for. */
    free({ move, turn }: Free) {
      (["x", "y", "z"] as const).forEach((axis, k) => {
        entries[k].element.readOnly = !move.includes(axis);
        entries[k + 3].element.readOnly = !turn.includes(axis);
        for (const j of [k, k + 3]) entries[j].element.title = entries[j].element.readOnly ? texts.notFree : "";
      });
    },
  };
}

/** Buttons of which one is pressed. */
function segments<T extends string>(options: readonly (readonly [T, string, string])[], run: (value: T) => void, label: string) {
  const made = options.map(([value, text, id]) => ({ value, element: button(id, text, () => run(value)) }));
  const element = h("div", { class: "segments", role: "group", "aria-label": label }, ...made.map((one) => one.element));
  return {
    element,
    mark(value: T) {
      for (const one of made) one.element.setAttribute("aria-pressed", String(one.value === value));
    },
  };
}
