// What the page costs, printed: node tests/bench.mjs NATIVE_NS [MINUTES of dragging]. scripts/bench-laboratory runs it.
// Script apart from rendering: where there is no GPU a picture takes many times what it takes on a screen.
import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath, DESKTOP, FILE, FLAGS } from "./page.mjs";

const native = Number(process.argv[2]);
const minutes = Number(process.argv[3] ?? 1);
if (!existsSync(FILE)) throw new Error(`${FILE} is missing: make laboratory`);
const browser = await chromium.launch({ executablePath: browserPath(), args: [...FLAGS, "--js-flags=--expose-gc", "--enable-precise-memory-info"] });
const page = await browser.newPage({ viewport: DESKTOP });
await page.goto(pathToFileURL(FILE).href);
await page.waitForFunction(() => "lab" in window);
const first = await page.evaluate(async () => {
  await lab.ready;
  return performance.now();
});
console.log(`page ${(statSync(FILE).size / 1e6).toFixed(2)} MB; first picture ${first.toFixed(0)} ms after the page was asked for`);

const wasm = await page.evaluate(() => Math.min(...Array.from({ length: 7 }, () => lab.engine.library.bench_inverse_dynamics(200_000))));
console.log(`PUMA inverse dynamics: ${wasm.toFixed(0)} ns in the page, ${native.toFixed(0)} ns native: ${(wasm / native).toFixed(2)} times`);

/** Moves the robot on small ways around home for `count` frames, as a hand does; script times of the frames, ms. */
const drag = (count) =>
  page.evaluate(async (count) => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const { robot, live } = lab.state();
    const [pose, q, size] = [[...live.pose], [...live.q], robot.size];
    lab.forgetFrameTimes();
    const times = [];
    for (let k = 0; k < count; k++) {
      const phase = (2 * Math.PI * k) / 97;
      const begun = performance.now();
      if (robot.kind === "closed" && robot.has_platform) {
        const to = [...pose];
        to[0] += 0.02 * size * Math.sin(phase);
        to[1] += 0.02 * size * Math.sin(2 * phase);
        to[2] += 0.01 * size * Math.sin(3 * phase);
        lab.setPose(to);
      } else {
        const joint = k % Math.max(1, robot.drives.length);
        const index = robot.drives[joint]?.joint ?? 0;
        lab.setJoint(index, q[index] + 0.05 * Math.sin(phase));
      }
      times.push(performance.now() - begun);
      await frame();
      await frame();
    }
    const scripts = lab.frameTimes().map((time) => time.script);
    // A frame's script is the move of the hand and what follows it.
    return times.map((time, k) => time + (scripts[Math.min(2 * k, scripts.length - 1)] ?? 0));
  }, count);
const quantile = (times, part) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(part * times.length))];

// Pictures are made in software here, by the same cores: beside them the script would be measured waiting.
const render = (on) =>
  page.evaluate((on) => {
    const { frames } = lab;
    frames.drawing ??= frames.render;
    frames.render = on ? frames.drawing : () => {};
  }, on);
await render(false);
console.log("script a frame while the robot is dragged, ms (goal 4):          median   95 %");
for (const panel of ["pose", "forces", "singularities"]) {
  await page.evaluate((panel) => lab.open(panel), panel);
  for (const { name } of await page.evaluate(() => JSON.parse(lab.engine.library.builtins()))) {
    await page.evaluate((name) => lab.load(name), name);
    await drag(10);
    const times = await drag(60);
    console.log(`  ${panel.padEnd(14)} ${name.padEnd(24)} ${quantile(times, 0.5).toFixed(2).padStart(28)} ${quantile(times, 0.95).toFixed(2).padStart(6)}`);
  }
}

const solved = await page.evaluate(async () => {
  await lab.load("gough-stewart");
  const bench = lab.bench();
  const pose = bench.pose();
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    for (let k = 0; k < 200; k++) {
      pose[0] += 1e-5;
      bench.set_pose(pose);
      bench.ask("inverse-dynamics");
      bench.ask("singularity");
    }
    least = Math.min(least, (performance.now() - begun) / 200);
  }
  return least;
});
console.log(`Gough-Stewart, solve + inverse dynamics + singularities: ${solved.toFixed(3)} ms (goal 0.5)`);

await render(true);
const memory = () =>
  page.evaluate(() => {
    gc();
    return { script: performance.memory.usedJSHeapSize / 1e6, library: lab.engine.library.memory_bytes() / 1e6, nodes: document.querySelectorAll("*").length };
  });
await page.evaluate(() => lab.open("forces"));
await drag(200);
const before = await memory();
const end = Date.now() + 60_000 * minutes;
const shown = (m) => `script ${m.script.toFixed(2)} MB, library ${m.library.toFixed(2)} MB, ${m.nodes} elements`;
console.log(`dragging: before ${shown(before)}`);
let moves = 0;
for (let minute = 1; Date.now() < end; minute++) {
  const until = Math.min(end, Date.now() + 60_000);
  while (Date.now() < until) moves += (await drag(100)).length;
  console.log(`  ${String(minute).padStart(3)} min, ${moves} moves: ${shown(await memory())}`);
}
await browser.close();
