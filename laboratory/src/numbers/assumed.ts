/** The motion that the live numbers assume: fields for velocities and accelerations, at rest at first. */
import { h } from "../app/dom";
import { button, field } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import type { RobotInfo } from "../contract";

const FIELDS_AT_MOST = 48;
const LARGEST = 1e6;

/** Names and units of what `set_motion` takes. */
function coordinates(robot: RobotInfo): { name: string; unit: string }[] {
  if (robot.has_platform) return texts.numbers.twist.map((name, k) => ({ name, unit: k < 3 ? "m" : "rad" }));
  if (robot.kind === "tree") return robot.joints.map(({ name, type }) => ({ name, unit: type === "prismatic" ? "m" : "rad" }));
  return robot.freedoms.map((name) => ({ name, unit: "" }));
}

export class Assumed {
  private readonly grid = h("div", { class: "assumed" });
  readonly element: HTMLElement;
  private v: number[] = [];
  private a: number[] = [];

  constructor(private readonly lab: Lab) {
    const rest = button("motion-rest", texts.numbers.rest, () => {
      for (const input of this.grid.querySelectorAll("input")) input.value = "0";
      this.v.fill(0);
      this.a.fill(0);
      this.lab.setMotion(this.v, this.a);
    });
    this.element = h("div", {}, h("p", { class: "hint" }, texts.numbers.assumedHelp), this.grid, h("div", { class: "buttons" }, rest));
  }

  reset(robot: RobotInfo): void {
    const all = coordinates(robot);
    this.v = all.map(() => 0);
    this.a = all.map(() => 0);
    const head = [texts.numbers.coordinate, texts.numbers.velocity, texts.numbers.acceleration].map((text) => h("span", { class: "muted" }, text));
    const inputs = all.slice(0, FIELDS_AT_MOST).flatMap(({ name, unit }, k) => {
      const made = (id: string, kept: number[], label: string) => {
        const input = field(id, 0, { min: -LARGEST, max: LARGEST }, (value) => {
          kept[k] = value;
          this.lab.setMotion(this.v, this.a);
        });
        input.setAttribute("aria-label", `${label} ${name}`);
        return input;
      };
      const units = unit ? h("small", { class: "muted" }, ` ${unit}/s, ${unit}/s²`) : null;
      return [h("span", {}, name, units), made(`motion-v${k + 1}`, this.v, texts.numbers.velocity), made(`motion-a${k + 1}`, this.a, texts.numbers.acceleration)];
    });
    this.grid.replaceChildren(...head, ...inputs);
  }
}
