// What all tests of the page share: the built page in a real browser, opened from disk.
//
//   const visit = laboratory();                      once per file: one browser, closed at the end
//   test("…", async () => {
//     const { page, settled, pixels } = await visit({ viewport: PHONE, scheme: "dark", hash: "#…" });
//     await page.evaluate(() => lab.load("puma560"));    `lab` is the laboratory itself, src/app/lab.ts
//   });
//
// A page that made a network request, threw, or wrote an error to the console fails its test; `errors: true` permits errors.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { after, afterEach, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { decode } from "./png.mjs";

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const PROJECTOR = { width: 1920, height: 1080 };
/** The page under test; LABORATORY names another one. */
export const FILE = process.env.LABORATORY ?? fileURLToPath(new URL("../dist/index.html", import.meta.url));
const PATIENCE = 60_000; // ms for one step on a busy machine; no test asserts a time

export const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader", // no GPU here: WebGL in software
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function browserPath() {
  for (const path of [process.env.CHROMIUM, "/usr/bin/chromium"]) if (path && existsSync(path)) return path;
  try {
    return execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  } catch {
    throw new Error("Chromium is not installed: Debian's package chromium, or its path in CHROMIUM");
  }
}

/** Starts the browser of a test file; returns what opens the page. */
export function laboratory() {
  let browser;
  const open = [];
  before(async () => {
    if (!existsSync(FILE)) throw new Error(`${FILE} is missing: make laboratory`);
    browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
  });
  afterEach(async () => {
    const visits = open.splice(0);
    for (const visit of visits) await visit.context.close();
    for (const { errors, requests, permitted } of visits) {
      assert.deepEqual(requests, [], "the page made network requests");
      if (!permitted) assert.deepEqual(errors, [], "the page reported errors");
    }
  });
  after(() => browser?.close());

  /**
   * A fresh page. `hash`: of its address; `edit`: changes its text before it is opened; `address`: from a server, whose
   * requests are permitted; `wait: false`: does not wait for the first robot; `ratio`: device pixels per CSS pixel;
   * `touch`: a phone's; `motion: "reduce"`: as for people who cannot bear animations.
   */
  return async function visit({ viewport = DESKTOP, scheme = "light", hash = "", edit = null, address = pathToFileURL(FILE).href, wait = true, errors: permitted = false, ratio = 1, touch = false, motion = "no-preference" } = {}) {
    const context = await browser.newContext({ viewport, colorScheme: scheme, deviceScaleFactor: ratio, hasTouch: touch, reducedMotion: motion });
    context.setDefaultTimeout(PATIENCE);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    const errors = [];
    const requests = [];
    page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
    page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith("data:") && !url.startsWith("blob:") && !url.startsWith(address)) requests.push(url);
    });
    page.on("websocket", (socket) => requests.push(socket.url()));
    open.push({ context, errors, requests, permitted });
    if (edit) {
      const body = edit(readFileSync(FILE, "utf8"));
      await page.route(address, (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }));
    }
    await page.goto(address + hash);
    if (wait) {
      await page.waitForFunction(() => "lab" in window || document.querySelector(".dead"));
      const dead = await page.evaluate(() => document.querySelector(".dead")?.textContent ?? "");
      assert.equal(dead, "", "the page could not start");
      await page.evaluate(() => lab.ready);
    }

    /** Waits until nothing moves any more: no frame is asked for, nothing is computed. */
    const settled = () =>
      page.waitForFunction(
        async () => {
          for (let quiet = 0; quiet < 3; quiet++) {
            await new Promise((next) => requestAnimationFrame(next));
            if (lab.frames.asked || lab.frames.active.size > 0 || lab.state().busy !== "") return false;
          }
          return true;
        },
        null,
        { polling: 50 },
      );
    /** The screen's pixels, once it is at rest: `at(x, y)` in CSS pixels where `ratio` is 1. */
    const pixels = async () => {
      await settled();
      return decode(await page.screenshot());
    };
    /** Drops files, given as [name, text or Buffer], on an element. */
    const drop = (files, selector = "#view") =>
      page.evaluate(
        ([given, selector]) => {
          const data = new DataTransfer();
          for (const [name, base64] of given) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
          const target = document.querySelector(selector);
          for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [files.map(([name, content]) => [name, Buffer.from(content).toString("base64")]), selector],
      );
    /** What the page gives to the user while `act` runs: name and bytes. */
    const download = async (act) => {
      const [given] = await Promise.all([page.waitForEvent("download"), act()]);
      return { name: given.suggestedFilename(), bytes: readFileSync(await given.path()) };
    };
    /** Texts of the messages on the screen. */
    const messages = () => page.$$eval("#toasts .toast p, .view-message", (all) => all.map((one) => one.textContent));
    const load = (name) => page.evaluate((name) => lab.load(name), name);

    return { page, context, errors, requests, settled, pixels, drop, download, messages, load };
  };
}

/** |a − b| ≤ tolerance × max(1, |b|), number by number. */
export function close(actual, expected, tolerance, what = "") {
  assert.equal(actual.length, expected.length, `${what}: lengths`);
  actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= tolerance * Math.max(1, Math.abs(expected[i])), `${what}[${i}] is ${x}, expected ${expected[i]}`));
}

/** A robot of one's own: an arm of two joints, 3 kg. */
export const ARM = `# </script> ends nothing
name = "given arm"
frames = "modified-dh"
joints = [["shoulder", "revolute", 0.0, 0.0, "q", 0.0], ["elbow", "revolute", 0.0, 0.5, "q", 0.0]]
[body.shoulder]
mass = 2.0
com = [0.25, 0.0, 0.0]
inertia = { xx = 0.01, yy = 0.05, zz = 0.05 }
[body.elbow]
mass = 1.0
com = [0.2, 0.0, 0.0]
inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }
`;
