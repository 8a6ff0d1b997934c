/** Scenarios: trials in a file, run in a worker by the code of `appell simulate`; their records are plotted and played. */
import type { TrialRun } from "../contract";
import type { Lab } from "../app/lab";
import { h, number, write } from "../app/dom";
import { button, choice } from "../app/fields";
import { message } from "../app/laboratory";
import { texts as all } from "../app/texts";
import { Cancelled, type Pending } from "../engine/engine";
import { openFile, section, type Part } from "./parts";
import { ofTable } from "./run";
import type { Runner } from "./runner";

const texts = all.motion;

const PATIENCE = 600_000; // ms
const LONGEST = 1e6; // characters

/** Whether a text is a scenario rather than a robot's file. */
export const isScenario = (name: string, text: string): boolean =>
  /\.toml$/i.test(name) && /^\s*robot\s*=/m.test(text) && /^\s*(duration\s*=|\[(reference|controller|run|loop)\])/m.test(text);

export class Scenarios implements Part {
  readonly element: HTMLElement;
  private pending: Pending | null = null;
  private readonly text = h("textarea", { id: "scenario-text", rows: 12, spellcheck: "false", autocapitalize: "off", wrap: "off", "aria-label": texts.scenarioText });
  private readonly telling = h("p", { id: "scenario-result", class: "motion-result" });
  private readonly summary = h("pre", { id: "scenario-summary", hidden: true });
  private readonly events = h("ul", { id: "scenario-events", class: "hint" });
  private readonly run: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
  ) {
    const known = JSON.parse(lab.engine.library.scenarios()) as { name: string; text: string }[];
    const select = choice("scenario", [["", texts.chooseScenario], ...known.map(({ name }) => [name, name] as const)], "", (name) =>
      this.edit(known.find((scenario) => scenario.name === name)?.text ?? ""),
    );
    select.setAttribute("aria-label", texts.scenario);
    this.run = button("scenario-run", texts.play, () => void this.play(this.text.value));
    this.run.classList.add("primary");
    this.stop = button("scenario-stop", texts.stop, () => this.pending?.cancel());
    this.element = section(
      "scenario-part",
      texts.scenario,
      false,
      h("p", { class: "hint" }, texts.scenarioHelp),
      h(
        "div",
        { class: "buttons" },
        select,
        button("scenario-open", texts.open, () => openFile(".toml", (_, text) => this.edit(text), (error) => lab.fail(error))),
        button("scenario-present", texts.ofPresent, () => this.ofPresent(), texts.ofPresentHelp),
      ),
      this.text,
      h("div", { class: "buttons" }, this.run, this.stop),
      this.telling,
      this.events,
      this.summary,
    );
    this.text.addEventListener("input", () => this.update());
    this.update();
  }

  update(): void {
    this.run.hidden = this.pending !== null;
    this.run.disabled = this.text.value.trim() === "";
    this.stop.hidden = this.pending === null;
  }

  edit(text: string): void {
    this.text.value = text;
    this.clear();
    this.update();
  }

  /** Runs a scenario and plays its record; a robot that is built in comes onto the bench once the run is good. */
  async play(text: string): Promise<void> {
    this.pending?.cancel();
    this.pending = null;
    let pending: Pending | null = null;
    this.clear();
    if (this.text.value !== text) this.text.value = text;
    try {
      if (text.trim() === "") throw new Error(texts.noScenario);
      if (text.length > LONGEST) throw new Error(texts.longScenario);
      const { args, builtin, remark } = this.robotOf(text);
      pending = this.lab.engine.call({ robot: null, method: "play", args: [text, ...args], timeout: PATIENCE });
      this.pending = pending;
      this.lab.store.set({ busy: texts.playing });
      this.update();
      const trial = JSON.parse(await pending.promise) as TrialRun;
      const { source } = this.lab.state();
      const there = builtin === null || (source?.kind === "builtin" && source.name === builtin);
      if (!there && !(await this.lab.load(builtin))) return; // load has said why
      if (this.pending !== pending) return;
      this.show(trial, valueOf(text, "name") ?? texts.scenario, remark);
    } catch (error) {
      if (!(error instanceof Cancelled) && this.pending === pending) this.refuse(error);
    } finally {
      // Another scenario may have been started meanwhile.
      if (this.pending === pending) {
        this.pending = null;
        this.lab.store.done(texts.playing);
        this.update();
      }
    }
  }

  /** What the library needs to know of the scenario's robot, and what the user should. */
  private robotOf(text: string): { args: [robot: string, file: string]; builtin: string | null; remark: string } {
    const name = valueOf(text, "robot");
    const { source } = this.lab.state();
    const builtins = (JSON.parse(this.lab.engine.library.builtins()) as { name: string }[]).map((robot) => robot.name);
    if (name !== null && builtins.includes(name)) return { args: [name, ""], builtin: name, remark: "" };
    if (source === null) throw new Error(all.app.noRobot);
    const remark = name === null || (source.kind === "file" && source.file === name) ? "" : texts.elsewhere(name);
    return { args: source.kind === "builtin" ? [source.name, ""] : [source.text, source.file], builtin: null, remark };
  }

  private show(trial: TrialRun, name: string, remark: string): void {
    const run = ofTable(this.lab.robot(), trial.columns, trial.rows, name);
    this.telling.className = trial.stop === null ? "motion-result good" : "motion-result bad";
    const told = texts.played(run.t.length, number(run.t.at(-1) ?? 0));
    write(this.telling, [remark, told, trial.stop === null ? "" : texts.ended(trial.stop)].filter(Boolean).join(" "));
    this.events.replaceChildren(...trial.events.map((event) => h("li", {}, event)));
    this.summary.hidden = trial.summary === "";
    write(this.summary, trial.summary);
    this.lab.say(this.telling.textContent ?? "");
    this.runner.replay(run);
  }

  /** What the reader found, with the first line of it selected. */
  private refuse(error: unknown): void {
    this.telling.className = "motion-result bad";
    write(this.telling, message(error));
    this.lab.say(message(error));
    const line = Number(/line (\d+)/.exec(message(error))?.[1]);
    if (!(line > 0)) return;
    const before = this.text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const after = this.text.value.indexOf("\n", before);
    this.text.focus();
    this.text.setSelectionRange(before, after < 0 ? this.text.value.length : after);
  }

  private clear(): void {
    this.telling.className = "motion-result";
    write(this.telling, "");
    this.events.replaceChildren();
    this.summary.hidden = true;
  }

  /** A scenario that gives the same numbers as a run with the present options. */
  private ofPresent(): void {
    try {
      this.edit(this.runner.scenario(this.runner.duration));
    } catch (error) {
      this.lab.fail(error);
    }
  }
}

/** The value of a text key before the first section of a TOML text. */
function valueOf(text: string, key: string): string | null {
  const head = text.split(/^\s*\[/m)[0]!;
  return new RegExp(`^\\s*${key}\\s*=\\s*(["'])(.*?)\\1`, "m").exec(head)?.[2] ?? null;
}
