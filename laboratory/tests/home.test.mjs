// Taking it home: links, pictures, films, tables, the robot's file, code, scenarios.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ARM, close, laboratory } from "./page.mjs";
import { apart, decode } from "./png.mjs";

const visit = laboratory();

/** Runs a command of the menu "File". */
async function command(page, id) {
  await page.locator("#top .menu > button", { hasText: "File" }).click();
  await page.click(`#command-${id}`);
}
/** What a dialog has made, once it is there. */
async function made(page) {
  await page.waitForSelector('#home-preview[aria-busy="false"]');
  return { text: await page.textContent("#home-preview"), remark: await page.textContent("#home-remark"), failed: await page.locator("#home-save").isDisabled() };
}
async function copiedLink(page) {
  await command(page, "copy-link");
  await page.waitForFunction(() => /clipboard/.test(document.querySelector("#live").textContent));
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a link brings back pose, camera, what is shown, panel and theme, to all digits", async () => {
  const { page, settled } = await visit();
  await page.evaluate(() => {
    lab.setPose([0.031, -0.02, 0.77, 0.05, -0.03, 0.1, Math.sqrt(1 - 0.0134)]);
    lab.view.setCamera({ position: [1.7, -1.9, 1.1], target: [0.1, 0.05, 0.4] });
    lab.store.set({ shown: { ...lab.state().shown, names: true, grid: false }, theme: "dark" });
    lab.open("forces");
  });
  await settled();
  const link = await copiedLink(page);
  assert.ok(link.startsWith("file:") && link.includes("#robot=gough-stewart&"), link.slice(0, 200));
  const state = () => ({ q: [...lab.bench().q()], camera: lab.view.camera(), shown: lab.state().shown, panel: lab.state().panel, theme: lab.state().theme, output: lab.bench().output() });
  const before = await page.evaluate(state);
  const again = await visit({ hash: link.slice(link.indexOf("#")) });
  await again.settled();
  const after = await again.page.evaluate(state);
  close(after.q, before.q, 1e-15, "q");
  close(after.camera.position, before.camera.position, 1e-12, "position");
  close(after.camera.target, before.camera.target, 1e-12, "target");
  assert.deepEqual({ ...after, q: 0, camera: 0 }, { ...before, q: 0, camera: 0 });
  assert.equal(await again.page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

test("a link carries a robot of one's own, and works in a page that is open", async () => {
  const { page } = await visit();
  await page.evaluate((text) => lab.load({ kind: "file", file: "arm.toml", text }), ARM);
  await page.evaluate(() => lab.setQ([0.123456789012345, -1 / 3]));
  const link = await copiedLink(page);
  const again = await visit();
  await again.page.evaluate((hash) => (location.hash = hash), link.slice(link.indexOf("#")));
  await again.page.waitForFunction(() => lab.robot().name === "given arm");
  await again.page.waitForFunction(() => lab.live().q[0] !== 0);
  assert.deepEqual(await again.page.evaluate(() => [...lab.bench().q()]), [0.123456789012345, -1 / 3]);
  assert.equal(await again.page.evaluate(() => lab.robot().text), ARM);
});

test("bad links give a message and a robot", async () => {
  const bomb = "file=a.toml&text=" + Buffer.from(await deflated("x".repeat(40e6))).toString("base64url");
  for (const [hash, said] of [["#robot=nobody", /nobody/], ["#file=a.toml&text=%%%", /damaged or was cut off/], ["#file=a.toml&text=AAAA", /damaged or was cut off/], ["#robot=puma560&q=1,x", /no list of numbers/], ["#robot=puma560&q=1,2", /2 numbers, the robot has 6 joints/], [`#${bomb}`, /16 million/]]) {
    const { page, messages } = await visit({ hash });
    assert.match((await messages()).join(), said);
    assert.ok(await page.evaluate(() => lab.robot().joints.length > 0));
  }
  const { page } = await visit({ hash: "#robot=puma560&q=1,2,NaN&camera=1,x&shown=nothing&panel=none&theme=blue" });
  assert.equal(await page.evaluate(() => lab.robot().name), "PUMA 560");
});

async function deflated(text) {
  const { deflateRawSync } = await import("node:zlib");
  return deflateRawSync(Buffer.from(text));
}

test("a link that would be too long is refused in words", async () => {
  const { page, messages } = await visit();
  // What hardly deflates.
  const noise = Array.from({ length: 30_000 }, (_, i) => `# ${Math.sin(i + 1).toString(36)}${Math.cos(i).toString(36)}`).join("\n");
  assert.equal(await page.evaluate((text) => lab.load({ kind: "file", file: "arm.toml", text }), `${ARM}${noise}`), true);
  await command(page, "copy-link");
  await page.waitForSelector("#toasts .toast.error");
  assert.match((await messages()).join(), /characters, more than programs accept/);
});

test("PNG: the size that was asked for, with the robot in it", async () => {
  const { page, download, settled } = await visit();
  await settled();
  const size = await page.evaluate(() => [lab.view.canvas.width, lab.view.canvas.height]);
  for (const scale of [1, 2, 4]) {
    await command(page, "picture");
    const { name, bytes } = await download(() => page.click(`#home-png-${scale}`));
    assert.equal(name, "gough-stewart-platform.png");
    const picture = decode(bytes);
    assert.deepEqual([picture.width, picture.height], size.map((x) => x * scale));
    // A driven joint is where the view says it is, in a colour that is not the background's.
    const box = await page.locator("#view canvas").first().boundingBox();
    const nodes = await page.evaluate(() => lab.sketch().nodes.filter((node) => node.driven).map((node) => lab.project(node.at)));
    const background = picture.at(2, picture.height / 2);
    const seen = nodes.filter(([x, y]) => apart(picture.at((x - box.x) * scale, (y - box.y) * scale), background) > 60);
    assert.ok(seen.length >= 4, `${seen.length} of ${nodes.length} drives are drawn at ${scale}×`);
  }
});

test("SVG: a line for each bar, where the view draws it", async () => {
  const { page, download, settled } = await visit();
  await settled();
  await command(page, "picture");
  const { name, bytes } = await download(() => page.click("#home-svg"));
  assert.equal(name, "gough-stewart-platform.svg");
  const svg = bytes.toString();
  const lines = [...svg.matchAll(/<line x1="([^"]+)" y1="([^"]+)"/g)].map((found) => [Number(found[1]), Number(found[2])]);
  const bars = await page.evaluate(() => lab.sketch().bars.flatMap(({ line }) => line.slice(0, -1).map((point) => lab.project(point))));
  assert.equal(lines.length, bars.length);
  const box = await page.locator("#view canvas").first().boundingBox();
  for (const [x, y] of bars) assert.ok(lines.some(([u, v]) => Math.hypot(u + box.x - x, v + box.y - y) < 0.1), `a line begins at ${x}, ${y}`);
  const parsed = await page.evaluate((svg) => new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror") === null, svg);
  assert.ok(parsed);
});

test("WebM: a film that plays, with frames in it", async () => {
  const { page, download } = await visit();
  await command(page, "film");
  await page.waitForSelector("#film");
  for (let k = 0; k < 12; k++) await page.evaluate((k) => (lab.setPose([0.01 * k, 0, 0.75, 0, 0, 0, 1]), new Promise((next) => setTimeout(next, 100))), k);
  const { name, bytes } = await download(() => page.click("#film-stop"));
  assert.equal(name, "gough-stewart-platform.webm");
  assert.deepEqual([...bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]); // EBML
  assert.equal(await page.locator("#film").count(), 0);
  const film = await page.evaluate(async (base64) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await new Promise((ready, failed) => Object.assign(video, { onloadeddata: ready, onerror: () => failed(new Error(video.error?.message)) }));
    await video.play();
    await new Promise((ended) => (video.onended = ended));
    return { frames: video.getVideoPlaybackQuality().totalVideoFrames, width: video.videoWidth, height: video.videoHeight };
  }, bytes.toString("base64"));
  assert.ok(film.frames > 3, `${film.frames} frames`);
  assert.ok(film.width > 100 && film.height > 100);
});

test("without a recorder the film is refused in words", async () => {
  const { page, messages } = await visit();
  await page.evaluate(() => delete window.MediaRecorder);
  await command(page, "film");
  await page.waitForSelector("#toasts .toast");
  assert.match((await messages()).join(), /cannot record/);
});

test("CSV of the present state has every number with all digits", async () => {
  const { page, download, load } = await visit();
  await load("puma560");
  await page.evaluate(() => (lab.setQ([0.3, -0.9, 0.6, 0.4, 0.8, -0.2]), lab.setMotion([0.2, -0.1, 0.3, 0.5, -0.4, 0.6], [-0.7, 0.4, 0.9, -0.3, 0.6, 0.2])));
  const live = await page.evaluate(() => lab.live());
  await command(page, "tables");
  await made(page);
  const { name, bytes } = await download(() => page.click("#home-save"));
  assert.equal(name, "puma-560-state.csv");
  const rows = new Map(bytes.toString().trim().split("\n").slice(1).map((line) => [line.slice(0, line.lastIndexOf(",")), Number(line.slice(line.lastIndexOf(",") + 1))]));
  assert.equal(rows.get("q.shoulder"), -0.9);
  assert.equal(rows.get("tau.waist"), live.tau[0]);
  assert.equal(rows.get("M1_2"), live.inertia[0][1]);
  assert.equal(rows.get("com.z"), live.com[2]);
  // Of a robot with loops: velocities of joints under the joints' names.
  await page.keyboard.press("Escape");
  await load("gough-stewart");
  const { v, names } = await page.evaluate(() => (lab.setMotion([0.1, 0, 0, 0, 0, 0.2], [0, 0, 0, 0, 0, 0]), { v: lab.live().v, names: lab.robot().joints.map((joint) => joint.name) }));
  await command(page, "tables");
  const { text } = await made(page);
  const written = text.split("\n").filter((line) => line.startsWith("v."));
  assert.deepEqual(written, v.map((value, k) => `v.${names[k]},${value}`));
});

test("CSV of a run has a row for each of its times", async () => {
  const { page, download, load } = await visit();
  await load("two-link");
  await page.evaluate(() => {
    for (let k = 0; k < 5; k++) lab.motion.runner.step();
  });
  await command(page, "tables");
  const { text } = await made(page);
  const run = await page.evaluate(() => ({ t: lab.motion.run().t, q: lab.motion.run().groups.positions.data }));
  const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
  assert.deepEqual(head.slice(0, 3), ["t", "q1", "q2"]);
  assert.deepEqual(rows.map((row) => Number(row[0])), run.t);
  assert.deepEqual(rows.map((row) => Number(row[2])), run.q[1]);
  const { name } = await download(() => page.click("#home-save"));
  assert.equal(name, "two-link-arm-run.csv");
});

/** Torques or forces of the drives in a state that moves. */
const answer = (page) =>
  page.evaluate(() => {
    if (lab.robot().kind === "tree") lab.setQ([0.3, -0.9, 0.6, 0.4, 0.8, -0.2]);
    lab.setMotion([0.02, 0.01, -0.03, 0.1, -0.2, 0.15], [0.3, -0.2, 0.1, 0.5, 0.4, -0.3]);
    return [...lab.bench().ask("inverse-dynamics")];
  });

test("the robot's file, written and read again, answers the same", async () => {
  const { page, download, load } = await visit();
  const tolerances = { toml: 1e-12, urdf: 1e-9, par: 1e-9 };
  for (const [robot, formats] of Object.entries({ puma560: ["toml", "urdf", "par"], "gough-stewart": ["toml"], "agile-wrist": ["toml"] })) {
    await load(robot);
    const expected = await answer(page);
    assert.ok(expected.every((tau) => tau !== 0));
    for (const format of formats) {
      await load(robot);
      await command(page, "robot-file");
      await made(page);
      await page.selectOption("#home-format", format);
      const { failed, remark } = await made(page);
      assert.equal(failed, false, `${robot} as ${format}: ${remark}`);
      const { name, bytes } = await download(() => page.click("#home-save"));
      await page.keyboard.press("Escape");
      assert.ok(name.endsWith(`.${format}`));
      assert.equal(await page.evaluate(([file, text]) => lab.load({ kind: "file", file, text }), [name, bytes.toString()]), true, `${robot} as ${format} is read again`);
      close(await answer(page), expected, tolerances[format], `${robot} as ${format}`);
    }
  }
});

test("a format that cannot hold the robot says why", async () => {
  const { page } = await visit();
  await command(page, "robot-file");
  await made(page);
  await page.selectOption("#home-format", "csv");
  const { failed, remark } = await made(page);
  assert.ok(failed && remark.length > 10, remark);
});

test("generated code holds the function, in every language that is chosen", async () => {
  const { page, load } = await visit();
  await load("two-link");
  await command(page, "code");
  const c = await made(page);
  assert.match(c.text, /two_link_arm_inverse_dynamics/);
  assert.match(c.text, /Operations: \d+ \* and \d+ \+/);
  const files = new Map();
  page.on("download", async (given) => files.set(given.suggestedFilename(), readFileSync(await given.path(), "utf8")));
  await page.click("#home-save");
  for (let k = 0; k < 100 && files.size < 2; k++) await page.waitForTimeout(50);
  assert.deepEqual([...files.keys()].sort(), ["two_link_arm_inverse_dynamics.c", "two_link_arm_inverse_dynamics.h"]);
  assert.match(files.get("two_link_arm_inverse_dynamics.c"), /#include "two_link_arm_inverse_dynamics.h"/);
  assert.match(files.get("two_link_arm_inverse_dynamics.h"), /void two_link_arm_inverse_dynamics\(/);
  for (const [language, pattern] of [["rust", /fn two_link_arm/], ["python", /def two_link_arm/], ["julia", /function two_link_arm/], ["cuda", /__device__|__global__/], ["latex", /\\begin|\\frac|=/]]) {
    await page.selectOption("#home-language", language);
    const { text, remark, failed } = await made(page);
    assert.equal(failed, false, `${language}: ${remark}`);
    assert.match(text, pattern, language);
  }
  await page.selectOption("#home-question", "gravity");
  assert.match((await made(page)).text, /gravity/);
});

test("the scenario of a run begins where the run began, also when the hand has the robot again", async () => {
  const { page, load } = await visit();
  await load("two-link");
  const run = await page.evaluate(() => {
    lab.setQ([0.4, -0.3]);
    for (let k = 0; k < 60; k++) lab.motion.runner.step();
    const { t, places } = lab.motion.run();
    lab.motion.runner.finish();
    return { end: t.at(-1), last: places.at(-1) };
  });
  assert.ok(Math.abs(run.last[0] - 0.4) > 0.05, "it has fallen");
  await command(page, "scenario");
  const { text } = await made(page);
  const trial = JSON.parse(await page.evaluate((text) => lab.engine.library.play(text, "two-link", ""), text));
  const row = (k) => ["q1", "q2"].map((name) => trial.rows.at(k)[trial.columns.indexOf(name)]);
  close(row(0), [0.4, -0.3], 1e-12, "start");
  assert.ok(Math.abs(trial.rows.at(-1)[0] - run.end) < 1e-9);
  close(row(-1), run.last, 1e-7, "end");
});

test("a scenario for appell simulate, with the command", async () => {
  const { page, download, load } = await visit();
  await load("two-link");
  await page.evaluate(() => lab.setQ([0.4, -0.3]));
  await command(page, "scenario");
  const first = await made(page);
  assert.match(first.remark, /appell simulate two-link-arm-scenario\.toml/);
  assert.match(first.text, /^robot = "two-link"/m);
  await page.fill("#home-duration", "0.75");
  await page.waitForFunction(() => /duration = 0.75/.test(document.querySelector("#home-preview").textContent));
  const { name, bytes } = await download(() => page.click("#home-save"));
  assert.equal(name, "two-link-arm-scenario.toml");
  // What the command line would do with it.
  const trial = JSON.parse(await page.evaluate((text) => lab.engine.library.play(text, "two-link", ""), bytes.toString()));
  assert.ok(Math.abs(trial.rows.at(-1)[0] - 0.75) < 1e-9);
  close([trial.rows[0][trial.columns.indexOf("q1")], trial.rows[0][trial.columns.indexOf("q2")]], [0.4, -0.3], 1e-12, "start");
  // And what the page does itself.
  const end = await page.evaluate(() => {
    const motion = new lab.engine.library.Motion(lab.bench(), JSON.stringify(lab.motion.options()));
    motion.step(0.75);
    const q = [...motion.q()];
    motion.free();
    return q;
  });
  close([trial.rows.at(-1)[trial.columns.indexOf("q1")], trial.rows.at(-1)[trial.columns.indexOf("q2")]], end, 1e-7, "end");
});
