// A robot that comes with the page: inside of it (`appell show --page`, notebooks), or from `appell lab` beside it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import test from "node:test";
import { ARM, FILE, close, laboratory } from "./page.mjs";

const visit = laboratory();
/** Writes a robot into the page, as the command line does. */
const inside = (given) => (text) => text.replace("<!-- appell: head -->", () => `<script type="application/json" id="robot">${JSON.stringify(given).replaceAll("<", "\\u003c")}</script>`);

test("a built-in robot with its joints, named in the page", async () => {
  const q = [0.3, -0.9, 0.6, 0.4, 0.8, -0.2];
  const { page } = await visit({ edit: inside({ name: "puma560", q }) });
  assert.equal(await page.evaluate(() => lab.robot().name), "PUMA 560");
  assert.deepEqual(await page.evaluate(() => [...lab.bench().q()]), q);
});

test("a robot's file in the page", async () => {
  const { page } = await visit({ edit: inside({ file: "arm.toml", text: ARM, q: [0.1, 0.2] }) });
  const robot = await page.evaluate(() => lab.robot());
  assert.equal(robot.name, "given arm");
  assert.equal(robot.file, "arm.toml");
  close(await page.evaluate(() => lab.live().q), [0.1, 0.2], 0, "q");
});

test("what cannot be read is said, and the page starts with another robot", async () => {
  for (const given of [{ file: "arm.toml", text: "name = " }, { name: "no-such-robot" }]) {
    const { page, messages } = await visit({ edit: inside(given) });
    assert.ok((await messages()).length > 0);
    assert.ok(await page.evaluate(() => lab.robot().joints.length > 0));
  }
  const { page } = await visit({ edit: (text) => text.replace("<!-- appell: head -->", '<script type="application/json" id="robot">{"name":</script>') });
  assert.ok(await page.evaluate(() => lab.robot().joints.length > 0));
});

test("a link says more than the page", async () => {
  const { page } = await visit({ edit: inside({ name: "puma560" }), hash: "#robot=scara" });
  assert.equal(await page.evaluate(() => lab.state().source.name), "scara");
});

test("inside of another page, as notebooks show it, workers and links included", async () => {
  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const notebook = (text) => `<!doctype html><title>notebook</title><iframe style="width: 100%; height: 700px" allow="clipboard-write" srcdoc="${quoted(inside({ name: "agile-wrist" })(text))}"></iframe>`;
  const { page } = await visit({ edit: notebook, wait: false });
  const frame = page.frames()[1] ?? (await page.waitForEvent("frameattached"));
  await frame.waitForFunction(() => "lab" in window);
  await frame.evaluate(() => lab.ready);
  assert.equal(await frame.evaluate(() => lab.robot().name), "Agile Wrist");
  assert.equal((await frame.evaluate(() => lab.engine.ask("modes").promise)).total, 8);
  await frame.evaluate(() => document.getElementById("command-copy-link").click());
  await frame.waitForFunction(() => /no address|Copy this text/.test(document.body.textContent));
});

test("`appell lab`: the robot comes from its server, and again when its file has changed", async () => {
  let given = { file: "arm.toml", text: ARM };
  const html = readFileSync(FILE, "utf8").replace("connect-src 'none'", "connect-src 'self'").replace("<!-- appell: head -->", '<meta name="appell-lab" content="1">');
  const server = createServer((request, response) => {
    if (request.url === "/") response.setHeader("content-type", "text/html; charset=utf-8").end(html);
    else if (request.url === "/robot") response.setHeader("content-type", "application/json").end(JSON.stringify(given));
    else response.writeHead(404).end();
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const { page } = await visit({ address: `http://127.0.0.1:${server.address().port}/`, errors: true });
    assert.equal(await page.evaluate(() => lab.robot().name), "given arm");
    await page.evaluate(() => lab.setQ([0.4, -0.7]));
    given = { ...given, text: ARM.replace("given arm", "changed arm").replace("mass = 2.0", "mass = 3.0") };
    await page.waitForFunction(() => lab.robot().name === "changed arm");
    close(await page.evaluate(() => lab.live().q), [0.4, -0.7], 1e-15, "the pose stays");
    assert.equal(await page.evaluate(() => lab.robot().mass), 4);
    // While a text is typed that is not saved the file waits until it is asked for.
    await page.evaluate(() => lab.open("robot"));
    await page.click("#robot-show-editor");
    await page.click("#editor .cm-content");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# mine");
    await page.keyboard.press("Enter");
    given = { ...given, text: ARM.replace("given arm", "third arm") };
    await page.waitForSelector("#toasts .toast-action");
    assert.equal(await page.evaluate(() => lab.robot().name), "changed arm");
    assert.ok((await page.textContent("#editor .cm-content")).startsWith("# mine"));
    await page.click("#toasts .toast-action");
    await page.waitForFunction(() => lab.robot().name === "third arm");
    await page.waitForSelector("#editor-draft:not([hidden])");
    // A change that cannot be read: a message, the robot stays.
    given = { ...given, text: "name = " };
    await page.waitForSelector("#toasts .toast");
    assert.equal(await page.evaluate(() => lab.robot().name), "third arm");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
