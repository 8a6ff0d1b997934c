/** A worker of the pool: makes robots from their sources, keeps the last one, answers one call at a time. */
import type { Bench, Library } from "../contract";
import type { Call } from "./engine";
import { instantiate } from "./load";

type Request = { module: WebAssembly.Module | null } | { id: number; call: Call };

let module: WebAssembly.Module | null = null;
let library: Library | null = null;
let kept: { key: string; bench: Bench } | null = null;

function bench(robot: NonNullable<Call["robot"]>): Bench {
  const { source } = robot;
  const key = JSON.stringify([source, robot.output ?? null]);
  if (kept?.key !== key) {
    kept?.bench.free();
    kept = null;
    const made = source.kind === "builtin" ? library!.Bench.builtin(source.name) : library!.Bench.read(source.text, source.file);
    if (robot.output) made.set_output(robot.output);
    kept = { key, bench: made };
  }
  if (robot.q !== null) kept.bench.set_q(Float64Array.from(robot.q));
  return kept.bench;
}

self.onmessage = (event: MessageEvent<Request>) => {
  const request = event.data;
  if ("module" in request) {
    module = request.module;
    return;
  }
  const { id, call } = request;
  try {
    library ??= instantiate(module);
    const target = call.robot === null ? library : bench(call.robot);
    const method = (target as unknown as Record<string, (...args: unknown[]) => unknown>)[call.method];
    if (typeof method !== "function") throw new Error(`the library has no ${call.method}`);
    self.postMessage({ id, answer: method.apply(target, call.args) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      library = null; // its memory cannot be trusted any more
      kept = null;
    }
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
