/** Any question by its name: the columns and values that `appell compute` would print for this state. */
import { cell } from "../app/csv";
import { h, number, write } from "../app/dom";
import { button, choice } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import type { RobotInfo } from "../contract";
import { Table } from "./parts";

const ROWS_AT_MOST = 400;

export class AnyQuestion {
  private readonly chooser = h("div");
  private readonly summary = h("p", { id: "question-summary", class: "hint" });
  private readonly note = h("p", { class: "hint", hidden: true });
  private readonly table = new Table("question-values", texts.numbers.answer, [texts.numbers.column, texts.numbers.value]);
  private readonly copy: HTMLButtonElement;
  readonly element: HTMLElement;
  private robot: RobotInfo | null = null;
  private chosen = "";

  constructor(private readonly lab: Lab) {
    this.copy = button("question-copy", texts.numbers.copy, () => void this.toClipboard(), texts.numbers.copyTitle);
    this.element = h("div", {}, h("p", { class: "hint" }, texts.numbers.questionHelp), h("div", { class: "question-head" }, this.chooser, this.copy), this.summary, h("div", { class: "scroll tall" }, this.table.element), this.note);
  }

  reset(robot: RobotInfo): void {
    this.robot = robot;
    const names = robot.questions.map(({ name }) => name);
    if (!names.includes(this.chosen)) this.chosen = names.includes("inverse-dynamics") ? "inverse-dynamics" : (names[0] ?? "");
    const made = choice("question", names.map((name) => [name, name] as const), this.chosen, (name) => {
      this.chosen = name;
      this.show();
    });
    made.setAttribute("aria-label", texts.numbers.question);
    this.chooser.replaceChildren(made);
  }

  private answer(): { columns: string[]; values: Float64Array } {
    const bench = this.lab.bench();
    return { columns: JSON.parse(bench.columns(this.chosen)) as string[], values: bench.ask(this.chosen) };
  }

  show(): void {
    if (!this.robot || this.chosen === "") return;
    write(this.summary, this.robot.questions.find(({ name }) => name === this.chosen)?.summary ?? "");
    let text = "";
    try {
      const { columns, values } = this.answer();
      this.table.show(columns.slice(0, ROWS_AT_MOST).map((column, k) => [column, number(values[k], 6)]));
      if (columns.length > ROWS_AT_MOST) text = texts.numbers.more(columns.length - ROWS_AT_MOST);
      this.copy.disabled = false;
    } catch (error) {
      this.table.show([]);
      this.copy.disabled = true;
      text = error instanceof Error ? error.message : String(error);
    }
    write(this.note, text);
    this.note.hidden = text === "";
  }

  /** All columns in full precision. */
  private async toClipboard(): Promise<void> {
    try {
      const { columns, values } = this.answer();
      await navigator.clipboard.writeText(`${columns.map(cell).join(",")}\n${Array.from(values).join(",")}\n`);
      this.lab.say(texts.numbers.copied(columns.length));
    } catch (error) {
      this.lab.fail(error);
    }
  }
}
