/** The play bar: run, pause, steps, rewind, speed, and the time as a slider. */
import { h, icon, write } from "../app/dom";
import { choice } from "../app/fields";
import { texts as all } from "../app/texts";
import { tool, type Part } from "./parts";
import type { Runner } from "./runner";

const texts = all.motion;

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const PLAY = "M7 4l13 8-13 8z";
const PAUSE = "M8 5v14M16 5v14";
/** Below this part of the asked speed the bar says so. */
const BEHIND = 0.8;

export function playBar(runner: Runner, plots: { shown(): boolean; toggle(): void }): Part {
  const start = tool("motion-start", "M5 5v14M19 5L8 12l11 7z", texts.rewind, () => runner.scrub(0));
  const back = tool("motion-back", "M18 5v14M14 5l-9 7 9 7z", texts.back, () => runner.back());
  const sign = { play: icon(PLAY), pause: icon(PAUSE) };
  const word = h("span", {}, texts.run);
  const run = h("button", { type: "button", id: "motion-run", class: "primary motion-run", onclick: () => runner.toggle() }, sign.play, word);
  const step = tool("motion-step", "M6 5v14M10 5l9 7-9 7z", texts.step, () => runner.step());
  const end = tool("motion-end", "M6 6h12v12H6z", texts.end, () => runner.finish());
  const toggle = tool("motion-plots", "M4 4v16h16M7 15l4-5 3 3 5-7", texts.plots, () => plots.toggle());
  const speed = choice(
    "motion-speed",
    SPEEDS.map((value) => [String(value), texts.slow(value)] as const),
    "1",
    (value) => runner.setSpeed(Number(value)),
  );
  speed.setAttribute("aria-label", texts.speed);
  speed.title = texts.speed;
  const slider = h("input", { id: "motion-time", type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": texts.time });
  slider.addEventListener("input", () => {
    const t = runner.run?.t[slider.valueAsNumber];
    if (t !== undefined) runner.scrub(t);
  });
  const time = h("output", { id: "motion-clock", for: "motion-time", class: "motion-clock" });
  const status = h("p", { id: "motion-status", class: "motion-status" });
  const element = h(
    "div",
    { class: "motion-bar", role: "group", "aria-label": texts.bar },
    h("div", { class: "motion-tools" }, start, back, run, step, end, toggle),
    h("div", { class: "motion-times" }, slider, time),
    h("div", { class: "motion-times" }, status, speed),
  );

  const update = (): void => {
    const { phase, run: record, row, ended } = runner;
    const running = phase === "running";
    const rows = record?.t.length ?? 0;
    write(word, running ? texts.pause : texts.run);
    const wanted = running ? sign.pause : sign.play;
    if (run.firstChild !== wanted) run.replaceChild(wanted, run.firstChild!);
    run.disabled = ended !== null && row === rows - 1;
    step.disabled = run.disabled;
    start.disabled = back.disabled = phase === "idle" || row === 0;
    end.disabled = phase === "idle";
    speed.value = String(runner.speed);
    slider.max = String(Math.max(0, rows - 1));
    slider.value = String(row);
    slider.disabled = phase === "idle" || rows < 2;
    slider.setAttribute("aria-valuetext", texts.seconds(runner.t));
    write(time, record === null ? "" : `${texts.seconds(runner.t)} / ${texts.seconds(runner.end)}`);
    toggle.setAttribute("aria-pressed", String(plots.shown()));
    status.classList.toggle("bad", ended !== null);
    write(status, telling(runner));
  };
  return { element, update };
}

/** What the runner does, in a line. */
function telling(runner: Runner): string {
  const { phase, run, ended, live } = runner;
  if (ended !== null) return texts.ended(ended);
  if (run === null || phase === "idle") return run === null ? texts.ready : texts.atHand(run.name);
  if (phase === "running" && live && runner.pace < BEHIND * runner.speed) return texts.behind(runner.pace);
  return `${phase === "running" ? texts.runs : texts.rests}: ${run.name}`;
}
