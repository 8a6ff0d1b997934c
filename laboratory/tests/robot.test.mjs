// Choosing, bringing and editing a robot: gallery, drops, meshes, the editor, files that are none.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { close, laboratory } from "./page.mjs";

const visit = laboratory();
const repository = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const golden = JSON.parse(readFileSync(fileURLToPath(new URL("golden/numbers.json", import.meta.url)), "utf8"));
const GOUGH = repository("crates/appell/robots/gough-stewart.toml");
const PUMA = repository("tests/data/urdf/puma560.urdf");

/** Waits until another robot is on the bench. */
const loaded = (page, file) => page.waitForFunction((file) => lab.state().source?.file === file && lab.state().busy === "", file);

test("the gallery shows every built-in robot with a picture and loads what is clicked", async () => {
  const { page } = await visit();
  const names = await page.evaluate(() => JSON.parse(lab.engine.library.builtins()).map(({ name }) => name));
  assert.deepEqual([...names].sort(), Object.keys(golden).sort());
  assert.deepEqual(await page.$$eval(".card strong", (all) => all.map((one) => one.textContent)), names);
  await page.waitForFunction(() => [...document.querySelectorAll(".card img")].every((one) => one.complete && one.naturalWidth > 0));
  const pictures = await page.$$eval(".card img", (all) => all.map((one) => one.src));
  assert.equal(new Set(pictures).size, names.length, "each robot has its own picture");
  await page.click("#robot-scara");
  await page.waitForFunction(() => document.getElementById("robot-scara").getAttribute("aria-current") === "true");
  assert.equal(await page.evaluate(() => lab.robot().joints.length), 4);
});

test("the gallery is filtered by words and by kind", async () => {
  const { page } = await visit();
  const shown = () => page.$$eval(".gallery > div:not([hidden]) strong", (all) => all.map((one) => one.textContent));
  await page.fill("#robot-filter", "puma");
  assert.deepEqual(await shown(), ["puma560", "puma560-b"]);
  await page.fill("#robot-filter", "");
  await page.selectOption("#robot-kind", "closed");
  const closed = Object.entries(golden).filter(([, { kind }]) => kind === "closed");
  assert.deepEqual((await shown()).sort(), closed.map(([name]) => name).sort());
});

const DROPS = [
  ["planar-arm.toml", repository("tests/data/planar-arm.toml"), "tree", null],
  ["gough-stewart.toml", GOUGH, "closed", 18],
  ["puma560.urdf", PUMA, "tree", 6],
  ["loops.xml", repository("tests/data/mjcf/loops.xml"), "closed", 6],
  ["frames.sdf", repository("tests/data/sdf/frames.sdf"), "tree", 4],
  ["two.csv", "modified-dh,type,alpha,a,theta,d\nshoulder,revolute,0,0,q,0\nelbow,revolute,0,0.5,q,0\n", "tree", 2],
  ["two.md", "A robot.\n\n| modified-dh | type | alpha | a | theta | d |\n|---|---|---|---|---|---|\n| one | revolute | 0 | 0 | q | 0 |\n| two | prismatic | 0 | 0.4 | 0 | q |\n", "tree", 2],
];
test("dropped TOML, URDF, MJCF, SDF, CSV and Markdown files are put on the bench", async () => {
  const { page, drop, messages } = await visit();
  for (const [file, text, kind, joints] of DROPS) {
    await drop([[file, text]]);
    await loaded(page, file);
    const robot = await page.evaluate(() => lab.robot());
    assert.equal(robot.kind, kind, file);
    assert.equal(robot.text, text, file);
    if (joints !== null) assert.equal(robot.joints.length, joints, file);
    assert.equal(await page.evaluate(() => lab.live().q.length), robot.joints.length, file);
    assert.ok((await messages()).every((said) => !said.includes("cannot be loaded")), file);
  }
});

test("a robot from a dropped text has the numbers of the built-in one", async () => {
  const { page, drop } = await visit();
  await drop([["puma560.toml", repository("crates/appell/robots/puma560.toml")]]);
  await loaded(page, "puma560.toml");
  const { q, v, a, answers } = golden.puma560;
  const found = await page.evaluate(([q, v, a]) => (lab.setQ(q), lab.setMotion(v, a), [...lab.bench().ask("inverse-dynamics")]), [q, v, a]);
  close(found, answers["inverse-dynamics"].values, 1e-12, "torques");
});

test("a robot written in any format and dropped again has the same torques", async () => {
  const { page, drop } = await visit();
  const { q, v, a, answers } = golden.puma560;
  for (const format of ["toml", "urdf", "par", "csv", "md"]) {
    const text = await page.evaluate((format) => lab.load("puma560").then(() => lab.bench().write(format)), format);
    await drop([[`again.${format}`, text]]);
    await loaded(page, `again.${format}`);
    const found = await page.evaluate(([q, v, a]) => (lab.setQ(q), lab.setMotion(v, a), [...lab.bench().ask("inverse-dynamics")]), [q, v, a]);
    close(found, answers["inverse-dynamics"].values, 1e-9, format);
  }
});

test("a file dropped on the editor is loaded, not inserted", async () => {
  const { page, drop } = await visit();
  await edit(page);
  await drop([["scara.toml", repository("crates/appell/robots/scara.toml")]], "#editor .cm-content");
  await loaded(page, "scara.toml");
  await page.waitForFunction(() => document.querySelector(".editor-name").textContent === "scara.toml");
  assert.equal(await page.textContent("#editor .cm-line"), repository("crates/appell/robots/scara.toml").split("\n")[0]);
});

// ---- meshes ----

/** The corners and triangles of a cube around the origin. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, k >> 2].map((bit) => 0.2 * (bit - 0.5)));
const FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
const TRIANGLES = FACES.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
const positions = TRIANGLES.flat().flatMap((k) => CORNERS[k]);
const stl = `solid cube\n${TRIANGLES.map((t) => `facet normal 0 0 0\nouter loop\n${t.map((k) => `vertex ${CORNERS[k].join(" ")}`).join("\n")}\nendloop\nendfacet`).join("\n")}\nendsolid cube\n`;
const obj = `${CORNERS.map((p) => `v ${p.join(" ")}`).join("\n")}\n${TRIANGLES.map((t) => `f ${t.map((k) => k + 1).join(" ")}`).join("\n")}\n`;
const buffer = Buffer.from(new Float32Array(positions).buffer);
const gltf = (uri) =>
  JSON.stringify({
    asset: { version: "2.0" },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: positions.length / 3, type: "VEC3", min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1] }],
    bufferViews: [{ buffer: 0, byteLength: buffer.length }],
    buffers: [{ byteLength: buffer.length, uri }],
  });
const dae = `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="${positions.length}">${positions.join(" ")}</float_array>
<technique_common><accessor source="#f" count="${positions.length / 3}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="${TRIANGLES.length}"><input semantic="VERTEX" source="#v" offset="0"/><p>${positions.slice(0, positions.length / 3).map((_, k) => k).join(" ")}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>`;
const link = (name, file) =>
  `<link name="${name}"><visual><origin xyz="0 0 0.1"/><geometry><mesh filename="package://arm/meshes/${file}"/></geometry></visual><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
const joint = (name, parent, child) =>
  `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="10" velocity="3"/></joint>`;
const arm = (files) => `<robot name="arm">${files.map((file, k) => link(`l${k}`, file)).join("")}${files.slice(1).map((_, k) => joint(`j${k}`, `l${k}`, `l${k + 1}`)).join("")}</robot>`;

test("meshes dropped with a robot are drawn in its frames; those that are missing are listed", async () => {
  const { page, drop, pixels } = await visit();
  const files = ["base.stl", "upper.obj", "Fore.gltf", "hand.glb", "tool.dae"];
  await drop([["arm.urdf", arm(files)], ["base.stl", stl]]);
  await loaded(page, "arm.urdf");
  await page.waitForSelector("#missing-meshes:not([hidden])");
  const missing = await page.textContent("#missing-meshes");
  assert.ok(missing.includes("upper.obj") && missing.includes("tool.dae") && !missing.includes("base.stl"), missing);
  await page.evaluate(() => lab.store.set({ shown: { ...lab.state().shown, frames: false } }));
  // One row of cubes: without its mesh a link's place shows the background.
  const places = files.map((_, k) => [0.5 * k, 0, 0.1]);
  await page.evaluate(() => lab.view.setCamera({ position: [1, -3.4, 0.9], target: [1, 0, 0.1] }));
  await page.evaluate(() => (lab.view.gizmo.getHelper().visible = false));
  const seen = async () => {
    const picture = await pixels();
    return Promise.all(places.map(async (place) => picture.at(...(await page.evaluate((place) => lab.project(place), place)))));
  };
  const before = await seen();
  await drop([["upper.obj", obj], ["fore.gltf", gltf("part.bin")], ["part.bin", buffer], ["hand.glb", glb()], ["tool.dae", dae]]);
  await page.waitForSelector("#missing-meshes[hidden]", { state: "attached" });
  const after = await seen();
  const far = (a, b) => Math.hypot(...[0, 1, 2].map((k) => a[k] - b[k]));
  assert.ok(far(before[0], before[4]) > 20, "the first link has its mesh at once");
  for (let k = 1; k < files.length; k++) assert.ok(far(before[k], after[k]) > 20, `${files[k]}: ${before[k]} became ${after[k]}`);
});

const FILES_WITH_MESHES = [
  [
    "arm.xml",
    `<mujoco model="arm"><compiler angle="radian"/><asset><mesh file="parts/cube.stl" scale="2 2 2"/></asset><worldbody><body name="arm"><joint name="j" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
     <geom type="mesh" mesh="cube" pos="0.1 0 0.2" euler="0 0 0.5" contype="0" conaffinity="0"/></body></worldbody></mujoco>`,
    { frame: "arm", file: "parts/cube.stl", scale: [2, 2, 2], pose: [0.1, 0, 0.2, 0, 0, Math.sin(0.25), Math.cos(0.25)] },
  ],
  [
    "arm.sdf",
    `<sdf version="1.7"><model name="arm"><link name="base"/><link name="arm"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
     <visual name="v"><pose>0.1 0 0.2 0 0 0.5</pose><geometry><mesh><uri>model://arm/block.stl</uri></mesh></geometry></visual></link>
     <joint name="w" type="fixed"><parent>world</parent><child>base</child></joint><joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>`,
    { frame: "arm", file: "model://arm/block.stl", scale: [1, 1, 1], pose: [0.1, 0, 0.2, 0, 0, Math.sin(0.25), Math.cos(0.25)] },
  ],
];
test("the meshes that MJCF and SDF files name are found in their frames", async () => {
  const { page, drop } = await visit();
  for (const [file, text, expected] of FILES_WITH_MESHES) {
    await drop([[file, text]]);
    await loaded(page, file);
    const part = expected.file.split("/").at(-1);
    await page.waitForFunction((part) => document.getElementById("missing-meshes").textContent.includes(part), part);
    const [{ pose, ...mesh }] = await page.evaluate(() => lab.view.meshes.named);
    const { pose: place, ...named } = expected;
    assert.deepEqual(mesh, named, file);
    close(pose, place, 1e-12, file);
    await drop([[part, stl]]);
    await page.waitForSelector("#missing-meshes[hidden]", { state: "attached" });
    assert.ok(await page.evaluate(() => lab.view.meshes.covers()), file);
  }
});

function glb() {
  const json = JSON.parse(gltf(""));
  delete json.buffers[0].uri;
  let head = Buffer.from(JSON.stringify(json));
  head = Buffer.concat([head, Buffer.alloc((4 - (head.length % 4)) % 4, 0x20)]);
  const word = (...values) => Buffer.from(new Uint32Array(values).buffer);
  return Buffer.concat([word(0x46546c67, 2, 12 + 8 + head.length + 8 + buffer.length), word(head.length, 0x4e4f534a), head, word(buffer.length, 0x004e4942), buffer]);
}

test("a mesh that is none is refused with its name", async () => {
  const { page, drop, messages } = await visit();
  await drop([["a.stl", "no mesh"], ["b.glb", "no mesh"], ["c.gltf", gltf("gone.bin")], ["d.dae", "<a/>"]]);
  await page.waitForSelector("#toasts .toast");
  const [said, ...more] = await messages();
  assert.match(said, /^4 of 4 files could not be read/);
  assert.ok(said.includes("gone.bin") && more.length === 0, said);
  assert.equal(await page.evaluate(() => lab.robot().name), "Gough-Stewart platform");
});

// ---- the editor ----

const edit = async (page) => {
  await page.click("#robot-show-editor");
  await page.waitForSelector("#editor .cm-content");
};
/** Replaces a line as one who types. */
async function retype(page, line, text) {
  await page.click("#editor .cm-content");
  await page.keyboard.press("Control+Home");
  for (let k = 1; k < line; k++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type(text);
}
const LINES = GOUGH.split("\n");
const MASS = LINES.findIndex((line) => line.startsWith("mass = 25")) + 1;

test("the reader's problems stand at their lines while one types; the robot stays the last valid one", async () => {
  const { page } = await visit();
  await edit(page);
  const before = await page.evaluate(() => lab.state().revision);
  await retype(page, MASS, "mass = true");
  await page.waitForSelector("#problems li.error");
  assert.equal(await page.getAttribute("#problems li.error", "data-line"), String(MASS));
  // The mark in the gutter is beside the number of the line.
  const mark = await page.locator(".cm-lint-marker-error").boundingBox();
  const number = await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: new RegExp(`^${MASS}$`) }).boundingBox();
  assert.ok(Math.abs(mark.y + mark.height / 2 - (number.y + number.height / 2)) < 8, `${mark.y} beside ${number.y}`);
  assert.equal(await page.evaluate(() => lab.state().revision), before);
  assert.equal(await page.evaluate(() => lab.robot().mass).then((mass) => mass.toFixed(6)), golden["gough-stewart"].mass.toFixed(6));
});

test("the robot follows the text while it is valid, in its pose and under the camera; undo and save", async () => {
  const { page, download } = await visit();
  await edit(page);
  const camera = { position: [1.5, -1.2, 1.1], target: [0, 0, 0.4] };
  await page.evaluate((camera) => {
    lab.setPose([0.05, 0.02, 0.8, 0, 0, 0, 1]);
    lab.view.setCamera(camera);
  }, camera);
  const pose = await page.evaluate(() => lab.live().pose);
  const mass = await page.evaluate(() => lab.robot().mass);
  await retype(page, MASS, "mass = 40.0");
  await page.waitForFunction((mass) => Math.abs(lab.robot().mass - mass - 15) < 1e-9, mass);
  close(await page.evaluate(() => lab.live().pose), pose, 1e-9, "pose");
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  const now = await page.evaluate(() => lab.view.camera());
  close([...now.position, ...now.target], [...camera.position, ...camera.target], 1e-9, "camera");
  const saved = await download(() => page.click("#editor-save"));
  assert.equal(saved.name, "gough-stewart.toml");
  assert.equal(saved.bytes.toString(), LINES.with(MASS - 1, "mass = 40.0").join("\n"));
  await page.click("#editor-undo");
  await page.waitForFunction((mass) => lab.robot().mass === mass, mass);
  assert.deepEqual(await page.evaluate(() => lab.state().source), { kind: "builtin", name: "gough-stewart" });
});

test("an answer about an older text is dropped", async () => {
  const { page } = await visit();
  await edit(page);
  const mass = await page.evaluate(() => lab.robot().mass);
  // The first answer is held back until more was typed.
  await page.evaluate(() => {
    const { engine } = lab;
    const call = engine.call.bind(engine);
    engine.call = (given) => {
      const pending = call(given);
      if (given.method !== "check" || window.release) return pending;
      const gate = new Promise((open) => (window.release = open));
      return { ...pending, promise: pending.promise.then((answer) => gate.then(() => answer)) };
    };
  });
  await retype(page, MASS, "mass = true");
  await page.waitForFunction(() => window.release);
  await retype(page, MASS, "mass = 26.0");
  await page.evaluate(() => window.release());
  await page.waitForFunction((mass) => Math.abs(lab.robot().mass - mass - 1) < 1e-9, mass);
  await page.waitForFunction(() => document.getElementById("editor-state").classList.contains("good"));
  assert.equal(await page.locator("#problems li").count(), 0);
});

test("a text that was typed and not saved is kept while another robot is on the bench, and the browser asks for it", async () => {
  const { page } = await visit();
  const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await edit(page);
  assert.equal(await asks(), false);
  const mass = await page.evaluate(() => lab.robot().mass);
  await retype(page, MASS, "mass = 40.0");
  await page.waitForFunction((mass) => lab.robot().mass > mass + 14, mass);
  assert.equal(await asks(), true);
  await page.evaluate(() => lab.load("scara"));
  await page.waitForFunction(() => document.querySelector(".editor-name").textContent.startsWith("scara"));
  assert.ok(await page.isHidden("#editor-draft"));
  assert.equal(await asks(), true);
  await page.evaluate(() => lab.load("gough-stewart"));
  await page.waitForSelector("#editor-draft:not([hidden])");
  assert.equal(await page.evaluate(() => lab.robot().mass), mass, "the bench has what was asked for");
  await page.click("#draft-take");
  await page.waitForFunction((mass) => Math.abs(lab.robot().mass - mass - 15) < 1e-9, mass);
  assert.ok(await page.isHidden("#editor-draft"));
  // With its history.
  await page.click("#editor .cm-content");
  for (let k = 0; k < 20; k++) await page.keyboard.press("Control+z");
  await page.waitForFunction((mass) => lab.robot().mass === mass, mass);
  assert.equal(await asks(), false);
});

// ---- hostile files ----

const chain = (count) => {
  const body = (k) => `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
  const joint = (k) => `<joint name="j${k}" type="revolute"><parent link="l${k - 1}"/><child link="l${k}"/><origin xyz="0.01 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>`;
  return `<robot name="chain">${Array.from({ length: count + 1 }, (_, k) => body(k) + (k > 0 ? joint(k) : "")).join("")}</robot>`;
};
const HOSTILE = [
  ["empty.toml", ""],
  ["blank.urdf", " \n\t\n"],
  ["binary.toml", Buffer.from([1, 2, 0, 255, 254, 0, 7])],
  ["noise.toml", "]]]][[[[\u{1f600}\u0001 = = ="],
  ["movie.avi", "RIFF"],
  ["none", "text"],
  ["huge.toml", Buffer.alloc(17e6, 0x20)],
  ["open.urdf", "<robot name='a'><link"],
  ["bomb.urdf", `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, k) => `<!ENTITY a${k} "${`&a${k > 0 ? k - 1 : ""};`.repeat(10)}">`).join("")}]><robot name="&a8;"/>`],
  ["nan.toml", GOUGH.replace("mass = 25.0", "mass = nan")],
  ["huge-number.toml", GOUGH.replace("mass = 25.0", "mass = 1e999")],
  ["deep.toml", `a = ${"[".repeat(20000)}`],
  ["table.csv", "a,b,c\n1,2,3\n"],
];
test("files that are no robots get a message and leave the robot alone", async () => {
  const { page, drop, messages } = await visit();
  for (const [file, content] of HOSTILE) {
    await drop([[file, content]]);
    await page.waitForFunction((file) => [...document.querySelectorAll("#toasts .toast.error p")].some((said) => said.textContent.includes(file)), file);
    assert.ok((await messages()).some((said) => said.length > file.length + 5), `${file} gets a reason`);
    assert.equal(await page.evaluate(() => lab.robot().name), "Gough-Stewart platform", file);
    assert.equal(await page.evaluate((z) => lab.setPose([0, 0, z, 0, 0, 0, 1]), 0.7 + 0.01 * file.length), "", file);
    await page.evaluate(() => document.getElementById("toasts").replaceChildren());
  }
});

test("many files that are no robots give one message with their count", async () => {
  const { page, drop, messages } = await visit();
  await drop(Array.from({ length: 300 }, (_, k) => [`bad${k}.xyz`, "no robot"]));
  await page.waitForSelector("#toasts .toast");
  const said = await messages();
  assert.equal(said.length, 1);
  assert.match(said[0], /^300 of 300 files could not be read/);
});

test("a chain of 10 000 joints is answered, and the page lives", async () => {
  const { page, drop } = await visit();
  await drop([["chain.urdf", chain(10_000)]]);
  await page.waitForFunction(() => lab.state().busy === "" && (lab.state().source?.file === "chain.urdf" || document.querySelector("#toasts .toast.error")));
  if (await page.evaluate(() => lab.state().source.file === "chain.urdf")) {
    assert.equal(await page.evaluate(() => lab.robot().joints.length), 10_000);
    const parts = await page.evaluate(() => [lab.view.model.signs.size, lab.view.model.thin.object.geometry.drawRange.count]);
    assert.deepEqual(parts[0], 0, "no signs of that many joints");
    assert.ok(parts[1] >= 20_000, `ends of lines: ${parts[1]}`);
    await page.click("#tab-forces");
    assert.ok((await page.locator("#torques tbody tr").count()) > 10);
  }
  await page.evaluate(() => lab.load("puma560"));
  assert.equal(await page.evaluate(() => lab.robot().joints.length), 6);
});
