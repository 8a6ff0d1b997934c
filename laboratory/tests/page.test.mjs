// The page as a whole: opens from disk, asks nothing of a network, survives what it is given.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { createServer } from "node:http";
import test from "node:test";
import { ARM, FILE, PHONE, laboratory } from "./page.mjs";
import { apart } from "./png.mjs";

const visit = laboratory();

/** Pixels of the view that are not its background, by a coarse grid. */
async function drawn({ page, pixels }) {
  const box = await page.locator("#view canvas").first().boundingBox();
  const picture = await pixels();
  const background = picture.at(box.x + 4, box.y + box.height / 2);
  let count = 0;
  for (let x = box.x + 0.2 * box.width; x < box.x + 0.8 * box.width; x += 4)
    for (let y = box.y + 0.2 * box.height; y < box.y + 0.8 * box.height; y += 4) if (apart(picture.at(x, y), background) > 40) count++;
  return count;
}

test("opens from disk, draws a robot, and is one file under 6 MB", async () => {
  const visited = await visit();
  const { page } = visited;
  assert.equal(await page.evaluate(() => location.protocol), "file:");
  console.log(`first robot drawn after ${(await page.evaluate(() => performance.now())).toFixed(0)} ms`);
  assert.ok(await drawn(visited) > 100);
  assert.ok(statSync(FILE).size < 6e6);
  assert.equal(await page.evaluate(() => document.querySelectorAll("script[src], link[href], img[src^=http]").length), 0);
});

test("the content-security policy blocks every way out", async () => {
  const { page, requests } = await visit({ errors: true });
  let arrived = 0; // bytes: before its policy is asked, the browser may open a socket for a frame or a form, but sends nothing
  const server = createServer((_, response) => response.setHeader("access-control-allow-origin", "*").end("ok"));
  server.on("connection", (socket) => socket.on("data", (data) => (arrived += data.length)));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const port = server.address().port;
  try {
    const blocked = await page.evaluate(async (port) => {
      const url = `http://127.0.0.1:${port}/`;
      const violations = new Set();
      document.addEventListener("securitypolicyviolation", (event) => violations.add(event.effectiveDirective));
      await fetch(url).catch(() => {});
      await new Promise((done) => Object.assign(new Image(), { onload: done, onerror: done, src: `${url}a.png` }));
      try {
        await new Promise((done) => Object.assign(new WebSocket(url.replace("http", "ws")), { onopen: done, onerror: done }));
      } catch {
        // refused at once
      }
      navigator.sendBeacon(url, "x");
      const script = document.body.appendChild(document.createElement("script"));
      await new Promise((done) => Object.assign(script, { onload: done, onerror: done, src: `${url}a.js` }));
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.src = url;
      const form = document.body.appendChild(document.createElement("form"));
      Object.assign(form, { action: url, method: "post" });
      form.submit();
      for (let k = 0; k < 200 && !violations.has("form-action"); k++) await new Promise((done) => setTimeout(done, 50));
      return [...violations];
    }, port);
    for (const directive of ["connect-src", "img-src", "script-src-elem", "frame-src", "form-action"]) assert.ok(blocked.includes(directive), `${directive} in ${blocked}`);
    assert.equal(arrived, 0);
    // The same page without its policy would get out.
    const free = await visit({ edit: (text) => text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""), errors: true });
    await free.page.evaluate((port) => fetch(`http://127.0.0.1:${port}/`, { mode: "no-cors" }), port);
    assert.ok(arrived > 0);
    free.requests.length = 0;
  } finally {
    server.close();
    server.closeAllConnections();
  }
  requests.length = 0; // blocked ones are reported as begun
});

test("every built-in robot loads and is drawn, without an error", async () => {
  const visited = await visit();
  const { page, load, messages } = visited;
  const names = await page.evaluate(() => JSON.parse(lab.engine.library.builtins()).map((robot) => robot.name));
  assert.ok(names.length >= 20, `${names.length} robots`);
  for (const name of names) {
    assert.equal(await load(name), true, name);
    assert.ok((await page.evaluate(() => lab.sketch().bars.length)) > 0, name);
    assert.ok((await drawn(visited)) > 60, `${name} is drawn`);
    assert.deepEqual(await messages(), [], name);
  }
});

test("a lost graphics context is said, and comes back", async () => {
  const visited = await visit({ errors: true });
  const { page, settled, messages } = visited;
  await page.evaluate(() => lab.view.canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForSelector(".view-message button");
  assert.match((await messages()).join(), /graphics context was lost/);
  // The numbers still work.
  const before = await page.evaluate(() => lab.live().pose[2]);
  await page.evaluate(() => lab.setPose([0, 0, 0.8, 0, 0, 0, 1]));
  assert.notEqual(await page.evaluate(() => lab.live().pose[2]), before);
  await page.click(".view-message button");
  await page.waitForSelector(".view-message", { state: "detached" });
  await settled();
  assert.ok((await drawn(visited)) > 100);
});

/** A chain of many joints, as URDF. */
function chain(joints) {
  const links = Array.from({ length: joints + 1 }, (_, i) => `<link name="l${i}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`);
  const turns = Array.from({ length: joints }, (_, i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/></joint>`);
  return `<robot name="chain">${links.join("")}${turns.join("")}</robot>`;
}
const arm = (mass) => `name = "arm"\nframes = "modified-dh"\njoints = [["a", "revolute", 0.0, 0.0, "q", 0.0]]\n[body.a]\nmass = ${mass}\ncom = [0.1, 0.0, 0.0]\ninertia = { xx = 0.1, yy = 0.1, zz = 0.1 }\n`;
const laughs = `<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${"abcdefghij"[i + 1]} "${`&${"abcdefghij"[i]};`.repeat(10)}">`).join("")}]><robot name="&j;"/>`;
const HOSTILE = {
  "NaN.toml": arm("nan"),
  "huge.toml": arm("1e300"),
  "infinite.toml": arm("inf"),
  "rubbish.urdf": Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + 13) % 256)),
  "rubbish.toml": Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 104729 + 7) % 256)),
  "empty.toml": "",
  "long.toml": `name = "${"x".repeat(20e6)}"`,
  "deep.urdf": `<robot name="deep">${"<link>".repeat(100_000)}${"</link>".repeat(100_000)}</robot>`,
  "deep.toml": `a = ${"[".repeat(100_000)}`,
  "laughs.urdf": laughs,
  "unknown.xyz": "hello",
};

test("hostile files give a message; the robot on the bench stays", async () => {
  const { page, drop, messages, load } = await visit();
  await load("two-link");
  for (const [name, content] of Object.entries(HOSTILE)) {
    await page.evaluate(() => document.querySelectorAll("#toasts .toast").forEach((toast) => toast.remove()));
    await drop([[name, content]]);
    await page.waitForFunction(() => document.querySelector("#toasts .toast") !== null && lab.state().busy === "");
    const said = (await messages()).join("\n");
    assert.ok(said.length > 10 && said.length < 4000, `${name}: ${said.slice(0, 200)}`);
    console.log(`${name}: ${said.split("\n")[0].slice(0, 140)}`);
    assert.equal(await page.evaluate(() => lab.setJoint(0, 0.25)), "", `${name}: the page is alive`);
    const live = await page.evaluate(() => lab.live());
    assert.ok(live.q.every(Number.isFinite) && Math.abs(live.q[0] - 0.25) < 1e-12, name);
  }
  assert.equal(await page.evaluate(() => lab.robot().joints.length), 2);
});

test("a robot of ten thousand joints is shown or refused, and the page goes on", async () => {
  const { page, drop } = await visit();
  await drop([["chain.urdf", chain(10_000)]]);
  await page.waitForFunction(() => lab.robot().joints.length === 10_000 || document.querySelector("#toasts .toast.error") !== null);
  console.log(`ten thousand joints: ${await page.evaluate(() => (lab.robot().joints.length === 10_000 ? "shown" : document.querySelector("#toasts .toast").textContent.slice(0, 140)))}`);
  assert.equal(await page.evaluate(() => lab.load("puma560")), true);
  assert.equal(await page.evaluate(() => lab.setJoint(0, 0.5)), "");
});

test("numbers that are none are refused where they are set", async () => {
  const { page, load } = await visit();
  await load("puma560");
  const q = await page.evaluate(() => lab.live().q);
  for (const bad of ["NaN", "Infinity"]) {
    const why = await page.evaluate((bad) => lab.setJoint(1, Number(bad)), bad);
    assert.match(why, /finite/);
  }
  await page.evaluate(() => lab.setJoint(1, 1e300));
  const after = await page.evaluate(() => lab.live().q);
  assert.ok(after.every(Number.isFinite));
  assert.equal(await page.evaluate((q) => lab.setQ(q), q), "");
});

test("a trap of the library is survived: the same robot in the same pose", async () => {
  const { page, load, messages } = await visit();
  await load("gough-stewart");
  await page.evaluate(() => lab.setPose([0.02, 0, 0.76, 0, 0, 0, 1]));
  const before = await page.evaluate(() => [...lab.bench().q()]);
  await page.evaluate(() => {
    lab.bench().set_pose = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    lab.setPose([0, 0, 0.75, 0, 0, 0, 1]);
  });
  assert.match((await messages()).join(), /started again/);
  const after = await page.evaluate(() => [...lab.bench().q()]);
  after.forEach((x, i) => assert.ok(Math.abs(x - before[i]) < 1e-9, `q[${i}]`));
  assert.equal(await page.evaluate(() => lab.setPose([0, 0, 0.75, 0, 0, 0, 1])), "");
});

test("after a trap the numbers are those of the output and the motion that the page shows", async () => {
  const { page, load } = await visit();
  await load("puma560");
  const [before, after] = await page.evaluate(() => {
    const frame = lab.robot().frames.find((name) => name !== lab.robot().output);
    lab.setOutput(frame);
    lab.setQ([0.3, -0.9, 0.6, 0.4, 0.8, -0.2]);
    lab.setMotion([1, -2, 0.5, 1, 0, 2], [3, 1, -4, 0, 2, 1]);
    const before = lab.live();
    const shown = lab.robot().output;
    lab.bench().set_joint = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    lab.setJoint(0, 0.1);
    return [{ ...before, output: shown }, { ...lab.live(), output: lab.bench().output() }];
  });
  assert.deepEqual(after, before);
  assert.ok(before.tau.some((tau) => Math.abs(tau) > 1));
});

test("of two requests to load the last one wins, whichever is ready first", async () => {
  const { page, messages } = await visit();
  const file = (name) => `({ kind: "file", file: "${name}.toml", text: \`${ARM.replace("given arm", name)}\` })`;
  const answers = await page.evaluate(`Promise.all([lab.load(${file("first")}), lab.load(${file("second")})])`);
  assert.deepEqual(answers, [false, true]);
  assert.equal(await page.evaluate(() => lab.robot().name), "second");
  const built = await page.evaluate(`Promise.all([lab.load(${file("third")}), lab.load("scara")])`);
  assert.deepEqual(built, [false, true]);
  assert.deepEqual(await page.evaluate(() => [lab.state().source.name, lab.state().busy]), ["scara", ""]);
  assert.deepEqual(await messages(), []);
});

test("long jobs in every worker hold up neither loading nor checking", async () => {
  const { page } = await visit();
  // The gallery's pictures are made by workers as well.
  await page.waitForFunction(() => [...document.querySelectorAll(".card img")].every((one) => one.complete && one.naturalWidth > 0));
  const text = await page.evaluate(() => JSON.parse(lab.engine.library.scenarios()).find(({ name }) => name === "puma-tool").text);
  const long = text.replace("duration = 2.5", "duration = 2000.0").replace("record = 5e-3", "record = 5.0");
  const found = await page.evaluate(
    async ([long, arm]) => {
      let done = 0;
      const jobs = Array.from({ length: 8 }, () => lab.engine.call({ robot: null, method: "play", args: [long, "puma560", ""] }));
      for (const { promise } of jobs) promise.then(() => done++, () => {});
      const loading = lab.load({ kind: "file", file: "arm.toml", text: arm });
      const busy = lab.engine.seats.filter(({ job }) => job?.call.method === "play").length;
      const loaded = await loading;
      for (const { cancel } of jobs) cancel();
      return { busy, loaded, done, name: lab.robot().name };
    },
    [long, ARM],
  );
  assert.ok(found.busy >= 1);
  assert.deepEqual([found.loaded, found.done, found.name], [true, 0, "given arm"]);
});

test("a camera without a place or a direction is ignored", async () => {
  const { page } = await visit();
  const before = await page.evaluate(() => lab.view.camera());
  for (const [position, target] of [[[1e300, 0, 0], [0, 0, 0]], [[1, 1, 1], [1, 1, 1]], [[1, 1, 1], [0, 1e12, 0]]]) {
    await page.evaluate((camera) => lab.view.setCamera(camera), { position, target });
    assert.deepEqual(await page.evaluate(() => lab.view.camera()), before);
  }
});

test("by keyboard alone: Tab reaches everything in the order of the page, ? opens help", async () => {
  const { page, settled } = await visit();
  await settled();
  const expected = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const seen = all.filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }));
    seen.forEach((element, k) => (element.dataset.order = k));
    return seen.length;
  });
  assert.ok(expected > 10, `${expected} elements`);
  const order = [];
  await page.evaluate(() => document.activeElement?.blur());
  const drives = await page.evaluate(() => lab.robot().drives.length); // in the view, Tab goes through them first
  for (let k = 0; k < expected + drives + 3; k++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement?.dataset?.order ?? null);
    if (at === null || Number(at) === order.at(-1)) continue;
    if (order.includes(Number(at))) break;
    order.push(Number(at));
  }
  const missed = await page.evaluate((order) => [...document.querySelectorAll("[data-order]")].filter((e) => !order.includes(Number(e.dataset.order)) && !(e.type === "radio" && !e.checked)).map((e) => e.outerHTML.slice(0, 80)), order);
  assert.deepEqual(missed, []);
  for (let k = 1; k < order.length; k++) assert.ok(order[k] > order[k - 1], "Tab follows the order of the page");
  // Focus can be seen.
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none");

  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("?");
  const help = page.locator("dialog[open]");
  await help.waitFor();
  const said = await help.textContent();
  for (const title of await page.evaluate(() => [...document.querySelectorAll("#tabs [role=tab]")].map((tab) => tab.textContent))) assert.ok(said.includes(title), title);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

test("menus open, move and close by keys", async () => {
  const { page } = await visit();
  const menu = page.locator("#top .menu > button").first();
  await menu.focus();
  await page.keyboard.press("Enter");
  const first = await page.evaluate(() => document.activeElement.getAttribute("role"));
  assert.equal(first, "menuitem");
  const before = await page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), before);
  await page.keyboard.press("Escape");
  assert.equal(await menu.getAttribute("aria-expanded"), "false");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-haspopup")), "menu");
});

/** Roles that a person operates: each needs a name. */
const OPERATED = new Set(["button", "checkbox", "combobox", "link", "listbox", "menuitem", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox"]);

for (const scheme of ["light", "dark"])
  test(`names, ids and contrast in every panel, ${scheme}`, async () => {
    const { page, context, settled } = await visit({ scheme });
    const session = await context.newCDPSession(page);
    const tabs = await page.$$eval("#tabs [role=tab]", (all) => all.map((tab) => tab.id));
    assert.ok(tabs.length > 0);
    const check = async (where) => {
      await settled();
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const nameless = nodes.filter((node) => !node.ignored && OPERATED.has(node.role?.value) && !node.name?.value?.trim());
      assert.deepEqual(nameless.map((node) => `${where}: ${node.role.value} without a name`), []);
      const twice = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, k, all) => all.indexOf(id) !== k));
      assert.deepEqual(twice, [], `${where}: ids`);
      assert.deepEqual(await page.evaluate(poorContrast), [], `${where}: contrast`);
    };
    for (const tab of tabs) {
      await page.click(`#${tab}`);
      await check(tab);
    }
    for (const id of ["help", "picture", "tables", "code"]) {
      await page.evaluate((id) => document.getElementById(`command-${id}`).click(), id);
      await page.locator("dialog[open]").waitFor();
      await check(id);
      await page.keyboard.press("Escape");
    }
    await page.evaluate(() => document.getElementById("command-tour-gough-stewart").click());
    await page.waitForSelector('#tour[data-ready="yes"]');
    await check("tour");
  });

/** Texts with less than 4.5 : 1 against what is behind them; 3 : 1 if they are large. Runs in the page. */
function poorContrast() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3]));
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("script, style, svg, #live, .labels, [disabled], option, .uplot") || element.getBoundingClientRect().width < 2) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [a, b] = [luminance(over(rgba(style.color), ground)), luminance(ground)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) poor.push(`“${node.textContent.trim().slice(0, 30)}” ${ratio.toFixed(2)} : 1`);
  }
  return poor;
}

test("a window of 50 pixels is survived, and the page is whole again after it", async () => {
  const { page, settled } = await visit();
  await settled();
  const shown = await page.evaluate(() => lab.view.canvas.getBoundingClientRect().toJSON());
  for (const size of [{ width: 50, height: 50 }, { width: 1280, height: 50 }, { width: 50, height: 800 }]) {
    await page.setViewportSize(size);
    await settled();
    assert.ok(await page.evaluate(() => [...lab.view.camera().position, ...lab.view.camera().target, lab.view.gizmo.size].every((x) => Number.isFinite(x) && Math.abs(x) < 1e3)), JSON.stringify(size));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await settled();
  assert.deepEqual(await page.evaluate(() => lab.view.canvas.getBoundingClientRect().toJSON()), shown);
});

test("on a phone nothing is wider than the screen and fingers find the buttons", async () => {
  const { page, settled } = await visit({ viewport: PHONE, touch: true, ratio: 1 });
  await settled();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const box = await page.locator("#view").boundingBox();
  assert.ok(box.height > 300, `the view has ${box.height} px`);
  const small = await page.$$eval("#tabs button, #top button", (all) => all.filter((b) => b.checkVisibility()).map((b) => b.getBoundingClientRect()).filter((r) => r.height < 24 || r.width < 24).length);
  assert.equal(small, 0);
});
