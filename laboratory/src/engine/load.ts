/** Makes instances of the library from the module inside the page. */
import make from "virtual:library";
import type { Library } from "../contract";

/** The compiled module, from the page's own bytes: base64 of gzip. */
export async function compile(base64: string): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** A fresh instance with its own memory. */
export function instantiate(module: WebAssembly.Module | null): Library {
  const made = make();
  if (module !== null) made.initSync({ module });
  return made as unknown as Library;
}
