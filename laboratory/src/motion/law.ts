/** The law with its gains, and how the true robot differs from its file: all to be turned while it runs. */
import type { MotionOptions, RobotInfo } from "../contract";
import type { Lab } from "../app/lab";
import { h } from "../app/dom";
import { choice } from "../app/fields";
import { texts as all } from "../app/texts";
import { Dial, type Range } from "./dial";
import { section, tick, type Part } from "./parts";
import type { Runner } from "./runner";

const texts = all.motion;

const GAINS: Range = { min: 0.5, max: 200, shape: "log" };
const DAMPING: Range = { min: 0.02, max: 5, shape: "log" };

export function lawPart(lab: Lab, runner: Runner): Part {
  const laws = choice("motion-law", Object.entries(texts.laws), runner.options.law, (law) => runner.change({ law: law as MotionOptions["law"] }));
  laws.setAttribute("aria-label", texts.law);
  const omega = new Dial("motion-omega", texts.omega, GAINS, (value) => runner.change({ omega: value }));
  const zeta = new Dial("motion-zeta", texts.zeta, DAMPING, (value) => runner.change({ zeta: value }));
  const help = h("p", { class: "hint" });
  const element = section("law-part", texts.law, true, laws, omega.element, zeta.element, help);
  const update = (): void => {
    const { options } = runner;
    const driven = lab.state().robot?.drives.some((drive) => drive.driven) ?? false;
    const gains = options.law === "hold-pd" || options.law === "computed-torque";
    laws.value = options.law;
    for (const option of laws.options) option.disabled = !driven && option.value !== "free";
    omega.set(options.omega, "1/s", gains);
    zeta.set(options.zeta, "", gains);
    help.textContent = driven ? (texts.lawHelp[options.law] ?? "") : texts.noDrives;
  };
  return { element, update };
}

export function plantPart(lab: Lab, runner: Runner): Part {
  const dial = (key: "viscous" | "coulomb" | "spring" | "payload"): Dial =>
    new Dial(`motion-${key}`, texts[key], { min: 0, max: 1, shape: "fine" }, (value) => runner.change({ [key]: value }));
  const dials = { payload: dial("payload"), viscous: dial("viscous"), coulomb: dial("coulomb"), spring: dial("spring") };
  const knows = tick("motion-knows", texts.knows, runner.options.law_knows_payload, (on) => runner.change({ law_knows_payload: on }));
  const element = section(
    "plant-part",
    texts.plant,
    false,
    dials.payload.element,
    knows.element,
    dials.viscous.element,
    dials.coulomb.element,
    dials.spring.element,
    h("p", { class: "hint" }, texts.plantHelp),
  );
  const update = (): void => {
    const { options } = runner;
    const { robot } = lab.state();
    if (robot === null) return;
    const { units, reach } = scales(robot);
    for (const key of ["payload", "viscous", "coulomb", "spring"] as const)
      dials[key].set(options[key], units[key], true, { min: 0, max: reach[key], shape: "fine" });
    knows.input.checked = options.law_knows_payload;
    knows.input.disabled = options.payload === 0;
  };
  return { element, update };
}

/** Units by the kind of the drives, and how far the sliders reach, by the robot's weight and size. */
function scales(robot: RobotInfo): { units: Record<string, string>; reach: Record<string, number> } {
  const kinds = new Set(robot.drives.length > 0 ? robot.drives.map(({ unit }) => unit) : ["N m"]);
  const one = kinds.size === 1 ? [...kinds][0] : null;
  const weight = Math.max(robot.mass, 0.1) * 10;
  const effort = one === "N" ? weight : weight * Math.max(robot.size, 0.05);
  const units = {
    payload: "kg",
    viscous: one === "N" ? "N s/m" : one === "N m" ? "N m s/rad" : "SI",
    coulomb: one ?? "N m, N",
    spring: one === "N" ? "N/m" : one === "N m" ? "N m/rad" : "SI",
  };
  return { units, reach: { payload: round(robot.mass), viscous: round(effort), coulomb: round(effort / 2), spring: round(20 * effort) } };
}

/** The next of 1, 2, 5, 10 … */
function round(x: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(x, 1e-3)));
  return ([1, 2, 5].find((k) => k * size >= x) ?? 10) * size;
}
