// Taking the robot by the hand: gizmo, platform, joints, keys, fields, other configurations, and what the picture shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, close, laboratory } from "./page.mjs";

const visit = laboratory();
const DEGREE = Math.PI / 180;

/** Two joints with limits: a column that turns ±90° and a slide of 0 … 0.3 m. */
const LIMITED = `<robot name="limited">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="column" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0.5 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.3" effort="10" velocity="1"/></joint>
</robot>`;
const limited = (page) => page.evaluate((text) => lab.load({ kind: "file", file: "limited.urdf", text }), LIMITED);
const frame = (page) => page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

/** A pixel where the gizmo's handle is, found around the output. */
const handle = (page, name) =>
  page.evaluate(async (name) => {
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const { gizmo, target, canvas } = lab.view;
    const box = canvas.getBoundingClientRect();
    const [x, y] = lab.project(target.position.toArray());
    const at = (px, py) => {
      gizmo.pointerHover({ x: ((px - box.left) / box.width) * 2 - 1, y: 1 - ((py - box.top) / box.height) * 2, button: 0 });
      return gizmo.axis;
    };
    for (let r = 40; r < 160; r += 3)
      for (let k = 0; k < 90; k++) {
        const [px, py] = [x + r * Math.cos((k * Math.PI) / 45), y + r * Math.sin((k * Math.PI) / 45)];
        if ([0, -2, 2].every((d) => at(px + d, py) === name && at(px, py + d) === name)) return [px, py];
      }
    return null;
  }, name);

/** A drag with real mouse events; `before` runs while the button is still down. */
async function drag(page, [x, y], [dx, dy], before = async () => {}, steps = 12) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= steps; k++) {
    await page.mouse.move(x + (dx * k) / steps, y + (dy * k) / steps);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
  await frame(page);
  const found = await before();
  await page.mouse.up();
  return found;
}

const pose = (page) => page.evaluate(() => lab.live().pose);
const wanted = (page) => page.evaluate(() => [...lab.view.target.position.toArray(), ...lab.view.target.quaternion.toArray()]);
const said = (page) => page.textContent("#live");
/** Loops are closed: the library's own joints of this pose are those drawn, to rounding. */
async function closed(page) {
  const { drives, actuated } = await page.evaluate(() => ({ drives: [...lab.bench().drives()], actuated: [...lab.bench().ask("actuated")] }));
  close(actuated.slice(0, drives.length), drives, 1e-10, "drives");
}

test("the gizmo moves the Gough-Stewart platform where the mouse wants it, loops closed", async () => {
  const { page } = await visit();
  const before = await pose(page);
  const at = await handle(page, "Z");
  assert.ok(at, "the gizmo has a handle along z");
  const goal = await drag(page, at, [0, -40], () => wanted(page));
  const after = await pose(page);
  close(after, goal, 1e-9, "pose");
  assert.ok(after[2] > before[2] + 0.01, "it went up");
  close(after.slice(0, 2), before.slice(0, 2), 1e-9, "x and y");
  await closed(page);
  // The output moved as far on the screen as the mouse.
  const [[, y0], [, y1]] = await page.evaluate(([p, q]) => [lab.project(p), lab.project(q)], [before.slice(0, 3), after.slice(0, 3)]);
  assert.ok(Math.abs(y1 - y0 + 40) < 3, `moved by ${y1 - y0} pixels instead of -40`);
});

test("the gizmo turns the platform", async () => {
  const { page } = await visit();
  await page.focus("canvas");
  await page.keyboard.press("r");
  assert.equal(await page.evaluate(() => lab.state().gizmo), "rotate");
  const before = await pose(page);
  const at = await handle(page, "Z");
  const goal = await drag(page, at, [6, 3], () => wanted(page));
  const after = await pose(page);
  close(after, goal, 1e-9, "pose");
  close(after.slice(0, 3), before.slice(0, 3), 1e-9, "place");
  assert.ok(2 * Math.acos(Math.min(1, Math.abs(after[6]))) > 0.02, "it turned");
  await closed(page);
});

test("the platform itself follows the pointer in the plane of the view", async () => {
  const { page } = await visit();
  const point = await page.evaluate(() => {
    const { platform } = lab.sketch();
    const centre = lab.bench().pose();
    const { gizmo, canvas } = lab.view;
    const box = canvas.getBoundingClientRect();
    // A place of the plate that the gizmo does not cover.
    for (const corner of platform)
      for (let part = 0.85; part > 0.4; part -= 0.05) {
        const point = corner.map((x, k) => part * x + (1 - part) * centre[k]);
        const [x, y] = lab.project(point);
        gizmo.pointerHover({ x: ((x - box.left) / box.width) * 2 - 1, y: 1 - ((y - box.top) / box.height) * 2, button: 0 });
        if (gizmo.axis === null) return point;
      }
    return null;
  });
  assert.ok(point, "a part of the plate is free");
  const before = await pose(page);
  const from = await page.evaluate((point) => lab.project(point), point);
  await drag(page, from, [30, 18]);
  const after = await pose(page);
  const moved = point.map((x, k) => x + after[k] - before[k]);
  const to = await page.evaluate((point) => lab.project(point), moved);
  close([to[0] - from[0], to[1] - from[1]], [30, 18], 0.1, "pixels");
  close(after.slice(3), before.slice(3), 1e-9, "attitude");
  await closed(page);
});

test("the end of the five-bar follows the pointer in its plane", async () => {
  const { page, load, settled } = await visit();
  await load("five-bar");
  await settled();
  const before = await pose(page);
  const from = await page.evaluate((point) => lab.project(point), before.slice(0, 3));
  await drag(page, from, [25, 12]);
  const after = await pose(page);
  const to = await page.evaluate((point) => lab.project(point), after.slice(0, 3));
  close([to[0] - from[0], to[1] - from[1]], [25, 12], 0.02, "pixels");
  close(after.slice(2), before.slice(2), 1e-12, "out of the plane");
  await closed(page);
});

test("robots with parasitic motion do not resist where they can go", async () => {
  const { page, load, settled } = await visit();
  await load("exechon"); // moves in x, y, z; its attitude follows
  await settled();
  const at = await page.evaluate(() => lab.project(lab.view.target.position.toArray()));
  const seen = await drag(page, at, [30, -20], () => page.evaluate(() => ({ why: lab.state().resistance, resists: lab.view.canvas.dataset.resists, pose: lab.live().pose, target: lab.view.target.position.toArray() })));
  assert.equal(seen.why, "");
  assert.equal(seen.resists, "no");
  close(seen.pose.slice(0, 3), seen.target, 1e-9, "place");
  assert.ok(Math.hypot(...seen.pose.slice(3, 6)) > 1e-3, "the attitude followed");
});

test("a joint of the PUMA turns with the pointer around its sign, the others rest", async () => {
  const { page, load, settled } = await visit();
  await load("puma560");
  await page.evaluate(() => lab.setQ([0.2, -0.5, 0.3, 0.1, 0.4, 0.2]));
  await settled();
  await page.keyboard.press("z"); // from above: joint 1 is seen along its axis
  await settled();
  const { at, index } = await page.evaluate(() => {
    const node = lab.sketch().nodes.find((node) => node.joint === 0);
    return { at: lab.project(node.at), index: node.joint };
  });
  const before = await page.evaluate(() => [...lab.bench().q()]);
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let k = 0; k <= 40; k++) {
    const angle = (k / 40) * 60 * DEGREE; // counter-clockwise, seen from above
    await page.mouse.move(at[0] + 120 * Math.cos(angle), at[1] - 120 * Math.sin(angle));
    if (k % 4 === 0) await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
  await page.mouse.up();
  const after = await page.evaluate(() => [...lab.bench().q()]);
  assert.ok(Math.abs(after[index] - before[index] - 60 * DEGREE) < 1.5 * DEGREE, `turned by ${(after[0] - before[0]) / DEGREE}°`);
  assert.deepEqual(after.slice(1), before.slice(1));
  assert.equal(await page.evaluate(() => lab.state().joint), 0);
  assert.match(await said(page), /°/);
});

test("limits hold a dragged joint, and the picture says so", async () => {
  const { page, settled, pixels } = await visit();
  await limited(page);
  await settled();
  // From above, with the gizmo away from the slide.
  await page.evaluate(() => {
    lab.setOutput("arm");
    lab.view.setCamera({ position: [0.5, -0.0003, 3], target: [0.5, 0, 0.3] });
  });
  await settled();
  const at = await page.evaluate(() => lab.project(lab.sketch().nodes.find((node) => node.joint === 1).at));
  const seen = await drag(page, at, [300, 0], () =>
    page.evaluate(() => ({
      resists: lab.view.canvas.dataset.resists,
      bubble: document.querySelector(".hand-bubble.bad:not([hidden])")?.textContent,
      why: lab.state().resistance,
    })),
  );
  assert.equal(seen.resists, "yes");
  assert.match(seen.bubble, /slide/);
  assert.equal(seen.bubble, seen.why);
  close(await page.evaluate(() => [...lab.bench().q()]), [0, 0.3], 1e-12, "q");
  assert.equal(await page.evaluate(() => lab.view.canvas.dataset.resists), "no", "calm after the hand let go");
  assert.match(await said(page), /upper limit/);
  // While it resists, the way from the joint to the hand is drawn in red.
  await page.evaluate(() => lab.setQ([0, 0.1]));
  await settled();
  const from = await page.evaluate(() => lab.project(lab.sketch().nodes.find((node) => node.joint === 1).at));
  const red = await drag(page, from, [300, 0], async () => {
    const picture = await pixels();
    const end = await page.evaluate(() => lab.project(lab.sketch().nodes.find((node) => node.joint === 1).at));
    let count = 0;
    for (let x = end[0] + 12; x < from[0] + 290; x++)
      for (let dy = -3; dy <= 3; dy++) {
        const [r, g, b] = picture.at(x, from[1] + dy);
        if (r > 150 && g < 100 && b < 100) count++;
      }
    return count;
  });
  assert.ok(red > 40, `${red} red pixels`);
});

test("a platform out of reach stops where it can be and resists", async () => {
  const { page, load, settled } = await visit();
  await load("delta");
  await settled();
  const at = await handle(page, "Z");
  const seen = await drag(page, at, [0, 420], () => page.evaluate(() => ({ resists: lab.view.canvas.dataset.resists, why: lab.state().resistance, target: lab.view.target.position.z, z: lab.live().pose[2] })));
  assert.equal(seen.resists, "yes");
  assert.match(seen.why, /reach|Type/);
  assert.ok(seen.z > seen.target + 0.05, "the hand is farther than the robot");
  await closed(page);
});

test("arrow keys make exact steps of the output and of joints", async () => {
  const { page, load } = await visit();
  const start = await pose(page);
  await page.focus("canvas");
  for (const key of ["ArrowRight", "ArrowUp", "ArrowUp", "PageDown", "Shift+ArrowLeft"]) await page.keyboard.press(key);
  close((await pose(page)).slice(0, 3), [start[0] + 0.009, start[1] + 0.02, start[2] - 0.01], 1e-12, "place");
  await page.keyboard.press("r");
  await page.keyboard.press("PageUp");
  const turned = await pose(page);
  close([2 * Math.atan2(turned[5], turned[6])], [2 * Math.atan2(start[5], start[6]) + DEGREE], 1e-10, "turn about z");
  await page.keyboard.press("h");
  close(await pose(page), start, 1e-12, "home");

  await load("puma560");
  const q = await page.evaluate(() => [...lab.bench().q()]);
  await page.focus("canvas");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => lab.state().joint), 1);
  for (const key of ["ArrowUp", "PageUp", "Shift+ArrowDown"]) await page.keyboard.press(key);
  q[1] += 10.9 * DEGREE;
  close(await page.evaluate(() => [...lab.bench().q()]), q, 1e-12, "q");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => lab.state().joint), null);
});

test("Tab goes through the drives and then leaves the picture", async () => {
  const { page, load } = await visit();
  await load("scara");
  await page.focus("canvas");
  const stops = [];
  for (let k = 0; k < 5; k++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => (document.activeElement === lab.view.canvas ? lab.state().joint : "left")));
  }
  assert.deepEqual(stops, [0, 1, 2, 3, "left"]);
  assert.equal(await page.evaluate(() => lab.state().joint), null);
});

test("number fields give the pose to rounding", async () => {
  const { page } = await visit();
  await page.click("#tab-pose");
  const asked = { x: 0.0234, y: -0.0151, z: 0.7612, roll: 4.5, pitch: -3.25, yaw: 7.125 };
  for (const [name, value] of Object.entries(asked)) {
    await page.fill(`#pose-${name}`, String(value));
    await page.press(`#pose-${name}`, "Enter");
  }
  const [cr, cp, cy] = ["roll", "pitch", "yaw"].map((name) => Math.cos((asked[name] * DEGREE) / 2));
  const [sr, sp, sy] = ["roll", "pitch", "yaw"].map((name) => Math.sin((asked[name] * DEGREE) / 2));
  const turn = [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy];
  const found = await pose(page);
  close(found, [asked.x, asked.y, asked.z, ...turn.map((x) => x * Math.sign(turn[3] * found[6]))], 1e-12, "pose");
  await closed(page);
  await frame(page);
  for (const [name, value] of Object.entries(asked)) assert.equal(Number(await page.inputValue(`#pose-${name}`)), value);
  const shown = (await page.textContent("#pose-quaternion")).replaceAll("−", "-").trim().split(/\s+/).map(Number);
  close(shown, found.slice(3), 1e-6, "quaternion");
});

test("sliders and fields move joints; limits are marked and hold", async () => {
  const { page } = await visit();
  await limited(page);
  await page.click("#tab-pose");
  await page.fill("#joint-0", "30");
  await page.press("#joint-0", "Enter");
  close(await page.evaluate(() => [...lab.bench().q()]), [30 * DEGREE, 0], 1e-12, "q");
  await page.fill("#joint-1", "0.5");
  await page.press("#joint-1", "Enter");
  close(await page.evaluate(() => [...lab.bench().q()]), [30 * DEGREE, 0.3], 1e-12, "q at its limit");
  await frame(page);
  assert.equal(await page.inputValue("#joint-1"), "0.3");
  assert.match(await page.textContent("#hand-why"), /slide/);
  const slider = page.locator("#joint-range-1");
  assert.match(await slider.getAttribute("aria-valuetext"), /slide: 0\.3000 m, at its upper limit/);
  assert.ok(Number(await slider.getAttribute("max")) > 0.3, "room beyond the limit, where it resists");
  await page.focus("#joint-range-1");
  await page.keyboard.press("ArrowLeft");
  close(await page.evaluate(() => [...lab.bench().q()]), [30 * DEGREE, 0.29], 1e-12, "q after a key");
  await frame(page);
  assert.equal(await page.textContent("#hand-why"), "");
  await page.keyboard.press("Home");
  close(await page.evaluate(() => [...lab.bench().q()]), [30 * DEGREE, 0], 1e-12, "q at the lower limit");
});

test("limits that are set in the page hold the hand, and the bars are drawn against them", async () => {
  const { page, load, settled } = await visit();
  await load("gough-stewart");
  await page.click("#tab-forces");
  await page.click("#force-limits");
  await page.fill('[data-limit="leg1.slide upper"]', "0.83");
  await page.fill('[data-limit="leg1.slide effort"]', "500");
  const before = await page.evaluate(() => [...lab.bench().pose()]);
  await page.click("#limits-apply");
  await page.waitForFunction(() => lab.state().source.kind === "file");
  await settled();
  close(await page.evaluate(() => [...lab.bench().pose()]), before, 1e-9, "it stays where it was");
  const joint = await page.evaluate(() => lab.robot().joints.findIndex(({ name }) => name === "leg1.slide"));
  const why = await page.evaluate((joint) => lab.setJoint(joint, 2), joint);
  assert.match(why, /limit of joint leg1\.slide: 0\.8300 m/);
  assert.ok(Math.abs((await page.evaluate((joint) => lab.bench().q()[joint], joint)) - 0.83) < 1e-3);
  await page.waitForFunction(() => document.querySelector(".torque-limit").textContent === "of 500 N");
  for (const entry of [/upper = 0\.83/, /effort = 500/]) assert.match(await page.evaluate(() => lab.state().source.text), entry);
  // In degrees, and taken away again.
  await load("puma560");
  await page.click("#force-limits");
  await page.fill('[data-limit="elbow lower"]', "-30");
  await page.click("#limits-apply");
  await page.waitForFunction(() => lab.state().source.kind === "file");
  assert.ok(Math.abs((await page.evaluate(() => lab.robot().joints.find(({ name }) => name === "elbow").lower)) + 30 * DEGREE) < 1e-12);
  await page.click("#force-limits");
  await page.fill('[data-limit="elbow lower"]', "");
  await page.click("#limits-apply");
  await page.waitForFunction(() => lab.robot().joints.every(({ lower }) => lower === null));
});

/** Whether a pixel has a colour of the palette, whatever the light: the same hue, and not grey. */
function alike([r, g, b], [R, G, B]) {
  const hue = ([r, g, b]) => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);
  const strength = Math.max(r, g, b) - Math.min(r, g, b);
  const turn = hue([r, g, b]) - hue([R, G, B]);
  return strength > 40 && Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) < 0.35;
}
const DRIVEN = [0xd5, 0x5e, 0x00];

test("known poses are drawn at known pixels", async () => {
  const { page, load, pixels, settled } = await visit();
  await load("puma560");
  await page.evaluate(() => lab.store.set({ shown: { ...lab.state().shown, path: false } }));
  for (const q of [[0, -0.8, 0.6, 0, 0.5, 0], [0.9, -0.3, 0.2, 0.4, -0.6, 0.3], [-1.1, -1.2, 1.4, 0, 0.9, 0]]) {
    await page.evaluate((q) => {
      lab.setQ(q);
      lab.view.gizmo.getHelper().visible = false;
    }, q);
    await settled();
    await page.evaluate(() => lab.view.fit());
    const picture = await pixels();
    // Joint 2 is at the shoulder, 0 0 0 of the arm's frames; joint 3 a link's length away: from the library's own frames.
    const nodes = await page.evaluate(() => lab.sketch().nodes.filter((node) => node.driven).map((node) => ({ name: node.name, at: lab.project(node.at) })));
    const seen = nodes.filter(({ at }) => alike(picture.at(...at), DRIVEN));
    assert.ok(seen.length >= nodes.length - 1, `of ${nodes.map((node) => node.name)} only ${seen.map((node) => node.name)} are where they should be, at ${q}`);
    for (const { at: [x, y] } of seen.slice(0, 1)) assert.ok(!alike(picture.at(x + 90, y + 90), DRIVEN), "and nothing beside it");
  }
});

test("the path of the output is drawn, hidden and forgotten", async () => {
  const { page, load, settled, pixels } = await visit();
  await load("gough-stewart");
  await page.click("#tab-pose");
  const start = await pose(page);
  for (let k = 1; k <= 30; k++) {
    await page.evaluate((pose) => lab.setPose(pose), [start[0] + 0.004 * k, start[1], start[2] + 0.004 * k, ...start.slice(3)]);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
  await page.evaluate(() => lab.home());
  await settled();
  const middle = await page.evaluate((point) => lab.project(point), [start[0] + 0.1, start[1], start[2] + 0.1]);
  const path = async () => {
    const picture = await pixels();
    let count = 0;
    for (let dx = -6; dx <= 6; dx++) for (let dy = -6; dy <= 6; dy++) if (alike(picture.at(middle[0] + dx, middle[1] + dy), [0xb1, 0x36, 0x7a])) count++;
    return count;
  };
  assert.ok((await path()) > 4, "drawn");
  await page.click("#hand-path");
  assert.equal(await path(), 0, "hidden");
  await page.click("#hand-path");
  assert.ok((await path()) > 4, "shown again");
  await page.click("#hand-clear-path");
  assert.equal(await path(), 0, "forgotten");
});

test("the Agile Wrist has eight working modes; one is taken by a click", async () => {
  const { page, load, settled } = await visit();
  await load("agile-wrist");
  await page.click("#tab-assemblies");
  await page.click("#find-modes");
  await page.waitForSelector("#assembly-7");
  assert.equal(await page.locator("#assemblies-list tbody tr").count(), 8);
  assert.equal(await page.getAttribute("#assemblies-count", "data-count"), "8");
  assert.equal(await page.locator("#assemblies-list tr.present").count(), 1);
  const before = await page.evaluate(() => ({ pose: lab.live().pose, q: lab.live().q }));
  const other = await page.locator("#assemblies-list tbody tr:not(.present)").first().getAttribute("id");
  await page.click(`#${other} button`);
  await settled();
  const after = await page.evaluate(() => ({ pose: lab.live().pose, q: lab.live().q }));
  close(after.pose, before.pose, 1e-9, "pose");
  assert.ok(after.q.some((x, k) => Math.abs(x - before.q[k]) > 0.1), "the legs changed");
  assert.equal(await page.locator("#assemblies-list tr.present").getAttribute("id"), other);
  assert.equal(await page.isVisible("#assemblies-stale"), false);
  // Ghosts go when the pose changes: they would lie.
  assert.ok(await page.evaluate(() => lab.view.ghosts.size === 7));
  await page.focus("canvas");
  await page.keyboard.press("r");
  await page.keyboard.press("PageUp");
  await settled();
  assert.equal(await page.isVisible("#assemblies-stale"), true);
  assert.ok(await page.evaluate(() => lab.view.ghosts.size === 0));
});

test("assemblies of the Gough-Stewart platform are counted, drawn as ghosts, and can be cancelled", async () => {
  const { page, settled, pixels } = await visit();
  await page.click("#tab-assemblies");
  await page.evaluate(() => {
    document.getElementById("find-assemblies").click();
    document.getElementById("assemblies-cancel").click();
  });
  await page.waitForFunction(() => document.getElementById("assemblies-count").textContent !== "");
  assert.match(await page.textContent("#assemblies-count"), /Cancelled/);
  await settled();
  const bare = await pixels();
  await page.evaluate(() => lab.setDrives([0.8, 0.81, 0.79, 0.8, 0.82, 0.8]));
  await page.click("#find-assemblies");
  await page.waitForSelector("#assembly-1");
  await settled();
  // README: eight, counted by the command line for the same lengths.
  assert.equal(await page.getAttribute("#assemblies-count", "data-count"), "8");
  assert.match(await page.textContent("#assemblies-count"), /proved|searched/);
  const drives = await page.evaluate(() => [...lab.bench().drives()]);
  const taken = await page.locator("#assemblies-list tbody tr:not(.present)").first().getAttribute("id");
  const ghost = await pixels();
  let changed = 0;
  for (let x = 10; x < 800; x += 3) for (let y = 60; y < 740; y += 3) if (bare.at(x, y).some((c, k) => Math.abs(c - ghost.at(x, y)[k]) > 12)) changed++;
  assert.ok(changed > 500, `${changed} samples changed by the ghosts`);
  await page.click(`#${taken} button`);
  await settled();
  close(await page.evaluate(() => [...lab.bench().drives()]), drives, 1e-9, "drives");
  await closed(page);
});

test("a tree has no assemblies, and says so", async () => {
  const { page, load } = await visit();
  await load("puma560");
  await page.click("#tab-assemblies");
  assert.match(await page.textContent("#assemblies-tree"), /no closed loops/);
  assert.equal(await page.isVisible("#find-modes"), false);
});

test("a finger drags the platform and a slider on a phone, the sheet opens by its grip", async () => {
  const { page, context, settled } = await visit({ viewport: PHONE, touch: true });
  const session = await context.newCDPSession(page);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const before = await pose(page);
  const at = await handle(page, "Z");
  await touch("touchStart", [at]);
  for (let k = 1; k <= 10; k++) {
    await touch("touchMove", [[at[0], at[1] - 3 * k]]);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
  await touch("touchEnd", []);
  await settled();
  const after = await pose(page);
  assert.ok(after[2] > before[2] + 0.01, "it went up");
  await closed(page);
  const tall = await page.evaluate(() => lab.view.canvas.clientHeight);
  await page.tap("#tab-pose");
  await page.waitForSelector("#joint-range-0, .hand-joint input[type=range]");
  await settled();
  const short = await page.evaluate(() => lab.view.canvas.clientHeight);
  assert.ok(short > 250 && short < tall, `the picture stays in sight: ${short} of ${tall} pixels`);
  // A finger on the slider's track, a quarter to the right.
  const slider = await page.locator("#panel-pose input[type=range]").first();
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const q = await page.evaluate(() => [...lab.bench().drives()]);
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await touch("touchStart", [middle]);
  await touch("touchMove", [[middle[0] + box.width / 8, middle[1]]]);
  await touch("touchMove", [[middle[0] + box.width / 4, middle[1]]]);
  await touch("touchEnd", []);
  await settled();
  const moved = await page.evaluate(() => [...lab.bench().drives()]);
  assert.ok(moved[0] > q[0] + 0.01, `the first leg is ${moved[0]}, was ${q[0]}`);
  close(moved.slice(1), q.slice(1), 1e-9, "the other legs");
  await closed(page);
  await page.tap("#grip");
  await settled();
  assert.equal(await page.evaluate(() => lab.view.canvas.clientHeight), tall);
  // Nothing is wider than the phone.
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("the output frame can be chosen", async () => {
  const { page, load } = await visit();
  await load("puma560");
  await page.click("#tab-pose");
  const frames = await page.evaluate(() => lab.robot().frames);
  for (const name of [frames[2], frames.at(-1)]) {
    await page.selectOption("#hand-output", name);
    assert.equal(await page.evaluate(() => lab.bench().output()), name);
    const [shown, drawn] = await page.evaluate((name) => [lab.live().pose, lab.sketch().frames.find((one) => one.name === name).pose], name);
    close(shown, drawn, 1e-12, name);
    await frame(page);
    close(await wanted(page), shown, 1e-12, "gizmo");
  }
});

test("the menu looks along axes and switches what is drawn", async () => {
  const { page, settled } = await visit();
  for (const [axis, k] of [["x", 0], ["y", 1], ["z", 2]]) {
    await page.click("text=View");
    await page.click(`#command-look-${axis}`);
    await settled();
    const { position, target } = await page.evaluate(() => lab.view.camera());
    const way = position.map((x, i) => x - target[i]);
    assert.ok(way[k] / Math.hypot(...way) > 0.999, `camera on ${axis}`);
  }
  await page.click("text=View");
  assert.equal(await page.getAttribute("#command-show-names", "aria-checked"), "false");
  await page.click("#command-show-names");
  await settled();
  const names = await page.$$eval(".labels span", (spans) => spans.map((span) => span.textContent));
  assert.deepEqual(names, await page.evaluate(() => lab.sketch().nodes.map((node) => node.name)));
  await page.click("text=View");
  assert.equal(await page.getAttribute("#command-show-names", "aria-checked"), "true");
  const small = await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
  await page.click("#command-large-type");
  assert.ok((await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))) > 1.4 * small, "large type");
});

test("the hand rests while another has the robot", async () => {
  const { page } = await visit();
  const start = await pose(page);
  await page.evaluate(() => lab.take("test", () => {}));
  await page.focus("canvas");
  await page.keyboard.press("ArrowRight");
  await frame(page);
  assert.equal(await page.evaluate(() => lab.view.gizmo.enabled), false);
  close(await pose(page), start, 0, "pose");
  await page.evaluate(() => lab.give("test"));
  await page.keyboard.press("ArrowRight");
  close((await pose(page)).slice(0, 1), [start[0] + 0.01], 1e-12, "x");
});

test("colours of text have the contrast of WCAG AA, fields have names", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page } = await visit({ scheme });
    const ratios = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const value = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
        const part = (x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part(value >> 16) + 0.7152 * part((value >> 8) & 255) + 0.0722 * part(value & 255);
      };
      const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const found = {};
      for (const ground of ["--surface", "--raised"]) {
        for (const ink of ["--ink", "--muted", "--accent", "--bad", "--good", "--warn"]) found[`${ink} on ${ground}`] = ratio(ink, ground) / 4.5;
        found[`--edge on ${ground}`] = ratio("--edge", ground) / 3;
      }
      found["--on-accent on --accent"] = ratio("--on-accent", "--accent") / 4.5;
      return found;
    });
    for (const [pair, ratio] of Object.entries(ratios)) assert.ok(ratio >= 1, `${pair}, ${scheme}: ${ratio} of what is needed`);
    await page.click("#tab-pose");
    await page.click("#panel-pose summary");
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, [role=button]")].filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless, []);
  }
});

test("another output of a robot with loops: joints keep their names, and the picture its platform", async () => {
  const { page, settled, load } = await visit();
  await load("gough-stewart");
  await page.click("#tab-pose");
  await settled();
  const before = await page.evaluate(() => ({ drives: lab.state().live.drives, camera: lab.view.camera() }));
  await page.evaluate(() => lab.setOutput("leg1.slide"));
  await settled();
  const after = await page.evaluate(() => {
    const { robot, live, sketch } = lab.state();
    return { output: robot.output, names: robot.joints.length, q: live.q.length, drives: robot.drives.map(({ joint }) => live.q[joint]), platform: sketch.platform.length, camera: lab.view.camera() };
  });
  assert.equal(after.output, "leg1.slide");
  assert.equal(after.names, after.q);
  close(after.drives, before.drives, 1e-9, "drives");
  assert.equal(after.platform, 6);
  assert.deepEqual(after.camera, before.camera);
});

test("another robot under an open panel: what its output cannot choose becomes read-only, and free again", async () => {
  const { page, load } = await visit();
  const locked = () => page.$$eval(".hand-pose input", (all) => all.filter((one) => one.readOnly).map((one) => one.id));
  await load("puma560");
  await page.evaluate(() => lab.open("pose"));
  assert.deepEqual(await locked(), []);
  await load("agile-wrist");
  assert.deepEqual(await locked(), ["pose-x", "pose-y", "pose-z"]);
  await load("delta");
  assert.deepEqual(await locked(), ["pose-roll", "pose-pitch", "pose-yaw"]);
});

test("the arrow of gravity points where the robot's gravity does, and can be switched off", async () => {
  const { page, load } = await visit();
  const seen = () => page.isVisible(".gravity-sign span");
  const along = () => page.evaluate(() => lab.view.gravity.along);
  await load("five-bar");
  await frame(page);
  assert.deepEqual(await along(), [0, -1, 0]);
  assert.equal(await seen(), true);
  await load("puma560");
  await frame(page);
  assert.deepEqual(await along(), [0, 0, -1]);
  await page.evaluate(() => lab.store.set({ shown: { ...lab.state().shown, gravity: false } }));
  await frame(page);
  assert.equal(await seen(), false);
});
