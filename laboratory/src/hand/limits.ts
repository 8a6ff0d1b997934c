/** A dialog in which joints get limits: they go into the robot's text, so that everything follows them and they can be saved. */
import { degrees, h, radians } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { JointInfo, JointLimits } from "../contract";
import { turns, unitOf } from "./words";

const texts = all.hand;
const KEYS = ["lower", "upper", "velocity", "effort"] as const;
type LimitKey = (typeof KEYS)[number];

/** Joints of the drives first; parts of a quaternion have no limits. */
function limited({ joints }: { joints: JointInfo[] }): JointInfo[] {
  const own = joints.filter(({ type }) => type === "revolute" || type === "prismatic");
  return [...own.filter(({ driven }) => driven), ...own.filter(({ driven }) => !driven)].slice(0, 200);
}

/** Angles in degrees, torques and forces as they are. */
const shownAs = (joint: JointInfo, key: LimitKey, value: number): number => (turns(joint) && key !== "effort" ? Number(degrees(value).toPrecision(12)) : value);
const meant = (joint: JointInfo, key: LimitKey, value: number): number => (turns(joint) && key !== "effort" ? radians(value) : value);
const unit = (joint: JointInfo, key: LimitKey): string => ({ lower: unitOf(joint), upper: unitOf(joint), velocity: `${unitOf(joint)}/s`, effort: turns(joint) ? "N m" : "N" })[key];

export function limits(lab: Lab): void {
  const robot = lab.robot();
  const { body, close } = lab.dialog(texts.limits, true);
  const rows = limited(robot).map((joint) => {
    const fields = KEYS.map((key) => {
      const value = joint[key];
      const label = `${joint.name}, ${texts.limitHeads[key]}, ${unit(joint, key)}`;
      const input = h("input", { type: "number", step: "any", inputmode: "decimal", "aria-label": label, placeholder: texts.noLimit, "data-limit": `${joint.name} ${key}` });
      if (value !== null) input.value = String(shownAs(joint, key, value));
      return { key, input, before: input.value };
    });
    return { joint, fields };
  });
  const why = h("p", { class: "bad", role: "alert" });
  const apply = () => {
    const wrong = rows.flatMap(({ fields }) => fields).find(({ input }) => input.validity.badInput);
    if (wrong) return wrong.input.focus();
    const changed = rows.filter(({ fields }) => fields.some(({ input, before }) => input.value !== before));
    const given = changed.map(({ joint, fields }) => {
      const value = ({ key, input, before }: (typeof fields)[number]) => (input.value === "" ? null : input.value === before ? joint[key] : meant(joint, key, input.valueAsNumber));
      return { joint: joint.name, ...Object.fromEntries(fields.map((field) => [field.key, value(field)])) } as JointLimits;
    });
    if (given.length === 0) return close();
    void take(given);
  };
  const take = async (given: JointLimits[]) => {
    try {
      const text = lab.bench().limited(JSON.stringify(given));
      const file = robot.file.endsWith(".toml") ? robot.file : `${robot.name}.toml`;
      close();
      await lab.load({ kind: "file", file, text }, { stay: true, quietly: true });
    } catch (error) {
      why.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const head = h("tr", {}, ...["", ...KEYS.map((key) => texts.limitHeads[key])].map((text) => h("th", { scope: "col" }, text)));
  const line = ({ joint, fields }: (typeof rows)[number]) =>
    h("tr", {}, h("th", { scope: "row" }, joint.name), ...fields.map(({ key, input }) => h("td", {}, h("label", { class: "limit" }, input, h("small", { class: "muted" }, unit(joint, key))))));
  body.append(
    h("p", { class: "hint" }, texts.limitsHelp),
    h("div", { class: "scroll" }, h("table", { id: "limits" }, h("thead", {}, head), h("tbody", {}, ...rows.map(line)))),
    why,
    h("div", { class: "buttons" }, button("limits-apply", texts.applyLimits, apply)),
  );
}
