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
  /** By the names of learn/sources.json: file and line, and the item that stands there, from line `first` on. */
  const sources: Record<string, { place: string; line: number; first: number; text: string }>;
  export default sources;
}
