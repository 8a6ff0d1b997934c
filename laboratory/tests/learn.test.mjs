// Tours and help: every step of every tour, and what they claim.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { PHONE, close, laboratory } from "./page.mjs";

const visit = laboratory();
const root = new URL("../../", import.meta.url);

/** Opens a tour; returns what goes to a step and reads its numbers. */
async function tour(visited, id) {
  const { page } = visited;
  await page.locator("#top .menu > button", { hasText: "Learn" }).click();
  await page.click(`#command-tour-${id}`);
  const ready = async () => {
    await page.waitForSelector('#tour[data-ready="yes"]');
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    const values = await page.$$eval("#tour dd", (all) => all.map((one) => [one.dataset.key, one.dataset.value]));
    return Object.fromEntries(values.map(([key, value]) => [key, Number.isNaN(Number(value)) ? value : Number(value)]));
  };
  return {
    ready,
    async to(step) {
      for (let k = 0; k < 12; k++) {
        const values = await ready();
        if ((await page.getAttribute("#tour", "data-step")) === step) return values;
        await page.click("#tour-next");
      }
      throw new Error(`the tour has no step ${step}`);
    },
  };
}

for (const id of ["gough-stewart", "agile-wrist", "puma-line", "puma-counts", "star-triangle"])
  test(`tour ${id}: all its steps, with words, equations, numbers and source lines`, async () => {
    const visited = await visit({ motion: "reduce" });
    const { page, messages } = visited;
    const { ready } = await tour(visited, id);
    const titles = new Set();
    let equations = 0;
    let marked = 0;
    for (;;) {
      const values = await ready();
      const step = await page.getAttribute("#tour", "data-step");
      titles.add(await page.textContent("#tour-title"));
      assert.ok((await page.textContent("#tour .tour-body > p")).length > 40, step);
      assert.deepEqual(await messages(), [], step);
      for (const [key, value] of Object.entries(values)) assert.ok(value !== "null" && value !== "NaN" && value !== "undefined", `${step}: ${key} is ${value}`);
      const labels = await page.$$eval("#tour dt", (all) => all.map((one) => one.textContent));
      assert.equal(new Set(labels).size, labels.length, `${step}: ${labels}`);
      const drawn = await page.$$eval("#tour math", (all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height > 10 && box.width > 20).length);
      assert.equal(drawn, await page.locator("#tour math").count(), `${step}: the equation is drawn`);
      equations += drawn;
      marked += await page.locator(".tour-mark:visible").count();
      // The source lines exist and say something.
      for (const [, file, line] of (await page.textContent("#tour .tour-source")).matchAll(/([\w/.-]+\.rs):(\d+)/g)) {
        assert.ok(existsSync(new URL(file, root)), file);
        assert.ok(readFileSync(new URL(file, root), "utf8").split("\n")[line - 1].trim().length > 2, `${file}:${line}`);
      }
      // And can be read here: the marked line is that of the file.
      if (titles.size === 2) {
        await page.click("#tour .source-link >> nth=0");
        const [, file, line] = /([\w/.-]+\.rs):(\d+)/.exec(await page.textContent(".dialog h2"));
        assert.equal((await page.textContent(".dialog .source-line.here")).trimEnd(), readFileSync(new URL(file, root), "utf8").split("\n")[line - 1].trimEnd(), `${file}:${line}`);
        assert.ok((await page.locator(".dialog .source-line").count()) > 3, file);
        await page.click(".dialog .close");
      }
      if (/^End/.test(await page.textContent("#tour-next"))) break;
      await page.click("#tour-next");
    }
    assert.ok(titles.size >= 5 && titles.size <= 8, `${titles.size} steps`);
    assert.ok(equations >= 3, `${equations} equations`);
    assert.ok(marked >= 1, "something in a panel is marked");
    await page.click("#tour-next");
    assert.equal(await page.locator("#tour").isVisible(), false);
  });

test("the Gough-Stewart platform meets its Type 2", async () => {
  const visited = await visit({ motion: "reduce" });
  const walk = await tour(visited, "gough-stewart");
  const home = await walk.to("rows");
  assert.ok(home.type2 > 0.1, `at home ${home.type2}`);
  const turned = await walk.to("turn");
  assert.ok(Math.abs(turned.yaw - 80) < 1e-6 && turned.type2 < home.type2);
  const there = await walk.to("there");
  assert.ok(Math.abs(there.yaw - 90) < 1e-6);
  assert.ok(there.type2 < 1e-6, `there ${there.type2}`);
  assert.ok(there.controlled < 1e-6);
  assert.ok(String(there.uncontrolled).length > 5);
  const growth = await walk.to("growth");
  assert.ok(growth["force at 0.0001"] > 50 * growth["force at 0.01"]);
  close([growth["product at 0.001"]], [growth["product at 0.0001"]], 0.02, "force × way");
  const criterion = await walk.to("criterion");
  assert.ok(Math.abs(criterion.work) > 1, `the weight does work ${criterion.work}`);
});

test("the Agile Wrist has eight working modes, and the paper's torques at t = 1 s", async () => {
  const visited = await visit();
  const walk = await tour(visited, "agile-wrist");
  assert.equal((await walk.to("eight")).modes, 8);
  await visited.settled();
  assert.equal(await visited.page.evaluate(() => [...lab.view.ghosts.keys()].filter((id) => id.startsWith("tour")).length), 7);
  await walk.to("visit");
  const seen = new Set();
  const poses = [];
  for (let k = 0; k < 400 && seen.size < 8; k++) {
    seen.add((await walk.ready()).mode);
    poses.push(await visited.page.evaluate(() => lab.live().pose));
    await visited.page.waitForTimeout(50);
  }
  assert.equal(seen.size, 8);
  for (const pose of poses) close(pose, poses[0], 1e-9, "the platform keeps its attitude");
  const at = await walk.to("motion");
  // Of 50-digit Lagrange equations: tests/golden/parallel.
  close([at.tau1, at.tau2, at.tau3], [-0.616409751133, -0.175708480112, 0.389975704619], 1e-11, "torques");
});

test("the PUMA's line under three laws: astray, on it, a lasting error, none at the end", async () => {
  const visited = await visit({ motion: "reduce" });
  const walk = await tour(visited, "puma-line");
  close([(await walk.to("robot")).length], [0.860202], 1e-6, "length");
  await walk.to("line");
  close(await visited.page.evaluate(() => lab.live().pose.slice(0, 3)), [0.018, 0.757, 0], 1e-6, "the end of the line");
  const point = await walk.to("point");
  const tracking = await walk.to("tracking");
  const heavier = await walk.to("heavier");
  const integral = await walk.to("integral");
  // The numbers of `appell simulate` for the same scenario: 1.207 rad, 948.8 N m.
  close([point.error / 1000, point.torque], [1.20742, 948.793], 1e-3, "point to point");
  assert.ok(tracking.error < 0.01, `tracking ${tracking.error} mrad`);
  assert.ok(heavier["last error"] > 1 && heavier["last error"] < point.error);
  assert.ok(integral["last error"] < 0.1 * heavier["last error"], `${integral["last error"]} of ${heavier["last error"]} mrad`);
});

test("the PUMA's counts are those of the paper, and Gibbs' function gives the torque", async () => {
  const visited = await visit({ motion: "reduce" });
  const walk = await tour(visited, "puma-counts");
  const gibbs = await walk.to("gibbs");
  close([gibbs.gradient], [gibbs.tau2], 1e-11, "∂G/∂q̈");
  const golden = JSON.parse(readFileSync(new URL("golden/numbers.json", import.meta.url), "utf8")).puma560.answers["inverse-dynamics"].values;
  const inward = await walk.to("inward");
  close([1, 2, 3, 4, 5, 6].map((k) => inward[`tau${k}`]), golden, 1e-12, "torques of the command line");
  const counts = await walk.to("counts");
  assert.deepEqual([counts.multiplications, counts.additions], [96 * 6 - 101, 84 * 6 - 100]);
  const code = await walk.to("code");
  assert.ok(code.multiplications < counts.multiplications && code.additions < counts.additions);
  assert.ok((await walk.to("speed")).nanoseconds > 10);
});

test("the star-triangle robot's torques are equal in its symmetric motion", async () => {
  const visited = await visit();
  const walk = await tour(visited, "star-triangle");
  // Without gravity, which the paper leaves out: tests/golden/parallel/shared_sst_traj.json.
  close([(await walk.to("work")).dynamic], [1.12505254648806], 1e-11, "largest dynamic torque");
  await walk.to("swing");
  let largest = 0;
  for (let k = 0; k < 20; k++) {
    const at = await walk.ready();
    assert.ok(at.spread < 1e-12, `spread ${at.spread}`);
    largest = Math.max(largest, Math.abs(at.tau1));
    await visited.page.waitForTimeout(100);
  }
  assert.ok(largest > 0.2 && largest < 1.15, `largest torque ${largest}`);
});

test("tours go by keys, back as well as forth, and leave nothing behind", async () => {
  const visited = await visit({ motion: "reduce" });
  const { page } = visited;
  const walk = await tour(visited, "gough-stewart");
  await walk.ready();
  assert.equal(await page.evaluate(() => document.activeElement.id), "tour-title");
  await page.keyboard.press("ArrowRight");
  await walk.ready();
  assert.equal(await page.getAttribute("#tour", "data-step"), "rows");
  await page.keyboard.press("ArrowLeft");
  await walk.ready();
  assert.equal(await page.getAttribute("#tour", "data-step"), "robot");
  await walk.to("there");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#tour").isVisible(), false);
  await page.waitForFunction(() => lab.view.ghosts.size === 0); // the store tells it in the next frame
  assert.equal(await page.evaluate(() => document.body.classList.contains("touring")), false);
});

test("another robot in the middle of a tour is no harm", async () => {
  const visited = await visit();
  const { page, load, messages } = visited;
  const walk = await tour(visited, "gough-stewart");
  await walk.to("there");
  await load("puma560");
  await walk.ready();
  assert.deepEqual(await messages(), []);
  await page.click("#tour-next");
  await walk.ready();
  assert.equal(await page.evaluate(() => lab.state().source.name), "gough-stewart");
});

test("on a phone a tour leaves room for the robot", async () => {
  const visited = await visit({ viewport: PHONE, touch: true });
  const { page, settled } = visited;
  const walk = await tour(visited, "gough-stewart");
  await walk.to("forces");
  await settled();
  const box = await page.locator("#view").boundingBox();
  assert.ok(box.height > 200, `${box.height} px`);
  const next = await page.locator("#tour-next").boundingBox();
  assert.ok(next.y + next.height <= PHONE.height && next.height >= 36);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("help names every command, key and panel, and the version", async () => {
  const { page } = await visit();
  await page.keyboard.press("?");
  const text = await page.locator("dialog[open]").textContent();
  for (const title of ["File", "View", "Learn", "Copy link", "Help"]) assert.ok(text.includes(title), title);
  assert.ok(text.includes(await page.evaluate(() => lab.engine.library.version())));
  const empty = await page.$$eval("dialog[open] dd", (all) => all.filter((one) => one.textContent.trim() === "").map((one) => one.previousElementSibling.textContent));
  assert.deepEqual(empty, [], "entries without an explanation");
});
