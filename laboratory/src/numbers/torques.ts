/** Torques and forces of the drives, with bars against their limits. */
import { breaking, h, number, write } from "../app/dom";
import { texts } from "../app/texts";
import type { Live, RobotInfo } from "../contract";
import { numbers } from "./parts";
import { round } from "./scale";

const ROWS_AT_MOST = 200;

interface Row {
  tau: HTMLElement;
  gravity: HTMLElement;
  dynamic: HTMLElement;
  bar: HTMLElement;
  total: HTMLElement;
  mark: HTMLElement;
  limit: HTMLElement;
}

export class Torques {
  private readonly body = h("tbody");
  private readonly more = h("p", { class: "hint", hidden: true });
  readonly element: HTMLElement;
  private rows: Row[] = [];
  private drives: RobotInfo["drives"] = [];
  /** Scale of bars without a limit: of all torques and of all forces, the largest seen, rounded up. */
  private largest: Record<string, number> = {};

  constructor() {
    const { drive, tau, gravity, dynamic } = texts.numbers;
    const heads = [drive, tau, gravity, dynamic].map((head, k) => h("th", { scope: "col", class: k > 0 ? "number" : null }, head));
    this.element = h("div", { class: "scroll" }, h("table", { id: "torques", class: "torques" }, h("thead", {}, h("tr", {}, ...heads)), this.body), this.more);
  }

  reset({ drives }: RobotInfo): void {
    this.drives = drives.slice(0, ROWS_AT_MOST);
    this.largest = {};
    this.more.hidden = drives.length <= ROWS_AT_MOST;
    write(this.more, texts.numbers.more(drives.length - ROWS_AT_MOST));
    this.body.replaceChildren();
    this.rows = this.drives.map((drive) => {
      const cell = () => h("td", { class: "number" });
      const [tau, gravity, dynamic] = [cell(), cell(), cell()];
      const total = h("i", { class: "total" });
      const mark = h("i", { class: "mark" });
      const bar = h("div", { class: "torque-bar", "aria-hidden": "true" }, h("i", { class: "middle" }), total, mark);
      const limit = h("span", { class: "torque-limit" });
      this.body.append(
        h("tr", {}, h("th", { scope: "row" }, ...breaking(drive.name), !drive.driven && h("small", { class: "muted", title: texts.numbers.passiveHelp }, ` ${texts.numbers.passive}`)), tau, gravity, dynamic),
        h("tr", { class: "torque-line" }, h("td", { colspan: 4 }, h("div", {}, bar, limit))),
      );
      return { tau, gravity, dynamic, bar, total, mark, limit };
    });
  }

  /** Bars in every frame. */
  bars({ tau, gravity }: Live): void {
    this.drives.forEach(({ unit, effort }, k) => {
      if (effort === null && tau) this.largest[unit] = Math.max(this.largest[unit] ?? 0, Math.abs(tau[k]), Math.abs(gravity?.[k] ?? 0));
    });
    this.rows.forEach((row, k) => {
      const { unit, effort } = this.drives[k];
      const limit = effort ?? round(this.largest[unit]);
      const part = (x: number | undefined) => Math.max(-1, Math.min(1, (x ?? 0) / limit)).toFixed(4);
      row.total.style.transform = `scaleX(${part(tau?.[k])})`;
      row.mark.style.transform = `translateX(${(100 * Number(part(gravity?.[k]))).toFixed(2)}%)`;
      row.mark.hidden = gravity === null;
      const beyond = effort !== null && tau !== null && Math.abs(tau[k]) > effort;
      row.bar.classList.toggle("beyond", beyond);
    });
  }

  /** Texts less often: nobody reads sixty of them a second. */
  texts({ tau, gravity, dynamic }: Live): void {
    const shown = (tau ?? []).slice(0, this.rows.length);
    const largest = shown.reduce((most, x, k) => Math.max(most, Math.abs(x), Math.abs(gravity?.[k] ?? 0)), 0);
    const [total, still, moving] = [tau, gravity, dynamic].map((some) => some && numbers(some.slice(0, this.rows.length), 4, largest));
    this.rows.forEach((row, k) => {
      const { unit, effort } = this.drives[k];
      write(row.tau, total?.[k] ?? "–");
      write(row.gravity, still?.[k] ?? "–");
      write(row.dynamic, moving?.[k] ?? "–");
      write(row.limit, effort === null ? texts.numbers.noLimit(number(round(this.largest[unit]), 1), unit) : texts.numbers.limit(number(effort, 3), unit));
    });
  }
}
