/** The panel of vibrations: modes about the present pose, on springs of joints and stiff drives; one of them swings as a ghost. */
import { h, number, write } from "../app/dom";
import { button, field, row } from "../app/fields";
import type { PanelContext } from "../app/panel";
import { texts as all } from "../app/texts";
import type { Live, RobotInfo, Sketch, Vibration } from "../contract";
import { Cancelled } from "../engine/engine";
import { Table, paced } from "./parts";

const texts = all.numbers;
const PACE = 250; // ms between two computations while the robot moves
const GHOST = "vibration";
const PERIOD = 1.8; // s of a swing on the screen, whatever the frequency
const STEPS = 48; // pictures of a swing: those of one mode are computed once
const STIFFEST = 1e12;
const PART = 0.1; // degrees of freedom with less of a mode are not named

type Unit = RobotInfo["drives"][number]["unit"];

export function vibrations(host: HTMLElement, { lab, visible, watch }: PanelContext): void {
  const stiffness: Record<Unit, number> = { "N m": 0, N: 0 };
  const fields = h("div");
  const table = new Table("modes", "", texts.vibrationHeads);
  const shows = h("div", { class: "buttons", id: "mode-buttons", role: "group", "aria-label": texts.showMode });
  const why = h("p", { id: "vibration-why", class: "bad", role: "status" });
  const unheld = h("p", { id: "vibration-unheld", class: "warn" });
  host.append(h("h2", {}, texts.vibration), h("p", { class: "hint" }, texts.vibrationHelp), fields, why, unheld, h("div", { class: "scroll" }, table.element), shows);

  let found: Vibration = { modes: [], unheld: [] };
  let of: Live | null = null;
  let shown: number | null = null;
  let begun = 0;
  let sketches = new Map<number, Sketch>();
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const task = lab.frames.add((now) => {
    if (shown === null) return false;
    if (begun === 0) begun = now;
    const at = (step: number): Sketch => {
      const { shape } = found.modes[shown!]!;
      const known = sketches.get(step) ?? (JSON.parse(lab.bench().swung(Float64Array.from(shape), Math.sin((2 * Math.PI * step) / STEPS))) as Sketch);
      sketches.set(step, known);
      return known;
    };
    lab.view.ghost(GHOST, at(calm.matches ? STEPS / 4 : Math.round(((now - begun) / PERIOD) * STEPS) % STEPS));
    return !calm.matches;
  });

  const press = () => [...shows.querySelectorAll("button")].forEach((one, k) => one.setAttribute("aria-pressed", String(k === shown)));
  const stop = () => {
    shown = null;
    task.stop();
    lab.view.ghost(GHOST, null);
    press();
  };
  const show = (k: number) => {
    if (shown === k) return stop();
    [shown, begun, sketches] = [k, 0, new Map()];
    lab.store.set({ shown: { ...lab.state().shown, ghosts: true } });
    press();
    task.start();
  };

  const list = (robot: RobotInfo) => {
    if (shown !== null && shown >= found.modes.length) stop();
    sketches = new Map();
    write(unheld, found.unheld.length > 0 ? texts.unheld(found.unheld.join(", ")) : "");
    table.element.hidden = found.modes.length === 0;
    table.show(found.modes.map(({ frequency, growth, parts }, k) => [String(k + 1), frequency === null ? texts.grows(number(growth)) : `${number(frequency)} Hz`, mostly(robot, parts)]));
    if (shows.children.length !== found.modes.length) shows.replaceChildren(...found.modes.map((_, k) => button(`mode-${k + 1}`, texts.mode(k + 1), () => show(k))));
    press();
    if (shown !== null) task.start();
  };

  let running = false;
  let again = false;
  /** In a worker, one after the other: a robot that is solved as a whole takes long. */
  const compute = async () => {
    const { robot, live, revision, owner } = lab.state();
    if (!robot || !live || !visible() || owner !== "hand") return;
    table.element.dataset.ready = "no";
    of = live;
    if (running) return void (again = true);
    running = true;
    const stiffnesses = Float64Array.from(robot.drives, ({ unit, driven }) => (driven ? stiffness[unit] : 0));
    let message = "";
    try {
      found = await lab.engine.ask<Vibration>("vibration", [stiffnesses]).promise;
    } catch (error) {
      found = { modes: [], unheld: [] };
      if (!(error instanceof Cancelled)) message = (error as Error).message;
    }
    running = false;
    if (revision === lab.state().revision) {
      write(why, message);
      list(robot);
      table.element.dataset.ready = again ? "no" : "yes";
    }
    if (again) void ((again = false), compute());
  };
  const slow = paced(PACE, () => void compute());

  let built = -1;
  watch(["revision", "live", "robot", "owner"], ({ robot, live, revision, owner }) => {
    if (!robot || !live) return;
    if (revision !== built) {
      built = revision;
      of = null;
      const units = [...new Set(robot.drives.filter(({ driven }) => driven).map(({ unit }) => unit))];
      const input = (unit: Unit) => {
        const id = `stiffness-${unit === "N" ? "linear" : "angular"}`;
        const per = unit === "N" ? "N/m" : "N m/rad";
        return row(`${texts.stiffness}, ${per}`, field(id, stiffness[unit], { min: 0, max: STIFFEST }, (value) => ((stiffness[unit] = value), void compute())));
      };
      fields.replaceChildren(...units.map(input));
    }
    if (owner !== "hand") return stop();
    if (live !== of) slow();
  });
  lab.store.subscribe(["revision", "panel"], ({ panel }) => panel !== "vibration" && stop());
  lab.store.subscribe(["revision"], stop);
}

/** The degrees of freedom that have the largest parts of a mode. */
function mostly(robot: RobotInfo, parts: number[]): string {
  const order = parts.map((part, k) => ({ part, name: robot.freedoms[k] ?? "" })).sort((a, b) => b.part - a.part);
  return order.filter(({ part }, k) => k === 0 || part > PART).slice(0, 4).map(({ name, part }) => `${name} ${Math.round(100 * part)} %`).join(", ");
}
