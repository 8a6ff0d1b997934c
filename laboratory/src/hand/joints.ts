/** The joints as sliders and fields: drives first, passive joints folded away; limits are marked on the slider's track. */
import { breaking, h, number, radians, write } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { JointInfo, RobotInfo } from "../contract";
import { entry, type Entry } from "./entry";
import type { Hand } from "./hand";
import { decimalsOf, jointText, jointValue, lengthStep, shown, turns, unitOf } from "./words";

const texts = all.hand;
const AT_MOST = 120; // rows; a robot with more joints is not moved by sliders
const BEYOND = 0.06; // of the range: room beyond a limit, where the slider resists

interface Line {
  joint: number;
  box: HTMLElement;
  range: HTMLInputElement | null;
  field: Entry | null;
  text: HTMLElement | null;
}

export class Joints {
  readonly element = h("div", { class: "hand-joints" });
  private lines: Line[] = [];
  private rest: HTMLDetailsElement | null = null;

  constructor(
    private readonly lab: Lab,
    private readonly hand: Hand,
  ) {}

  build(robot: RobotInfo, home: ArrayLike<number>): void {
    const driven = new Set(robot.drives.filter((drive) => drive.driven).map((drive) => drive.joint));
    const all = robot.joints.map((_, k) => k);
    const [first, others] = [all.filter((k) => driven.has(k)), all.filter((k) => !driven.has(k))];
    const make = (index: number) => this.line(robot, index, driven.has(index), home[index]);
    this.lines = [];
    this.element.replaceChildren(...first.slice(0, AT_MOST).map(make));
    this.rest = null;
    if (others.length > 0) {
      const rest = h("details", { open: first.length === 0 }, h("summary", {}, texts.passive(others.length)));
      // Rows that nobody looks at are not made.
      rest.addEventListener("toggle", () => {
        if (rest.open && rest.children.length === 1) {
          rest.append(...others.slice(0, AT_MOST).map(make), ...(others.length > AT_MOST ? [h("p", { class: "hint" }, texts.more(others.length - AT_MOST))] : []));
          this.update();
        }
      });
      this.element.append(rest);
      this.rest = rest;
    }
    if (first.length > AT_MOST) this.element.append(h("p", { class: "hint" }, texts.more(first.length - AT_MOST)));
  }

  /** Shows where the joints are. */
  update(): void {
    const { robot, live, joint } = this.lab.state();
    if (!robot || !live || live.q.length !== robot.joints.length) return;
    for (const { joint: index, box, range, field, text } of this.lines) {
      if (this.rest && !this.rest.open && this.rest.contains(box)) continue;
      const info = robot.joints[index];
      const value = live.q[index];
      box.classList.toggle("chosen", index === joint);
      box.classList.toggle("beyond", live.beyond.includes(index));
      field?.show(shown(info, value));
      if (text) write(text, number(value));
      if (!range) continue;
      const at = String(value);
      if (range.value !== at) range.value = at;
      const words = jointText(info, value);
      if (range.getAttribute("aria-valuetext") !== words) range.setAttribute("aria-valuetext", words);
    }
  }

  private line(robot: RobotInfo, index: number, driven: boolean, home: number): HTMLElement {
    const info = robot.joints[index];
    const name = h("span", { class: "row-label", title: driven ? texts.driven : texts.isPassive }, ...breaking(info.name));
    const box = h("div", { class: driven ? "hand-joint driven" : "hand-joint", "data-joint": index }, name);
    box.addEventListener("pointerdown", () => this.hand.choose(index));
    box.addEventListener("focusin", () => this.hand.choose(index));
    const line: Line = { joint: index, box, range: null, field: null, text: null };
    this.lines.push(line);
    if (info.type !== "revolute" && info.type !== "prismatic") {
      line.text = h("output", { class: "number" });
      box.append(line.text);
      return box;
    }
    const set = (value: number) => this.hand.step(() => this.lab.setJoint(index, value), () => jointValue(this.lab, index));
    const { from, to } = span(info, home, robot.size);
    const range = h("input", { type: "range", id: `joint-range-${index}`, min: from, max: to, step: "any", "aria-label": info.name });
    range.style.setProperty("--track", track(info, from, to));
    range.addEventListener("input", () => {
      const value = range.valueAsNumber;
      if (this.lab.state().owner === "hand") this.hand.pull(() => this.lab.setJoint(index, value));
    });
    // Keys step as in the picture: a native step of a range without steps is a hundredth of it.
    range.addEventListener("keydown", (event) => {
      const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      const to = event.key === "Home" ? info.lower : event.key === "End" ? info.upper : null;
      if (!sign && to === null) return;
      event.preventDefault();
      set(to ?? this.lab.bench().q()[index] + sign! * unit * (event.shiftKey ? 0.1 : 1));
    });
    range.addEventListener("change", () => this.lab.say(jointValue(this.lab, index)));
    const unit = turns(info) ? radians(1) : lengthStep(robot.size);
    line.range = range;
    line.field = entry(
      `joint-${index}`,
      `${info.name}, ${turns(info) ? texts.degrees : texts.metres}`,
      decimalsOf(info),
      () => shown(info, unit),
      (value) => set(turns(info) ? radians(value) : value),
    );
    box.append(range, line.field.element, h("span", { class: "row-unit" }, unitOf(info)));
    return box;
  }
}

/** What a slider spans: the limits with a little room, or a turn, or about the robot's size. */
function span({ lower, upper, type }: JointInfo, home: number, size: number): { from: number; to: number } {
  const reach = type === "revolute" ? Math.PI : size / 2;
  const low = lower ?? Math.min(home, upper ?? home) - reach;
  const high = upper ?? Math.max(home, lower ?? home) + reach;
  const room = BEYOND * Math.max(high - low, 1e-9);
  return { from: lower === null ? low : low - room, to: upper === null ? high : high + room };
}

/** The track with the forbidden ends in another colour. */
function track({ lower, upper }: JointInfo, from: number, to: number): string {
  const percent = (value: number) => `${((100 * (value - from)) / (to - from)).toFixed(2)}%`;
  const a = lower === null ? "0%" : percent(lower);
  const b = upper === null ? "100%" : percent(upper);
  return `linear-gradient(to right, var(--limit) ${a}, var(--free) ${a} ${b}, var(--limit) ${b})`;
}
