// What the library's part of a frame costs while a robot is dragged, in CPU time, which a busy machine hardly disturbs: move, sketch
// and live, with their texts parsed. node tests/library.mjs; scripts/bench-laboratory runs it before the page itself.
import { existsSync, readFileSync } from "node:fs";

const glue = new URL("../wasm/appell_web.js", import.meta.url);
if (!existsSync(glue)) throw new Error("laboratory/wasm is missing: make laboratory");
const library = await import(glue);
library.initSync({ module: new WebAssembly.Module(readFileSync(new URL("../wasm/appell_web_bg.wasm", import.meta.url))) });

const WARM = 60; // frames until the module is compiled for good
const FRAMES = 100;
const CALLS = 200_000;
/** ms of this process. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const quantile = (times, part) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(part * times.length))];

library.bench_inverse_dynamics(2 * CALLS);
const rounds = Array.from({ length: 8 }, () => {
  const begun = cpu();
  library.bench_inverse_dynamics(CALLS);
  return ((cpu() - begun) * 1e6) / CALLS;
});
console.log(`PUMA inverse dynamics in WebAssembly: ${Math.min(...rounds).toFixed(0)} ns of CPU time`);

console.log("library's part of a frame, ms of CPU time:                       median   95 %");
for (const { name } of JSON.parse(library.builtins())) {
  const bench = library.Bench.builtin(name);
  const { kind, has_platform, size, drives } = JSON.parse(bench.info());
  const [pose, q] = [[...bench.pose()], [...bench.q()]];
  const times = [];
  for (let k = 0; k < WARM + FRAMES; k++) {
    const phase = (2 * Math.PI * k) / 97;
    const begun = cpu();
    if (kind === "closed" && has_platform) {
      const way = [0.02 * Math.sin(phase), 0.02 * Math.sin(2 * phase), 0.01 * Math.sin(3 * phase)];
      bench.set_pose(Float64Array.from(pose, (x, i) => x + size * (way[i] ?? 0)));
    } else {
      const joint = drives[k % Math.max(1, drives.length)]?.joint ?? 0;
      bench.set_joint(joint, q[joint] + 0.05 * Math.sin(phase));
    }
    JSON.parse(bench.sketch());
    JSON.parse(bench.live());
    if (k >= WARM) times.push(cpu() - begun);
  }
  console.log(`  ${name.padEnd(24)} ${quantile(times, 0.5).toFixed(2).padStart(43)} ${quantile(times, 0.95).toFixed(2).padStart(6)}`);
  bench.free();
}
