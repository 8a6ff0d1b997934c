// What the mathematics says, live: numbers against the command line's, pictures against their scales.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { close, laboratory } from "./page.mjs";

const visit = laboratory();
const golden = JSON.parse(readFileSync(fileURLToPath(new URL("golden/numbers.json", import.meta.url)), "utf8"));

/** Puts a robot where the command line computed its numbers. */
const place = (page, name) =>
  page.evaluate(
    async ([name, { kind, q, pose, drives, v, a }]) => {
      await lab.load(name);
      const why = kind === "tree" ? lab.setQ(q) : pose ? lab.setPose(pose) : lab.setDrives(drives);
      if (v && (kind === "tree" || pose)) lab.setMotion(v, a);
      return why;
    },
    [name, golden[name]],
  );
/** A number as the page writes it, and back. */
const digits = (text) => Number(text.replaceAll("−", "-").replace(/ (J|kg|m)$/, ""));
/** Equal to the digits shown: half a unit of the last of four. */
const shows = (text, value, what) => assert.ok(Math.abs(digits(text) - value) <= 0.5000001 * 10 ** Math.max(-5, Math.floor(Math.log10(Math.abs(value) || 1)) - 3) , `${what}: ${text} for ${value}`);
/** Texts are written some 100 ms after the frame that brought the numbers. */
const written = async ({ page, settled }) => {
  await settled();
  await page.evaluate(() => new Promise((next) => setTimeout(next, 300)));
};

test("every answer of every built-in robot equals the command line's to 1e-12", async () => {
  const { page } = await visit();
  for (const [name, { mass, answers }] of Object.entries(golden)) {
    assert.equal(await place(page, name), "", name);
    close([await page.evaluate(() => lab.robot().mass)], [mass], 1e-12, `${name}: mass`);
    const found = await page.evaluate((questions) => questions.map((one) => ({ columns: JSON.parse(lab.bench().columns(one)), values: [...lab.bench().ask(one)] })), Object.keys(answers));
    Object.entries(answers).forEach(([question, { columns, values }], i) => {
      const what = `${name}: ${question}`;
      assert.deepEqual(found[i].columns, columns, what);
      // Angles of joints go on beyond a turn while the robot moves; the command line answers within one.
      const angles = ["actuated", "joints"].includes(question);
      const turns = (k) => (angles ? 2 * Math.PI * Math.round((found[i].values[k] - values[k]) / (2 * Math.PI)) : 0);
      // Components of a reaction that vanish are differences of large ones.
      const size = question === "reactions" ? Math.max(1, ...values.map(Math.abs)) : 1;
      close(found[i].values.map((x, k) => (x - turns(k)) / size), values.map((x) => x / size), 1e-12, what);
    });
  }
});

test("torques, energies and the centre of mass are shown to their digits", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-forces");
  for (const name of ["puma560", "gough-stewart", "delta", "five-bar"]) {
    await place(page, name);
    await written({ page, settled });
    const { answers } = golden[name];
    const shown = await page.$$eval("#torques tbody tr:not(.torque-line)", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const tau = answers["inverse-dynamics"].values;
    assert.equal(shown.length, tau.length, name);
    shown.forEach(([, text], k) => shows(text, tau[k], `${name} torque ${k + 1}`));
    if (golden[name].kind === "tree") shown.forEach(([, , text], k) => shows(text, answers.gravity.values[k], `${name} gravity ${k + 1}`));
    shown.forEach(([, total, gravity, dynamic], k) => assert.ok(Math.abs(digits(gravity) + digits(dynamic) - digits(total)) <= 2e-3 * Math.max(1, Math.abs(tau[k])), `${name} sum ${k + 1}`));
    const facts = Object.fromEntries(await page.$$eval("#facts tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))));
    shows(facts["Kinetic energy"], answers.energy.values[0], `${name} kinetic`);
    shows(facts["Potential energy"], answers.energy.values[1], `${name} potential`);
    shows(facts.Mass, golden[name].mass, `${name} mass`);
    shows(facts["Characteristic length"], await page.evaluate(() => lab.live().length), `${name} length`);
    const com = facts["Centre of mass (m)"].split(/\s+/);
    answers["centre-of-mass"].values.forEach((value, k) => shows(com[k], Math.abs(value) < 1e-9 ? 0 : value, `${name} com ${k}`));
  }
});

/** 2 kg, half a metre from a joint that nothing drives. */
const PENDULUM = `name = "pendulum"
frames = "modified-dh"
joints = [["pivot", "revolute", "-90 deg", 0.0, "q", 0.0]]
[body.pivot]
mass = 2.0
com = [0.5, 0.0, 0.0]
inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }
[joint.pivot]
driven = false
`;

/** Two arms of 1 m and 1 kg, stretched out sideways: 2 g at the shoulder, g / 2 at the elbow. */
const link = (name) => `<link name="${name}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
const arm = (efforts) =>
  `<robot name="arm"><link name="base"/>${link("upper")}${link("fore")}${["base upper 0", "upper fore 1"]
    .map((text, k) => [...text.split(" "), k])
    .map(([parent, child, x, k]) => `<joint name="j${k + 1}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${x} 0 0"/><axis xyz="0 -1 0"/><limit lower="-3" upper="3" velocity="9" effort="${efforts[k]}"/></joint>`)
    .join("")}</robot>`;

test("a bar is as long as the torque is of its limit, and warns beyond it", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-forces");
  await page.evaluate((text) => lab.load({ kind: "file", file: "arm.urdf", text }), arm([40, 4]));
  await written({ page, settled });
  const { tau } = await page.evaluate(() => lab.live());
  close(tau, [2 * 9.81, 0.5 * 9.81], 1e-12, "torques");
  const bars = await page.$$eval(".torque-bar", (all) =>
    all.map((bar) => {
      const [whole, part] = [bar.getBoundingClientRect(), bar.querySelector(".total").getBoundingClientRect()];
      return { part: part.width / (whole.width / 2), right: part.left > whole.left + whole.width / 2 - 1, beyond: bar.classList.contains("beyond") };
    }),
  );
  assert.ok(Math.abs(bars[0].part - tau[0] / 40) < 0.01, `${bars[0].part} of the first limit`);
  assert.ok(Math.abs(bars[1].part - 1) < 0.01, "a bar ends at its limit");
  assert.deepEqual(bars.map(({ right, beyond }) => [right, beyond]), [[true, false], [true, true]]);
  await page.evaluate(() => lab.setQ([Math.PI - 0.2, 0]));
  await settled();
  assert.equal(await page.$eval(".torque-bar .total", (part) => part.getBoundingClientRect().left < part.parentElement.getBoundingClientRect().left + part.parentElement.getBoundingClientRect().width / 2 - 2), true, "negative torques point to the left");
});

test("the heat map's cells have the colours that the legend gives their values; readout and table", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-forces");
  await place(page, "puma560");
  await written({ page, settled });
  const { values } = golden.puma560.answers["inertia-matrix"];
  const largest = 20; // the next of 1, 2, 5, 10 … above 15.47
  const { cells, legend } = await page.evaluate(() => {
    const canvas = document.getElementById("inertia");
    const cell = canvas.width / 6;
    const at = (i, j) => [...canvas.getContext("2d").getImageData((j + 0.5) * cell, (i + 0.5) * cell, 1, 1).data].slice(0, 3);
    const strip = document.querySelector("#section-inertia .legend-strip");
    const colours = strip.getContext("2d").getImageData(0, 0, strip.width, 1).data;
    return { cells: Array.from({ length: 36 }, (_, k) => at(Math.floor(k / 6), k % 6)), legend: Array.from({ length: strip.width }, (_, k) => [...colours.slice(4 * k, 4 * k + 3)]) };
  });
  values.forEach((value, k) => {
    const part = value === 0 ? 0 : Math.sign(value) * Math.max(0, 1 + Math.log10(Math.abs(value) / largest) / 3);
    const expected = legend[Math.round(((1 + part) / 2) * 255)];
    assert.ok(cells[k].every((x, c) => Math.abs(x - expected[c]) <= 2), `M${k}: ${cells[k]} for ${value}, the legend has ${expected}`);
  });
  const spread = Math.hypot(...[0, 1, 2].map((c) => cells[7][c] - cells[28][c]));
  assert.ok(spread > 100, "15.5 and 0 do not look alike");
  await page.locator("#inertia").scrollIntoViewIfNeeded();
  const box = await page.locator("#inertia").boundingBox();
  await page.mouse.move(box.x + box.width * (2.5 / 6), box.y + box.height * (1.5 / 6));
  const readout = await page.textContent("#inertia-value");
  assert.ok(readout.includes("M[2, 3]") && readout.includes("4.66621"), readout);
  await page.focus("#inertia");
  await page.keyboard.press("ArrowRight");
  assert.ok((await page.textContent("#inertia-value")).includes("M["));
  await page.click("#inertia-table summary");
  await page.waitForSelector("#inertia-values td");
  const cellsOfTable = await page.$$eval("#inertia-values td", (all) => all.map((cell) => cell.textContent));
  values.forEach((value, k) => shows(cellsOfTable[k], value, `table ${k}`));
});

test("reactions: a row per joint equal to live's, and arrows in the view", async () => {
  const { page, pixels, settled } = await visit();
  await page.click("#tab-forces");
  await page.click("#section-reactions summary");
  await written({ page, settled });
  const live = await page.evaluate(() => lab.live().reactions);
  const rows = await page.$$eval("#reactions tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, live.length);
  live.forEach(({ joint, force }, k) => {
    assert.equal(rows[k][0], joint);
    const size = Math.hypot(...force);
    assert.ok(Math.abs(digits(rows[k][1]) - size) <= 0.006 * Math.max(1, size), `${joint}: ${rows[k][1]} for ${size}`);
  });
  await settled();
  const before = await pixels();
  await page.click("#show-reactions");
  const after = await pixels();
  // The robot's weight is drawn 0.3 of its size long; near their heads most arrows stick out of the legs.
  const { size, mass, gravity } = await page.evaluate(() => lab.robot());
  const scale = (0.3 * size) / (mass * Math.hypot(...gravity));
  const heads = live.map(({ at, force }) => at.map((x, k) => x + 0.9 * scale * force[k]));
  const spots = await page.evaluate((heads) => heads.map((head) => lab.project(head)), heads);
  const changed = spots.filter((spot) => after.at(...spot).some((c, k) => Math.abs(c - before.at(...spot)[k]) > 24));
  assert.ok(changed.length >= 6, `${changed.length} of ${spots.length} arrows are seen`);
});

test("the assumed motion changes torques as the library does; at rest and home undo it", async () => {
  const { page } = await visit();
  await page.click("#tab-forces");
  await page.click("#section-assumed summary");
  const rest = await page.evaluate(() => lab.live().tau);
  await page.fill("#motion-a3", "2");
  await page.fill("#motion-v1", "0.5");
  const expected = await page.evaluate(() => {
    const bench = lab.engine.make({ kind: "builtin", name: "gough-stewart" });
    bench.set_motion(Float64Array.of(0.5, 0, 0, 0, 0, 0), Float64Array.of(0, 0, 2, 0, 0, 0));
    const tau = [...bench.ask("inverse-dynamics")];
    bench.free();
    return tau;
  });
  const tau = await page.evaluate(() => lab.live().tau);
  close(tau, expected, 1e-12, "torques");
  assert.ok(Math.abs(tau[0] - rest[0]) > 1, "the motion counts");
  await page.click("#motion-rest");
  close(await page.evaluate(() => lab.live().tau), rest, 1e-12, "at rest");
  await page.waitForFunction(() => document.getElementById("motion-a3").value === "0");
  await page.fill("#motion-a3", "2");
  await page.evaluate(() => lab.home());
  await page.focus("#motion-v1");
  await page.waitForFunction(() => document.getElementById("motion-a3").value === "0");
});

test("any question by name: its columns and values, copied as CSV in full precision", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-forces");
  await page.click("#section-question summary");
  await place(page, "puma560");
  await page.selectOption("#question", "jacobian");
  await written({ page, settled });
  const { columns, values } = golden.puma560.answers.jacobian;
  const shown = await page.$$eval("#question-values tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(shown.map(([column]) => column), columns);
  shown.forEach(([column, text], k) => assert.ok(Math.abs(digits(text) - values[k]) <= 5.1e-6 * Math.max(1, Math.abs(values[k])), `${column}: ${text} for ${values[k]}`));
  await page.click("#question-copy");
  const copied = await page.waitForFunction(() => navigator.clipboard.readText());
  const [head, row] = (await copied.jsonValue()).trim().split("\n");
  assert.deepEqual(head.split(","), columns);
  close(row.split(",").map(Number), values, 1e-12, "copied");
});

test("singularities: gauges and legs equal live's, near ones warn, the history is drawn", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-singularities");
  await page.click("#section-legs summary");
  for (let k = 0; k < 12; k++) await page.evaluate((k) => (lab.setPose([0.01 * k, 0, 0.75, 0, 0, 0, 1]), new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))), k);
  await written({ page, settled });
  const { singularity } = await page.evaluate(() => lab.live());
  for (const id of ["type1", "type2", "constraints"]) {
    shows(await page.textContent(`#gauge-${id} output`), singularity[id], id);
    const part = await page.$eval(`#gauge-${id} .gauge-bar`, (bar) => bar.firstElementChild.getBoundingClientRect().width / bar.getBoundingClientRect().width);
    const expected = Math.min(1, Math.max(0, 1 + Math.log10(Math.max(singularity[id], 1e-3)) / 3));
    assert.ok(Math.abs(part - expected) < 0.02, `${id}: ${part} for ${expected}`);
  }
  const legs = await page.$$eval("#section-legs output", (all) => all.map((one) => one.textContent));
  assert.equal(legs.length, singularity.legs.length);
  singularity.legs.forEach(({ type1 }, k) => shows(legs[k], type1, `leg ${k}`));
  // The newest point of each line lies at the right edge, at the height of its value.
  const found = await page.evaluate(() => {
    const canvas = document.getElementById("history");
    const { data } = canvas.getContext("2d").getImageData(canvas.width - 3, 0, 1, canvas.height);
    return Array.from({ length: canvas.height }, (_, y) => [...data.slice(4 * y, 4 * y + 4)]);
  });
  const y = Math.round(150 - 4 - (1 + Math.log10(singularity.type2) / 3) * 142);
  const orange = ([r, g, b, a]) => a > 100 && r > 150 && g < 140 && b < 90;
  assert.ok(found.slice(y - 3, y + 4).some(orange), `no line of Type 2 at ${y}: ${JSON.stringify(found.slice(y - 3, y + 4))}`);
});

test("a tree has the condition of its Jacobian instead", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-singularities");
  await place(page, "puma560");
  await written({ page, settled });
  shows(await page.textContent("#gauge-condition output"), await page.evaluate(() => lab.live().inverse_condition), "inverse condition");
  assert.equal(await page.locator("#section-uncontrolled").isVisible(), false);
});

test("an uncontrolled motion is listed as the library has it, and swings as a ghost", async () => {
  const { page, pixels, settled } = await visit();
  await page.click("#tab-singularities");
  await page.waitForSelector("#uncontrolled li");
  await settled();
  const motions = await page.evaluate(() => JSON.parse(lab.bench().uncontrolled()));
  assert.deepEqual(await page.$$eval("#uncontrolled .motion-words", (all) => all.map((one) => one.textContent)), motions.map(({ words }) => words));
  const q = await page.evaluate(() => lab.live().q);
  const before = await pixels();
  await page.click("#uncontrolled-1");
  await page.waitForFunction(() => {
    const [ghost, robot] = [lab.view.ghosts.get("uncontrolled")?.sketch.platform[0], lab.sketch().platform[0]];
    return ghost && Math.hypot(...ghost.map((x, k) => x - robot[k])) > 0.01;
  });
  assert.deepEqual(await page.evaluate(() => lab.live().q), q, "the state is left alone");
  // The twist's arrow starts at the platform.
  const at = await page.evaluate(() => lab.view.arrows.get("uncontrolled-linear").at);
  close(at, (await page.evaluate(() => lab.live().pose)).slice(0, 3), 1e-12, "arrow");
  await page.click("#uncontrolled-1");
  const after = await pixels();
  for (let x = 10; x < 870; x += 9) for (let y = 60; y < 740; y += 9) assert.deepEqual(after.at(x, y), before.at(x, y), `pixel ${x}, ${y}`);
});

test("vibrations: frequencies as the library has them, faster on stiffer drives, and a mode swings as a ghost", async () => {
  const { page, settled } = await visit();
  await page.click("#tab-vibration");
  const rows = async () => {
    await page.waitForSelector('#modes[data-ready="yes"]');
    return page.$$eval("#modes tbody tr", (all) => all.map((row) => row.cells[1].textContent));
  };
  const found = (stiffness) => page.evaluate((k) => JSON.parse(lab.bench().vibration(new Float64Array(6).fill(k))).modes.map(({ frequency }) => frequency), stiffness);
  for (const stiffness of [1e6, 4e8]) {
    await page.fill("#stiffness-linear", String(stiffness));
    const [shown, expected] = [await rows(), await found(stiffness)];
    assert.equal(shown.length, 6);
    shown.forEach((text, k) => shows(text.replace(" Hz", ""), expected[k], `mode ${k + 1} at ${stiffness} N/m`));
  }
  assert.equal(await page.locator("#stiffness-angular").count(), 0, "no drive of this robot turns");
  const q = await page.evaluate(() => lab.live().q);
  await page.click("#mode-6");
  await page.waitForFunction(() => {
    const [ghost, robot] = [lab.view.ghosts.get("vibration")?.sketch.platform[0], lab.sketch().platform[0]];
    return ghost && Math.hypot(...ghost.map((x, k) => x - robot[k])) > 0.01;
  });
  assert.deepEqual(await page.evaluate(() => lab.live().q), q, "the state is left alone");
  await page.click("#tab-forces");
  await page.waitForFunction(() => !lab.view.ghosts.has("vibration"));
});

test("a pendulum without drive: swings, falls, or has to be held; its torque is no drive's", async () => {
  const { page, settled } = await visit();
  await page.evaluate((text) => lab.load({ kind: "file", file: "free.toml", text }), PENDULUM);
  await page.click("#tab-forces");
  await settled();
  assert.match(await page.textContent("#torques tbody th"), /pivot no drive/);
  await page.click("#tab-vibration");
  const first = async (q) => {
    await page.evaluate((q) => lab.setQ([q]), q);
    await written({ page, settled });
    await page.waitForSelector('#modes[data-ready="yes"]');
    return [await page.textContent("#modes tbody td"), await page.textContent("#vibration-unheld")];
  };
  const [swings, falls, held] = [await first(Math.PI / 2), await first(-Math.PI / 2), await first(0)];
  const omega = Math.sqrt((2 * 9.81 * 0.5) / 0.52);
  shows(swings[0].replace(" Hz", ""), omega / (2 * Math.PI), "frequency");
  assert.equal(swings[1], "");
  assert.match(falls[0], /grows e times in 0\.23\d* s/);
  assert.match(held[1], /Nothing holds pivot/);
});

/** Computes a map of the robot on the bench. */
async function compute(page, { columns, rows, cells, layers = null }) {
  await page.waitForSelector("#map-columns-from");
  if (columns) {
    await page.selectOption("#map-columns-coordinate", columns[0]);
    await page.fill("#map-columns-from", String(columns[1]));
    await page.fill("#map-columns-to", String(columns[2]));
    await page.selectOption("#map-rows-coordinate", rows[0]);
    await page.fill("#map-rows-from", String(rows[1]));
    await page.fill("#map-rows-to", String(rows[2]));
  }
  if (layers) {
    await page.check("#map-volume");
    await page.selectOption("#map-layers-coordinate", layers[0]);
    await page.fill("#map-layers-from", String(layers[1]));
    await page.fill("#map-layers-to", String(layers[2]));
    await page.fill("#map-layers-cells", String(layers[3]));
  }
  for (const axis of ["columns", "rows"]) await page.fill(`#map-${axis}-cells`, String(cells));
  await page.click("#map-start");
  await page.waitForFunction(() => document.getElementById("map-message").textContent === "The map is complete.");
}
const table = (text) => {
  const [head, ...lines] = text.trim().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(line.map((cell, k) => [head[k], cell === "" ? null : Number(cell)])));
};

test("a map has live's values at the poses of its cells, and a click goes there", async () => {
  const { page, download } = await visit();
  await page.click("#tab-map");
  await compute(page, { columns: ["x", -0.2, 0.2], rows: ["z", 0.55, 0.95], cells: 9 });
  const cells = table((await download(() => page.click("#map-csv"))).bytes.toString());
  assert.equal(cells.length, 81);
  // The middle of the map is the present pose.
  const here = cells.find(({ x, z }) => Math.abs(x) < 1e-12 && Math.abs(z - 0.75) < 1e-12);
  const { singularity } = await page.evaluate(() => lab.live());
  close([here.type1, here.type2], [singularity.type1, singularity.type2], 1e-9, "present pose");
  const box = await page.locator("#map-canvas").boundingBox();
  await page.mouse.click(box.x + box.width * (7.5 / 9), box.y + box.height * (1 - 2.5 / 9));
  const live = await page.evaluate(() => lab.live());
  close(live.pose.slice(0, 3), [-0.2 + 0.05 * 7, 0, 0.55 + 0.05 * 2], 1e-9, "pose of the cell");
  const there = cells.find(({ x, z }) => Math.abs(x - live.pose[0]) < 1e-9 && Math.abs(z - live.pose[2]) < 1e-9);
  close([there.type1, there.type2], [live.singularity.type1, live.singularity.type2], 1e-9, "pose of the cell");
  assert.ok((await page.textContent("#map-readout")).includes("x 0.1500 m, z 0.6500 m"));
});

test("angles of a map are turns from where it was begun", async () => {
  const { page, download } = await visit();
  await page.click("#tab-map");
  const half = Math.sin(0.1);
  await page.evaluate((half) => lab.setPose([0.02, 0.01, 0.78, 0, 0, half, Math.sqrt(1 - half * half)]), half);
  await compute(page, { columns: ["roll", -20, 20], rows: ["pitch", -20, 20], cells: 5 });
  const cells = table((await download(() => page.click("#map-csv"))).bytes.toString());
  const box = await page.locator("#map-canvas").boundingBox();
  await page.mouse.click(box.x + box.width * (3.5 / 5), box.y + box.height * (1 - 0.5 / 5));
  const live = await page.evaluate(() => lab.live());
  const there = cells[3];
  close([there.type1, there.type2], [live.singularity.type1, live.singularity.type2], 1e-9, "pose of the cell");
});

test("the map's pixels have the legend's colours, in the panel and in the view", async () => {
  const { page, download, pixels } = await visit();
  await page.click("#tab-map");
  await page.evaluate(() => lab.store.set({ shown: { ...lab.state().shown, grid: false, frames: false } }));
  await compute(page, { columns: ["x", -0.6, 0.6], rows: ["y", -0.6, 0.6], cells: 25 });
  const cells = table((await download(() => page.click("#map-csv"))).bytes.toString());
  const { canvas, legend } = await page.evaluate(() => {
    const read = (canvas) => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];
    return { canvas: read(document.getElementById("map-canvas")), legend: read(document.querySelector("#panel-map .legend-strip")) };
  });
  const colour = (value) => {
    const k = Math.round(255 * Math.max(0, 1 + Math.log10(Math.max(value, 1e-3)) / 3));
    return legend.slice(4 * k, 4 * k + 3);
  };
  cells.forEach(({ type2 }, k) => {
    const at = 4 * ((24 - Math.floor(k / 25)) * 25 + (k % 25));
    const found = canvas.slice(at, at + 4);
    if (type2 === null) assert.equal(found[3], 0, `cell ${k} is open`);
    else assert.ok(found.slice(0, 3).every((x, c) => Math.abs(x - colour(type2)[c]) <= 2), `cell ${k}: ${found} for ${type2}, the legend has ${colour(type2)}`);
  });
  // In the view, straight from above and without the robot: the colour over the background.
  await page.evaluate(() => {
    lab.view.model.group.visible = false;
    lab.view.gizmo.getHelper().visible = false;
    lab.view.setCamera({ position: [0, -0.001, 4], target: [0, 0, 0.75] });
  });
  const picture = await pixels();
  const background = picture.at(12, 60);
  for (const k of [25 * 12 + 20, 25 * 4 + 12, 25 * 20 + 6]) {
    const { x, y, type2 } = cells[k];
    if (type2 === null) continue;
    const spot = await page.evaluate((point) => lab.project(point), [x, y, 0.75]);
    const found = picture.at(...spot);
    const expected = colour(type2).map((c, i) => 0.6 * c + 0.4 * background[i]);
    assert.ok(expected.every((c, i) => Math.abs(c - found[i]) <= 14), `${x}, ${y}: ${found}, expected ${expected}`);
  }
});

test("a volume has its layers; the slider chooses one", async () => {
  const { page, download } = await visit();
  await page.click("#tab-map");
  await compute(page, { columns: ["x", -0.2, 0.2], rows: ["y", -0.2, 0.2], cells: 5, layers: ["z", 0.65, 0.85, 3] });
  const cells = table((await download(() => page.click("#map-csv"))).bytes.toString());
  assert.equal(cells.length, 75);
  assert.deepEqual([...new Set(cells.map(({ z }) => z.toFixed(6)))], ["0.650000", "0.750000", "0.850000"]);
  const image = () => page.evaluate(() => [...document.getElementById("map-canvas").getContext("2d").getImageData(2, 2, 1, 1).data].join());
  assert.equal(await page.inputValue("#map-layer"), "1", "the layer of the present pose is shown first");
  const middle = await image();
  await page.fill("#map-layer", "2");
  assert.notEqual(await image(), middle);
  assert.equal(await page.evaluate(() => lab.view.painting.layers.filter(({ mesh }) => mesh.visible).length), 3);
  await page.uncheck("#map-all-layers");
  assert.deepEqual(await page.evaluate(() => lab.view.painting.layers.map(({ mesh }) => mesh.visible)), [false, false, true]);
});

test("joints that are named like formulas are no formulas in the map's CSV", async () => {
  const { page, download } = await visit();
  const link = (k) => `<link name="l${k}"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
  const joint = (name, k) => `<joint name="${name}" type="revolute"><parent link="l${k}"/><child link="l${k + 1}"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>`;
  const text = `<robot name="arm">${[0, 1, 2].map(link).join("")}${joint("=1+1", 0)}${joint("@b", 1)}</robot>`;
  assert.equal(await page.evaluate((text) => lab.load({ kind: "file", file: "arm.urdf", text }), text), true);
  await page.click("#tab-map");
  await compute(page, { columns: ["=1+1", -30, 30], rows: ["@b", -30, 30], cells: 3 });
  const saved = (await download(() => page.click("#map-csv"))).bytes.toString();
  assert.ok(saved.startsWith("'=1+1,'@b,"), saved.split("\n")[0]);
});

test("a map can be cancelled, and another robot ends it", async () => {
  const { page } = await visit();
  await page.click("#tab-map");
  await page.waitForSelector("#map-columns-from");
  for (const axis of ["columns", "rows"]) await page.fill(`#map-${axis}-cells`, "200");
  await page.click("#map-start");
  await page.waitForFunction(() => document.getElementById("map-progress").value > 0);
  await page.click("#map-start");
  assert.match(await page.textContent("#map-message"), /Cancelled after \d+ of 200 rows/);
  await page.click("#map-start");
  await page.evaluate(() => lab.load("puma560"));
  await page.waitForFunction(() => document.getElementById("map-columns-coordinate")?.value === "shoulder");
  assert.equal(await page.evaluate(() => lab.view.painting.layers.length), 0);
  await compute(page, { cells: 7 });
  assert.equal(await page.inputValue("#map-quantity"), "type1");
});
