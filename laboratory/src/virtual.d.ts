/** Modules that `build.mjs` makes. */
declare module "virtual:library" {
  /** A fresh copy of wasm-bindgen's JavaScript. */
  export default function make(): { initSync(options: { module: WebAssembly.Module }): unknown };
}
declare module "virtual:worker" {
  const source: string;
  export default source;
}
declare module "virtual:sources" {
  /** File and line by the names of learn/sources.json. */
  const sources: Record<string, string>;
  export default sources;
}
