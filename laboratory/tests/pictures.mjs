// Pictures of the page for the docs: node tests/pictures.mjs writes ../docs/images/laboratory-*.png. Look at them.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath, DESKTOP, FILE, FLAGS } from "./page.mjs";

const out = fileURLToPath(new URL("../../docs/images/", import.meta.url));
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });

async function picture(name, act, { scheme = "light", viewport = DESKTOP } = {}) {
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  await page.goto(pathToFileURL(FILE).href);
  await page.waitForFunction(() => "lab" in window);
  await page.evaluate(() => lab.ready);
  await act(page);
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `${out}laboratory-${name}.png` });
  await page.close();
}
const load = async (page, robot, panel) => {
  await page.evaluate((robot) => lab.load(robot), robot);
  await page.click(`#tab-${panel}`);
  await page.waitForTimeout(1000);
};
const show = (page, part) => page.evaluate((part) => lab.store.set({ shown: { ...lab.state().shown, ...part } }), part);

await picture("forces", async (page) => {
  await load(page, "gough-stewart", "forces");
  await page.evaluate(() => lab.setPose([0.12, 0.05, 0.78, 0.08, -0.1, 0.05, 0.99]));
  await show(page, { reactions: true, com: true });
});
await picture("gallery", (page) => load(page, "par4", "robot"), { scheme: "dark", viewport: { width: 1280, height: 1000 } });
await picture("singular", async (page) => {
  await load(page, "five-bar", "singularities");
  await page.getByRole("button", { name: "Show" }).first().click();
});
await picture("modes", async (page) => {
  await load(page, "planar-3rrr", "assemblies");
  await page.getByRole("button", { name: "Working modes" }).click();
  await page.waitForTimeout(4000);
});
await picture("motion", async (page) => {
  await load(page, "puma560", "motion");
  await page.getByRole("button", { name: "Run" }).first().click();
  await page.waitForTimeout(6000);
  await page.keyboard.press("Space");
});
await browser.close();
