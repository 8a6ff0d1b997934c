// Builds the laboratory into one file, dist/index.html: script, style and the library inside.
// It needs wasm/, which scripts/wasm makes; `--library FILE` takes another module.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const option = process.argv.indexOf("--library");
const glue = option > 0 ? process.argv[option + 1] : join(here, "wasm", "appell_web.js");
const binary = glue.replace(/\.js$/, "_bg.wasm");
if (!existsSync(glue)) throw new Error(`${glue} is missing: scripts/wasm makes it`);
const LIMIT = 6e6; // bytes of the page
const minify = !process.argv.includes("--readable");

const settings = {
  bundle: true,
  write: false,
  minify,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logOverride: { "empty-import-meta": "silent" },
};

/** The module's JavaScript as a function that makes a fresh instance each time: after a trap the page makes a new one. */
async function factory() {
  const made = await build({ ...settings, entryPoints: [glue], format: "iife", globalName: "made", minify: false });
  return `export default function () {\n${made.outputFiles[0].text}\nreturn made;\n}`;
}

/** Modules that exist only at build time. */
function virtual(contents) {
  return {
    name: "virtual",
    setup(builder) {
      builder.onResolve({ filter: /^virtual:/ }, (found) => ({ path: found.path, namespace: "virtual" }));
      builder.onLoad({ filter: /.*/, namespace: "virtual" }, (found) => ({
        contents: contents[found.path],
        loader: "js",
        resolveDir: here,
      }));
    },
  };
}

const library = await factory();
const worker = await build({
  ...settings,
  entryPoints: [join(here, "src/engine/worker.ts")],
  format: "iife",
  plugins: [virtual({ "virtual:library": library })],
});

// Tours name lines of the source: looked up here, so that they cannot be wrong, and carried along to be read without a network.
const sources = {};
for (const [name, [file, text]] of Object.entries(JSON.parse(readFileSync(join(here, "src/learn/sources.json"), "utf8")))) {
  const lines = readFileSync(join(here, "..", file), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${file} has no “${text}”, which tours name`);
  sources[name] = { place: `${file}:${at + 1}`, line: at + 1, ...excerpt(lines, at) };
}

/** The item around a line: its comment, and down to the brace that closes it. */
function excerpt(lines, at) {
  const LONGEST = 90;
  let begin = at;
  while (begin > 0 && /^\s*(\/\/|#\[)/.test(lines[begin - 1])) begin--;
  const close = `${/^ */.exec(lines[at])[0]}}`;
  const length = lines.slice(at).findIndex((line) => line.trimEnd() === close) + 1;
  const text = lines.slice(begin, Math.min(at + (length > 0 ? length : 30), begin + LONGEST));
  return { first: begin + 1, text: text.join("\n") };
}

const page = await build({
  ...settings,
  entryPoints: [join(here, "src/main.ts")],
  format: "iife",
  plugins: [
    virtual({
      "virtual:library": library,
      "virtual:worker": `export default ${JSON.stringify(worker.outputFiles[0].text)}`,
      "virtual:sources": `export default ${JSON.stringify(sources)}`,
    }),
  ],
  metafile: true,
});
const styles = await build({ ...settings, entryPoints: [join(here, "src/style.css")], loader: { ".css": "css" } });

// `</script` inside the script would end it.
const script = page.outputFiles[0].text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
const hash = createHash("sha256").update(script).digest("base64");
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
  "worker-src blob:",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "media-src blob:",
  "font-src data:",
  "connect-src 'none'", // `appell lab` writes 'self' here, and its meta element below
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const wasm = existsSync(binary) ? gzipSync(readFileSync(binary), { level: 9 }).toString("base64") : "";
const fill = {
  policy,
  style: styles.outputFiles[0].text,
  wasm,
  script,
};
const html = readFileSync(join(here, "src/index.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => fill[name]);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/index.html"), html);
const size = Buffer.byteLength(html);
console.log(`laboratory/dist/index.html: ${(size / 1e6).toFixed(2)} MB (script ${(script.length / 1e6).toFixed(2)}, library ${(wasm.length / 1e6).toFixed(2)})`);
if (size > LIMIT) throw new Error(`the page is larger than ${LIMIT / 1e6} MB`);
