import type { Lab } from "../app/lab";

/** Called once, before the first robot is loaded. */
export function install(_lab: Lab): void {}
