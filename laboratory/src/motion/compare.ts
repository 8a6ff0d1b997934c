/** Two runs side by side: one is kept, or was measured, and the present one is held against it. */
import type { Lab } from "../app/lab";
import { breaking, h, number, write } from "../app/dom";
import { button } from "../app/fields";
import { texts as all } from "../app/texts";
import { openFile, section, type Part } from "./parts";
import { difference, GROUPS, ofTable, readCsv, sameStart, type Run } from "./run";
import type { Runner } from "./runner";

const texts = all.motion;

/** Puts a measured table beside the present run; what is wrong with it is said. */
export function takeMeasured(lab: Lab, runner: Runner, name: string, text: string): void {
  try {
    const { columns, rows, bad } = readCsv(text);
    runner.compare(ofTable(lab.robot(), columns, rows, name));
    lab.open("motion");
    lab.open("plots");
    if (bad.count > 0) lab.tell(texts.noNumbers(name, bad.count, bad.first, bad.line));
  } catch (error) {
    lab.fail(new Error(`${name}: ${(error as Error).message}`));
  }
}

export function comparePart(lab: Lab, runner: Runner): Part {
  const keep = button("run-keep", texts.keep, () => runner.keep());
  const open = button("run-measured", texts.measured, () => openFile(".csv,.tsv,.txt", (name, text) => takeMeasured(lab, runner, name, text), (error) => lab.fail(error)));
  const play = button("run-kept", texts.asRun, () => runner.kept && runner.replay(runner.kept));
  const again = button("run-same-start", texts.sameStart, () => runner.runFromKept(), texts.sameStartHelp);
  const drop = button("run-drop", texts.drop, () => runner.compare(null));
  const telling = h("p", { id: "run-telling" });
  const starts = h("p", { id: "run-starts", class: "warn" }, texts.startsDiffer);
  const table = h("div", { id: "run-differences", class: "scroll" });
  const element = section("compare-part", texts.compare, false, h("p", { class: "hint" }, texts.compareHelp), h("div", { class: "buttons" }, keep, open, play, again, drop), telling, starts, table);
  let shown: unknown[] = [];
  const update = (): void => {
    const { run, kept, phase, version } = runner;
    keep.disabled = run === null || run.t.length < 2;
    play.hidden = again.hidden = drop.hidden = kept === null;
    play.disabled = again.disabled = kept === null || kept.places.length === 0;
    write(telling, kept === null ? texts.nothingKept : texts.isKept(kept.name, kept.t.at(-1) ?? 0));
    starts.hidden = run === null || kept === null || sameStart(run, kept);
    if (phase === "running") return; // numbers when it rests
    const wanted = [run, kept, version];
    if (wanted.every((one, k) => one === shown[k])) return;
    shown = wanted;
    table.replaceChildren(...(run === null || kept === null || run === kept ? [] : [differences(run, kept)]));
  };
  return { element, update };
}

function differences(run: Run, kept: Run): HTMLTableElement {
  const body = h("tbody");
  for (const key of GROUPS)
    difference(run, kept, key).forEach((one, k) => {
      if (k === 0) body.append(h("tr", {}, h("th", { colspan: 3, scope: "rowgroup" }, texts[key])));
      const cells = [one.rms, one.largest].map((value) => h("td", { class: "number" }, number(value, 3)));
      body.append(h("tr", { "data-column": one.column, "data-rms": one.rms, "data-largest": one.largest }, h("td", {}, ...breaking(one.name)), ...cells));
    });
  const head = [h("th", {}), h("th", { class: "number" }, texts.rms), h("th", { class: "number" }, texts.largest)];
  return h("table", {}, h("caption", {}, texts.differences(kept.name)), h("thead", {}, h("tr", {}, ...head)), body);
}
