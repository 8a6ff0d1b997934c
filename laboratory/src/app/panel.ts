/**
 * Where modules plug in: panels, menu entries, keys, and who brings the first robot. A module (`motion/`, `home/`,
 * `learn/`) exports `install(lab)` and calls these there.
 */
import type { Lab } from "./lab";
import type { Key, State } from "./store";

/** A panel of the side bar; on a phone a page of the bottom sheet. */
export interface Panel {
  /** Unique; also the tab's element id, `tab-ID`, and the body's, `panel-ID`. */
  id: string;
  title: string;
  /** Tabs stand in this order: robot 10, pose 20, forces 30, singularities 40, assemblies 50, map 60, motion 70 … */
  order: number;
  /** SVG path in a 24 × 24 box, drawn as lines; the title stands below it. */
  icon?: string;
  /** "side": a tab of the side bar (default). "bottom": below the view, for plots; hidden until `context.reveal()`. */
  area?: "side" | "bottom";
  /** Builds the panel once, when it is first opened. */
  mount(host: HTMLElement, context: PanelContext): void;
}

export interface PanelContext {
  lab: Lab;
  /** Whether somebody can see the panel; hidden panels are not updated. */
  visible(): boolean;
  /** Runs when one of the keys changed and the panel is visible, and once whenever it becomes visible. */
  watch(keys: readonly Key[], run: (state: Readonly<State>) => void): void;
  /** Opens this panel. */
  reveal(): void;
  /** Closes a bottom panel. */
  hide(): void;
}

/** An entry of one of the menus at the top. */
export interface Command {
  id: string;
  title: string;
  menu: "file" | "view" | "learn" | "none";
  /** Keyboard shortcut: KeyboardEvent.key, lower case, not while typing in a field; "?" for help. */
  key?: string;
  /** Longer text for the help page. */
  help?: string;
  /** Of an entry that is switched on and off: whether it is on. */
  checked?(lab: Lab): boolean;
  run(lab: Lab): void | Promise<void>;
}

/** Asked in order at the start until one loads a robot and returns true. */
export interface Starter {
  order: number;
  start(lab: Lab): Promise<boolean>;
}

export const panels: Panel[] = [];
export const commands: Command[] = [];
export const starters: Starter[] = [];

export function registerPanel(panel: Panel): void {
  if (panels.some((other) => other.id === panel.id)) throw new Error(`panel ${panel.id} is registered twice`);
  panels.push(panel);
  panels.sort((a, b) => a.order - b.order);
}
export function registerCommand(command: Command): void {
  if (commands.some((other) => other.id === command.id)) throw new Error(`command ${command.id} is registered twice`);
  commands.push(command);
}
export function registerStarter(starter: Starter): void {
  starters.push(starter);
  starters.sort((a, b) => a.order - b.order);
}

/** Takes a dropped or opened text file before it is read as a robot: a measured CSV, a scenario. */
export interface FileHandler {
  /** Whether it is one of its files; `text` is its beginning, at most 10 000 characters. */
  accepts(name: string, text: string): boolean;
  take(lab: Lab, name: string, text: string): void | Promise<void>;
}
export const fileHandlers: FileHandler[] = [];
export function registerFileHandler(handler: FileHandler): void {
  fileHandlers.push(handler);
}
