// Letting it move: free fall, laws and gains, pushes, steps and rewinding, taught trajectories, scenarios, two runs, plots.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, close, laboratory } from "./page.mjs";
import { decode } from "./png.mjs";

const visit = laboratory();
const PUMA = [0.3, -0.9, 0.6, 0.4, 0.8, -0.2];
const STEP = 1 / 120;

/** The page with the motion panel open, all of its parts unfolded. */
async function bench(robot, options) {
  const visited = await visit(options);
  const { page } = visited;
  if (robot !== null) await visited.load(robot);
  await page.evaluate(() => {
    lab.open("motion");
    for (const part of document.querySelectorAll(".motion-section")) part.open = true;
  });
  return visited;
}
const frames = (page, count = 2) => page.evaluate(async (count) => { for (let k = 0; k < count; k++) await new Promise((next) => requestAnimationFrame(next)); }, count);
/** Waits until the run is as long, s of the robot's time. */
const until = (page, t) => page.waitForFunction((t) => lab.motion.runner.end >= t || lab.motion.runner.ended !== null, t);
const runner = (page, run, arg = null) => page.evaluate(`(${run})(lab.motion.runner, ${JSON.stringify(arg)})`);
const q = (page) => page.evaluate(() => lab.motion.run().places.at(-1));
const ended = (page) => page.evaluate(() => lab.motion.runner.ended);

test("free fall of a PUMA keeps its energy, and is that of the scenario for appell simulate", async () => {
  const { page } = await bench("puma560");
  const found = await page.evaluate(async (start) => {
    lab.setQ(start);
    const { runner } = lab.motion;
    const text = lab.bench().scenario(JSON.stringify(lab.motion.options()), 0.6);
    const trial = JSON.parse(lab.engine.library.play(text, "puma560", ""));
    const t = trial.columns.indexOf("t");
    const columns = Array.from({ length: 6 }, (_, k) => trial.columns.indexOf(`q${k + 1}`));
    for (let i = 1; i < trial.rows.length; i++) runner.step(trial.rows[i][t] - trial.rows[i - 1][t]);
    const { groups, t: times } = lab.motion.run();
    return {
      ended: runner.ended,
      stop: trial.stop,
      times,
      trialTimes: trial.rows.map((row) => row[t]),
      positions: groups.positions.data,
      trialPositions: columns.map((column) => trial.rows.map((row) => row[column])),
      energy: groups.energies.data[2],
      kinetic: groups.energies.data[0],
    };
  }, PUMA);
  assert.equal(found.ended, null);
  assert.equal(found.stop, null);
  close(found.times, found.trialTimes, 1e-12, "t");
  assert.ok(found.times.at(-1) > 0.59 && found.times.length > 50, "it ran to the end");
  found.positions.forEach((column, k) => close(column, found.trialPositions[k], 1e-9, `q${k + 1}`));
  const largest = Math.max(...found.kinetic);
  assert.ok(largest > 5, `it falls: ${largest} J`);
  for (const energy of found.energy) assert.ok(Math.abs(energy - found.energy[0]) < 1e-6 * largest, `energy ${energy} J, at first ${found.energy[0]} J`);
});

test("rewinding and going on gives the same bits", async () => {
  const { page } = await bench("gough-stewart");
  const { first, again } = await runner(page, (runner) => {
    runner.change({ law: "hold-pd", omega: 12, zeta: 0.4, payload: 5, law_knows_payload: false });
    for (let k = 0; k < 30; k++) runner.step();
    const first = structuredClone(runner.run);
    runner.scrub(first.t[10]);
    runner.change({ omega: 12 });
    for (let k = 0; k < 20; k++) runner.step();
    return { first, again: structuredClone(runner.run) };
  });
  assert.equal(first.t.length, 31);
  assert.notDeepEqual(first.places[30], first.places[10], "it moved");
  assert.deepEqual(again, first);
});

test("the slider rewinds, and running on from there forgets what came later", async () => {
  const { page } = await bench("puma560");
  await page.click("#motion-run");
  await until(page, 0.3);
  await page.click("#motion-run");
  const rows = await runner(page, (runner) => runner.run.t.length);
  await page.evaluate(() => {
    const slider = document.querySelector("#motion-time");
    slider.value = 10;
    slider.dispatchEvent(new Event("input"));
  });
  assert.equal(await runner(page, (runner) => runner.row), 10);
  assert.equal(await runner(page, (runner) => runner.run.t.length), rows, "looking back forgets nothing");
  const { shown, recorded } = await page.evaluate(() => ({ shown: lab.state().live.q, recorded: lab.motion.run().places[10] }));
  close(shown, recorded, 1e-12, "what is drawn");
  await page.click("#motion-back");
  assert.equal(await runner(page, (runner) => runner.row), 9);
  await page.click("#motion-step");
  assert.equal(await runner(page, (runner) => runner.row), 10);
  await runner(page, (runner) => (runner.play(), runner.pause()));
  assert.equal(await runner(page, (runner) => runner.run.t.length), 11);
  await page.click("#motion-start");
  assert.equal(await runner(page, (runner) => runner.t), 0);
});

test("gains that are turned while it runs take effect", async () => {
  const { page } = await bench("puma560");
  await page.evaluate((q) => lab.setQ(q), PUMA);
  await page.selectOption("#motion-law", "hold-pd");
  await page.fill("#motion-omega", "8");
  await page.click("#motion-run");
  await until(page, 1.5);
  const soft = await runner(page, (runner) => runner.run.groups.errors.data.map((column) => column.at(-1)));
  const changed = await runner(page, (runner) => runner.end);
  await page.fill("#motion-omega", "32");
  await until(page, changed + 1.5);
  await page.click("#motion-run");
  assert.equal(await ended(page), null);
  const stiff = await runner(page, (runner) => runner.run.groups.errors.data.map((column) => column.at(-1)));
  // A spring that is 16 times stiffer sags a sixteenth under nearly the same weight.
  const [a, b] = [soft, stiff].map((errors) => Math.max(...errors.map(Math.abs)));
  assert.ok(a > 0.02, `the soft law sags: ${a}`);
  assert.ok(a / b > 10 && a / b < 25, `${a} rad, then ${b} rad`);
});

test("friction, springs and a payload change the motion; an unknown payload leaves an error", async () => {
  const { page } = await bench("puma560");
  const sag = async (payload, knows) =>
    page.evaluate(
      ([q, payload, knows]) => {
        const { runner } = lab.motion;
        runner.finish();
        lab.setQ(q);
        runner.change({ law: "computed-torque", omega: 10, zeta: 1, payload, law_knows_payload: knows });
        for (let k = 0; k < 120; k++) runner.step();
        return Math.max(...runner.run.groups.errors.data.map((column) => Math.abs(column.at(-1))));
      },
      [PUMA, payload, knows],
    );
  assert.ok((await sag(2, true)) < 1e-9, "a law that knows everything holds still");
  assert.ok((await sag(2, false)) > 1e-3, "an unknown payload pulls it away");
  const kinetic = (options) =>
    page.evaluate(
      ([q, options]) => {
        const { runner } = lab.motion;
        runner.finish();
        lab.setQ(q);
        runner.change({ law: "free", payload: 0, viscous: 0, spring: 0, ...options });
        for (let k = 0; k < 24; k++) runner.step();
        return runner.run.groups.energies.data[0].at(-1);
      },
      [PUMA, options],
    );
  const free = await kinetic({});
  assert.ok((await kinetic({ viscous: 30 })) < 0.8 * free, "friction slows it");
  assert.ok((await kinetic({ viscous: 0, spring: 300 })) < 0.8 * free, "springs hold it");
});

test("a push moves the platform in its direction: button, key, mouse", async () => {
  const { page, settled } = await bench("gough-stewart");
  await page.selectOption("#motion-law", "gravity-compensation");
  const start = await page.evaluate(() => lab.state().live.pose);
  const place = () => page.evaluate(() => lab.state().live.pose.slice(0, 3));

  const button = await page.locator('[id="push-+x"]').boundingBox();
  await page.mouse.move(button.x + 5, button.y + 5);
  await page.mouse.down();
  await until(page, 0.25);
  assert.match(await page.textContent("#motion-pushing"), /pushing with .* N/);
  await page.mouse.up();
  await runner(page, (runner) => runner.pause());
  const x = await place();
  assert.ok(x[0] - start[0] > 1e-3, `x grew by ${x[0] - start[0]} m`);
  assert.ok(Math.abs(x[1] - start[1]) < 0.2 * (x[0] - start[0]), "and hardly y");
  assert.equal(await page.evaluate(() => lab.view.arrows.has("push")), false, "the arrow is gone");

  await page.click("#motion-end");
  await page.evaluate(() => lab.home());
  await page.focus('[id="push--y"]');
  await page.keyboard.down(" ");
  await until(page, 0.25);
  await page.keyboard.up(" ");
  await runner(page, (runner) => runner.pause());
  const y = await place();
  assert.ok(y[1] - start[1] < -1e-3, `y fell by ${start[1] - y[1]} m`);

  await page.click("#motion-end");
  await page.evaluate(() => lab.home());
  await settled();
  await page.click("#motion-run");
  const middle = await page.evaluate(() => {
    const { platform } = lab.state().sketch;
    return lab.project([0, 1, 2].map((k) => platform.reduce((sum, corner) => sum + corner[k], 0) / platform.length));
  });
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 60, middle[1], { steps: 4 });
  const from = await runner(page, (runner) => runner.end);
  await until(page, from + 0.3);
  assert.equal(await page.evaluate(() => lab.view.arrows.has("push")), true, "an arrow shows the push");
  const pushed = await page.evaluate((middle) => {
    const [x] = lab.project(lab.state().live.pose.slice(0, 3));
    return { x, wrench: [...lab.motion.runner.wrench], before: middle[0] };
  }, middle);
  await page.mouse.up();
  await runner(page, (runner) => runner.pause());
  assert.ok(Math.hypot(...pushed.wrench.slice(0, 3)) > 1, "it pushes");
  const at = await page.evaluate((pose) => lab.project(pose), start.slice(0, 3));
  assert.ok(pushed.x > at[0] + 1, `the platform went right on the screen, by ${pushed.x - at[0]} px`);
});

test("slow motion takes finer steps of the robot's time", async () => {
  const { page } = await bench("puma560");
  const steps = async (speed) => {
    await page.selectOption("#motion-speed", speed);
    await page.click("#motion-run");
    await page.waitForFunction(() => lab.motion.run().t.length > 5);
    await page.click("#motion-run");
    const t = await runner(page, (runner) => runner.run.t);
    await page.click("#motion-end");
    return t[3] - t[2];
  };
  assert.ok(Math.abs((await steps("1")) - STEP) < 1e-12);
  assert.ok(Math.abs((await steps("0.1")) - 0.1 * STEP) < 1e-12);
  assert.ok(Math.abs((await steps("5")) - STEP) < 1e-12, "but never coarser ones");
});

test("keys: space runs and pauses, full stop and comma step", async () => {
  const { page } = await bench("puma560");
  await page.focus("canvas");
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  assert.equal(await runner(page, (runner) => runner.row), 2);
  await page.keyboard.press(",");
  assert.equal(await runner(page, (runner) => runner.row), 1);
  await page.keyboard.press(" ");
  assert.equal(await runner(page, (runner) => runner.phase), "running");
  await page.keyboard.press(" ");
  assert.equal(await runner(page, (runner) => runner.phase), "paused");
  // On a button the space bar presses that button.
  await page.focus("#motion-start");
  await page.keyboard.press(" ");
  assert.deepEqual(await runner(page, (runner) => [runner.phase, runner.t]), ["paused", 0]);
});

test("a robot that falls stays in sight, until somebody moves the camera", async () => {
  const { page, settled } = await bench("gough-stewart");
  await page.evaluate(() => lab.view.fit());
  const seen = () =>
    page.evaluate(async () => {
      for (let k = 0; k < 2; k++) await new Promise((next) => requestAnimationFrame(next));
      const box = lab.view.canvas.getBoundingClientRect();
      return lab.state().sketch.platform.every((point) => (([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom)(lab.project(point)));
    });
  const fall = (steps) => runner(page, (runner, steps) => { for (let k = 0; k < steps; k++) runner.step(0.02); }, steps);
  await fall(35);
  await settled();
  const height = await page.evaluate(() => lab.state().sketch.platform[0][2]);
  assert.ok(height < -0.5, `it fell to ${height} m`);
  assert.ok(await seen());
  const placed = await page.evaluate(() => (lab.view.setCamera({ position: [33, 30, 9], target: [30, 30, 8] }), lab.view.camera()));
  await fall(2);
  await settled();
  assert.equal(await seen(), false, "the robot is elsewhere");
  assert.deepEqual(await page.evaluate(() => lab.view.camera()), placed);
});

test("the hand gets the robot where the run left it", async () => {
  const { page, settled } = await bench("puma560");
  await runner(page, (runner) => { for (let k = 0; k < 20; k++) runner.step(); });
  assert.equal(await page.evaluate(() => lab.state().owner), "motion");
  const last = await q(page);
  await page.click("#motion-end");
  await settled();
  assert.equal(await page.evaluate(() => lab.state().owner), "hand");
  close(await page.evaluate(() => [...lab.bench().q()]), last, 1e-12, "q");
});

for (const [robot, of, move] of [["puma560", "joints", "setQ"], ["gough-stewart", "pose", "setPose"]])
  test(`a trajectory of ${robot} goes through its taught points, is drawn, and is followed`, async () => {
    const { page, pixels } = await bench(robot);
    const points = await page.evaluate(
      ([move, of]) => {
        const start = of === "joints" ? [...lab.bench().q()] : [...lab.bench().pose()];
        return [0, 1, 2].map((k) => {
          lab[move](start.map((x, i) => x + (of === "pose" && i > 2 ? 0 : 0.05 * k * (i % 2 === k % 2 ? 1 : -1))));
          document.querySelector("#teach").click();
          return of === "joints" ? lab.state().live.q : lab.state().live.pose;
        });
      },
      [move, of],
    );
    assert.equal(await page.locator("#taught li").count(), 3);
    await page.fill("#trajectory-duration", "1.5");
    await page.click("#trajectory-compute");
    await page.waitForFunction(() => document.querySelector("#trajectory-result").textContent !== "");
    await page.waitForFunction(() => lab.motion.runner.phase === "paused");
    const { run, poses } = await page.evaluate(() => ({ run: lab.motion.run(), poses: lab.view.lines.get("trajectory").geometry.attributes.position.array }));
    assert.equal(run.t[0], 0);
    assert.ok(Math.abs(run.t.at(-1) - 1.5) < 1e-12);
    if (of === "joints") {
      assert.deepEqual(run.places[0], points[0]);
      close(run.places.at(-1), points[2], 1e-12, "the last point");
      const nearest = Math.min(...run.places.map((row) => Math.hypot(...row.map((x, k) => x - points[1][k]))));
      assert.ok(nearest < 0.01, `passes the second point at ${nearest}`);
    }
    const line = Array.from(poses);
    if (of === "pose") {
      close(line.slice(0, 3), points[0].slice(0, 3), 1e-6, "the line begins at the first point");
      close(line.slice(-3), points[2].slice(0, 3), 1e-6, "and ends at the last");
    }
    // The line is where it should be on the screen.
    const picture = await pixels();
    const at = await page.evaluate((line) => lab.project(line), line.slice(3 * 75, 3 * 76));
    const near = [-2, -1, 0, 1, 2].flatMap((dx) => [-2, -1, 0, 1, 2].map((dy) => picture.at(at[0] + dx, at[1] + dy)));
    assert.ok(near.some(([r, g, b]) => r > 140 && g < 120 && b > 80 && r - g > 60), `no line at ${at}: ${near.slice(0, 5)}`);

    await page.click("#trajectory-follow");
    await until(page, 1.5);
    await runner(page, (runner) => runner.pause());
    assert.equal(await ended(page), null);
    const errors = await runner(page, (runner) => runner.run.groups.errors.data.flat().map(Math.abs));
    assert.ok(Math.max(...errors) < 1e-3, `follows it within ${Math.max(...errors)}`);
    assert.equal(await runner(page, (runner) => runner.options.law), "computed-torque");
    await page.click("#trajectory-drop");
    assert.equal(await runner(page, (runner) => runner.options.reference), null);
  });

test("taught points: go, order, remove", async () => {
  const { page, settled } = await bench("puma560");
  for (const x of [0.1, 0.2, 0.3]) {
    await page.evaluate((x) => lab.setJoint(0, x), x);
    await page.click("#teach");
  }
  await page.click("#taught-0-go");
  await settled();
  assert.ok(Math.abs((await page.evaluate(() => lab.bench().q()[0])) - 0.1) < 1e-12);
  await page.click("#taught-2-up");
  await page.click("#taught-1-go");
  await settled();
  assert.ok(Math.abs((await page.evaluate(() => lab.bench().q()[0])) - 0.3) < 1e-12);
  await page.click("#taught-0-remove");
  assert.equal(await page.locator("#taught li").count(), 2);
  await page.click("#trajectory-forget");
  assert.equal(await page.locator("#taught li").count(), 0);
  assert.equal(await page.isDisabled("#trajectory-compute"), true);
});

test("scenarios of the library run in a worker; their columns are plotted and played", async () => {
  const { page } = await bench("gough-stewart");
  const known = await page.$$eval("#scenario option", (all) => all.map((one) => one.value).filter(Boolean));
  assert.ok(known.includes("puma-tool"), known.join());
  await page.selectOption("#scenario", "puma-tool");
  assert.match(await page.inputValue("#scenario-text"), /robot = "puma560"/);
  await page.click("#scenario-run");
  await page.waitForFunction(() => lab.motion.run() !== null);
  await runner(page, (runner) => runner.pause());
  const { name, run } = await page.evaluate(() => ({ name: lab.robot().name, run: lab.motion.run() }));
  assert.match(name, /PUMA/i);
  assert.ok(Math.abs(run.t.at(-1) - 2.5) < 1e-9, `up to ${run.t.at(-1)} s`);
  for (const key of ["positions", "torques", "errors", "speeds"]) {
    assert.equal(run.groups[key].columns.length, 6, key);
    assert.equal(await page.isVisible(`#plot-${key} canvas`), true, key);
  }
  const legend = await page.$$eval("#plot-torques .u-legend .u-label", (all) => all.map((one) => one.textContent));
  assert.deepEqual(legend.slice(1), run.groups.torques.names);
  await runner(page, (runner) => runner.scrub(1.2));
  const { shown, row } = await page.evaluate(() => ({ shown: lab.state().live.q, row: lab.motion.run().places[lab.motion.runner.row] }));
  close(shown, row, 1e-12, "the drawn robot is that of the record");
});

test("a scenario that is wrong is refused with its line; one under way is cancelled", async () => {
  const { page } = await bench("puma560");
  await page.selectOption("#scenario", "puma-tool");
  const text = await page.inputValue("#scenario-text");
  await page.fill("#scenario-text", text.replace(/^law = "computed-torque"/m, 'law = "no-such-law"'));
  await page.click("#scenario-run");
  await page.waitForFunction(() => document.querySelector("#scenario-result").classList.contains("bad"));
  assert.match(await page.textContent("#scenario-result"), /line \d+.*no-such-law/s);
  const selected = await page.$eval("#scenario-text", (area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.equal(selected, 'law = "no-such-law"', "its line is selected");
  await page.fill("#scenario-text", text.replace("duration = 2.5", "duration = 2000.0").replace("record = 5e-3", "record = 5.0"));
  await page.click("#scenario-run");
  await page.waitForSelector("#scenario-stop:not([hidden])");
  await page.click("#scenario-stop");
  await page.waitForSelector("#scenario-run:not([hidden])");
  assert.equal(await page.evaluate(() => lab.motion.run()), null);
  assert.equal(await page.evaluate(() => lab.state().busy), "");
});

test("a scenario that is wrong leaves the robot on the bench", async () => {
  const { page } = await bench("two-link");
  await page.selectOption("#scenario", "puma-tool");
  const text = await page.inputValue("#scenario-text");
  await page.fill("#scenario-text", text.replace(/^law = "computed-torque"/m, 'law = "no-such-law"'));
  await page.click("#scenario-run");
  await page.waitForFunction(() => document.querySelector("#scenario-result").classList.contains("bad"));
  assert.equal(await page.evaluate(() => lab.state().source.name), "two-link");
  await page.fill("#scenario-text", text);
  await page.click("#scenario-run");
  await page.waitForFunction(() => lab.motion.run() !== null);
  assert.equal(await page.evaluate(() => lab.robot().joints.length), 6);
});

test("a law of the robot before is not kept where there are no drives", async () => {
  const { page } = await bench("puma560");
  await page.selectOption("#motion-law", "hold-pd");
  const text = await page.evaluate(() => {
    const { Bench } = lab.engine.library;
    return JSON.parse(Bench.builtin("four-bar").info()).text.replace('crank.home = "60 deg"', 'crank = { driven = false, home = "60 deg" }');
  });
  await page.evaluate((text) => lab.load({ kind: "file", file: "loose.toml", text }), text);
  assert.equal(await page.evaluate(() => lab.robot().drives.length), 0);
  assert.equal(await page.evaluate(() => lab.motion.options().law), "free");
  assert.equal(await page.inputValue("#motion-law"), "free");
});

test("the scenario of a run gives the same numbers when it is run", async () => {
  const { page } = await bench("puma560");
  await page.evaluate((q) => lab.setQ(q), PUMA);
  await runner(page, (runner) => {
    runner.change({ law: "hold-pd", omega: 12, payload: 2, law_knows_payload: false, viscous: 1 });
    for (let k = 0; k < 60; k++) runner.step();
    runner.keep();
  });
  await page.click("#scenario-present");
  assert.match(await page.inputValue("#scenario-text"), /robot = "puma560"/);
  await page.click("#scenario-run");
  await page.waitForFunction(() => document.querySelector("#scenario-result").textContent !== "");
  await runner(page, (runner) => runner.pause());
  const rms = await page.$$eval("#run-differences tr[data-rms]", (all) => all.map((row) => [row.dataset.column, Number(row.dataset.largest)]));
  assert.ok(rms.length >= 15, rms.join());
  for (const [column, largest] of rms) assert.ok(largest < 1e-9 * (/tau|total|kinetic|potential/.test(column) ? 100 : 1), `${column}: ${largest}`);
});

test("two runs: the kept one dashed and pale, their difference in a table", async () => {
  const { page } = await bench("puma560");
  await runner(page, (runner) => {
    for (let k = 0; k < 40; k++) runner.step();
    runner.keep();
    runner.scrub(0);
    runner.change({ law: "gravity-compensation" });
    runner.play();
  });
  await until(page, 0.3);
  await runner(page, (runner) => runner.pause());
  await frames(page, 4);
  assert.equal(await page.evaluate(() => lab.view.ghosts.has("kept")), true);
  const legend = await page.$$eval("#plot-positions .u-legend .u-label", (all) => all.length);
  assert.equal(legend, 13, "time, six columns, six kept ones");
  const { run, kept } = await page.evaluate(() => ({ run: lab.motion.run(), kept: lab.motion.runner.kept }));
  // The law holds still, so that the difference is the way of the fall.
  let sum = 0;
  const rows = run.t.filter((t) => t <= kept.t.at(-1)).length;
  for (let i = 0; i < rows; i++) sum += (run.groups.positions.data[1][i] - kept.groups.positions.data[1][i]) ** 2;
  const rms = Number(await page.getAttribute('#run-differences tr[data-column="q2"]', "data-rms"));
  assert.ok(Math.abs(rms - Math.sqrt(sum / rows)) < 1e-9 && rms > 1e-3, `${rms}, expected ${Math.sqrt(sum / rows)}`);
  await page.click("#run-drop");
  assert.equal(await page.evaluate(() => lab.view.ghosts.has("kept")), false);
});

test("two runs that start in different poses say so; the next one can start where the kept one did", async () => {
  const { page } = await bench("puma560");
  const start = await page.evaluate((q) => (lab.setQ(q), q), PUMA);
  await runner(page, (runner) => {
    for (let k = 0; k < 40; k++) runner.step();
    runner.keep();
    runner.finish();
    for (let k = 0; k < 4; k++) runner.step();
  });
  assert.equal(await page.isVisible("#run-starts"), true);
  await page.click("#run-same-start");
  await until(page, 0.1);
  await runner(page, (runner) => runner.pause());
  close(await page.evaluate(() => lab.motion.run().places[0]), start, 1e-12, "start");
  assert.equal(await page.isVisible("#run-starts"), false);
  assert.ok(Number(await page.getAttribute('#run-differences tr[data-column="q2"]', "data-rms")) < 1e-9);
});

test("a measured table: against itself the difference is nothing, a shifted column shows its shift", async () => {
  const { page } = await bench("puma560");
  await runner(page, (runner) => { for (let k = 0; k < 30; k++) runner.step(); });
  const text = await page.evaluate(() => lab.motion.csv());
  const open = async (content) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#run-measured")]);
    await chooser.setFiles({ name: "measured.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
    await page.waitForFunction(() => lab.motion.runner.kept !== null || document.querySelector(".toast"));
  };
  const rms = () => page.$$eval("#run-differences tr[data-rms]", (all) => Object.fromEntries(all.map((row) => [row.dataset.column, Number(row.dataset.rms)])));
  await open(text);
  const same = await rms();
  assert.ok("q1" in same && "tau6" in same, Object.keys(same).join());
  for (const [column, value] of Object.entries(same)) assert.equal(value, 0, column);
  const [head, ...rows] = text.trim().split("\n");
  const at = head.split(",").indexOf("q3");
  const shifted = rows.map((row) => row.split(",").map((cell, k) => (k === at ? Number(cell) + 0.01 : cell)).join(","));
  await page.click("#run-drop");
  await open([head, ...shifted].join("\n"));
  const other = await rms();
  assert.ok(Math.abs(other.q3 - 0.01) < 1e-12 && other.q1 === 0, JSON.stringify(other));
  await page.click("#run-drop");
  await open("time,value\n1,2\n");
  assert.match(await page.textContent(".toast"), /measured\.csv: the table has no column t/);
  await page.click(".toast .close");
  await open("t,q1,q2,q1\n0,1,2,3\n");
  assert.match(await page.textContent(".toast"), /column q1 is given twice/);
  await page.click(".toast .close");
  await open("t,q1,q2\n0,1,off\n1,,0\n2,n/a,0\n");
  await page.waitForSelector(".toast.warning");
  assert.match(await page.textContent(".toast p"), /2 cells are no numbers.*“off” in line 2/);
});

test("plots: a curve in the first colour, values at the cursor, zoom, CSV and PNG", async () => {
  const { page, download, pixels } = await bench("puma560");
  await page.evaluate((q) => lab.setQ(q), PUMA);
  await runner(page, (runner) => { for (let k = 0; k < 60; k++) runner.step(); });
  await pixels();
  const blue = await page.evaluate(() => {
    const canvas = document.querySelector("#plot-positions canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const columns = new Set();
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200 && Math.abs(data[k]) < 12 && Math.abs(data[k + 1] - 114) < 12 && Math.abs(data[k + 2] - 178) < 12) columns.add((k / 4) % canvas.width);
    return { columns: columns.size, width: document.querySelector("#plot-positions .u-over").clientWidth };
  });
  assert.ok(blue.columns > 0.5 * blue.width, `the first curve covers ${blue.columns} of ${blue.width} columns`);

  const over = await page.locator("#plot-torques .u-over").boundingBox();
  await page.mouse.move(over.x + 0.5 * over.width, over.y + 20);
  await frames(page);
  const legend = (key) => page.$$eval(`#plot-${key} .u-legend .u-value`, (all) => all.map((one) => Number(one.textContent.replace("−", "-").replace(" s", ""))));
  const run = await page.evaluate(() => lab.motion.run());
  for (const key of ["torques", "positions"]) {
    const [t, ...values] = await legend(key); // of both: the cursor is common
    const row = run.t.findIndex((time) => Math.abs(time - t) < 1e-3);
    assert.ok(Math.abs(row - 30) <= 1, `the cursor is at row ${row}`);
    values.forEach((value, k) => assert.ok(Math.abs(value - run.groups[key].data[k][row]) <= 1e-3 * Math.max(1, Math.abs(value)), `${key} ${k}: ${value}`));
  }
  await page.mouse.click(over.x + 0.25 * over.width, over.y + 20);
  assert.ok(Math.abs((await runner(page, (runner) => runner.row)) - 15) <= 1, "a click goes to that time");

  await page.mouse.move(over.x + 0.2 * over.width, over.y + 20);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.6 * over.width, over.y + 20, { steps: 4 });
  await page.mouse.up();
  await frames(page);
  const edges = async () => {
    const found = [];
    for (const part of [0.002, 0.998]) {
      await page.mouse.move(over.x + part * over.width, over.y + 20);
      await frames(page);
      found.push((await legend("positions"))[0]);
    }
    return found;
  };
  close(await edges(), [0.1, 0.3], 0.01, "zoomed to");
  await page.click("#plots-reset");
  close(await edges(), [0, 0.5], 0.01, "all of it");

  const table = await download(() => page.click("#csv-positions"));
  assert.match(table.name, /positions\.csv$/);
  const [head, ...rows] = table.bytes.toString().trim().split("\n");
  assert.equal(head, "t,q1,q2,q3,q4,q5,q6");
  assert.deepEqual(rows[40].split(",").map(Number), [run.t[40], ...run.groups.positions.data.map((column) => column[40])]);
  const picture = await download(() => page.click("#png-torques"));
  const { width, height } = decode(picture.bytes);
  assert.ok(width > 250 && height > 150, `${width} × ${height}`);
});

test("another robot comes while one runs", async () => {
  const { page, load } = await bench("puma560");
  await page.click("#motion-run");
  await until(page, 0.1);
  await load("gough-stewart");
  await frames(page, 3);
  assert.deepEqual(await runner(page, (runner) => [runner.phase, runner.run]), ["idle", null]);
  assert.equal(await page.evaluate(() => lab.state().owner), "hand");
  await page.click("#motion-run");
  await until(page, 0.05);
  await page.click("#motion-run");
  assert.equal((await page.evaluate(() => lab.motion.run().groups.positions.columns)).length, 6);
});

/** A pendulum that falls to the end of its joint's way. */
const PENDULUM = `<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-0.4" upper="0.4" effort="20" velocity="10"/></joint>
</robot>`;

test("a run that ends by itself says why", async () => {
  const { page } = await bench(null);
  await page.evaluate((text) => lab.load({ kind: "file", file: "pendulum.urdf", text }), PENDULUM);
  await frames(page, 3);
  await page.click("#motion-run");
  await page.waitForFunction(() => lab.motion.runner.ended !== null || lab.motion.runner.end > 5);
  const why = await ended(page);
  assert.match(why ?? "", /hinge/, "the joint is named");
  assert.equal(await page.textContent("#motion-status"), `The run has ended: ${why}`);
  const [t, angle] = await runner(page, (runner) => [runner.end, runner.run.groups.positions.data[0].at(-1)]);
  assert.ok(Math.abs(angle - 0.4) < 0.05, `at ${angle} rad after ${t} s`);
  assert.equal(await page.isDisabled("#motion-run"), true);
  await page.click("#motion-start");
  assert.equal(await page.isDisabled("#motion-run"), false);
});

test("options that the library rejects are said and taken back", async () => {
  const { page, messages } = await bench("puma560");
  await page.selectOption("#motion-law", "computed-torque");
  await page.click("#motion-step");
  await page.fill("#motion-omega", "900000");
  await page.waitForSelector(".toast.error");
  assert.ok((await messages())[0].length > 10);
  assert.equal(await runner(page, (runner) => runner.options.omega), 10);
  assert.equal(await page.inputValue("#motion-omega"), "10");
  await page.click("#motion-step");
  assert.equal(await ended(page), null);
});

test("a trap of the library: a message, then everything works again", async () => {
  const { page, messages } = await bench("puma560");
  await page.evaluate(() => {
    const { prototype } = lab.engine.library.Motion;
    const { step } = prototype;
    let left = 3;
    prototype.step = function (dt) {
      if (left-- === 0) throw new WebAssembly.RuntimeError("unreachable");
      return step.call(this, dt);
    };
  });
  await page.click("#motion-run");
  await page.waitForSelector(".toast.error");
  assert.match((await messages())[0], /the library stopped/);
  assert.equal(await runner(page, (runner) => runner.phase), "idle");
  await page.click("#motion-run");
  await until(page, 0.1);
  await page.click("#motion-run");
  assert.equal(await ended(page), null);
});

test("on a phone the play bar, the plots and the robot are in sight together", async () => {
  const { page } = await bench("puma560", { viewport: PHONE });
  await page.click("#motion-run");
  await until(page, 0.1);
  await page.click("#motion-run");
  await page.click("#motion-plots");
  await frames(page, 3);
  for (const selector of ["#motion-run", "#plot-positions canvas", "canvas"]) assert.equal(await page.locator(selector).first().isVisible(), true, selector);
  const view = await page.locator("#view").boundingBox();
  assert.ok(view.height > 150, `the view has ${view.height} px`);
});

test("a record or a scenario that is dropped on the page comes to the motion", async () => {
  const { page, drop } = await bench("puma560");
  await runner(page, (runner) => { for (let k = 0; k < 10; k++) runner.step(); });
  const table = await page.evaluate(() => lab.motion.csv());
  await drop([["run 7.csv", table]]);
  await page.waitForFunction(() => lab.motion.runner.kept !== null);
  assert.match(await page.textContent("#run-telling"), /run 7\.csv/);
  await drop([["trial.toml", 'name = "mine"\nrobot = "puma560"\nduration = 0.1\n[reference]\nkind = "hold"\n']]);
  await page.waitForFunction(() => document.querySelector("#scenario-text").value.includes('name = "mine"'));
});

test("a robot that is too large for live runs is told so", async () => {
  const { page, messages } = await bench(null);
  const link = (k) => `<link name="l${k}"><inertial><origin xyz="0.01 0 0"/><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j${k}" type="continuous"><parent link="l${k - 1}"/><child link="l${k}"/><origin xyz="0.02 0 0"/><axis xyz="0 ${k % 2} ${1 - (k % 2)}"/></joint>`;
  const text = `<robot name="chain"><link name="l0"/>${Array.from({ length: 301 }, (_, k) => link(k + 1)).join("\n")}</robot>`;
  await page.evaluate((text) => lab.load({ kind: "file", file: "chain.urdf", text }), text);
  await page.click("#motion-run");
  await page.waitForSelector(".toast.error");
  assert.match((await messages()).at(-1), /301 joints; live runs have at most 300/);
  assert.deepEqual(await page.evaluate(() => [lab.motion.runner.phase, lab.state().owner]), ["idle", "hand"]);
});
