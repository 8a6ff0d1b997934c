/** The page around the view: top bar with menus, tabs with panels, messages. */
import type { Lab } from "./lab";
import { h, icon } from "./dom";
import { commands, panels, type Command, type Panel, type PanelContext } from "./panel";
import type { Key, State, Store } from "./store";
import { texts } from "./texts";

type Watch = { keys: readonly Key[]; run: (state: Readonly<State>) => void };
interface Mounted {
  panel: Panel;
  tab: HTMLButtonElement | null;
  host: HTMLElement;
  watches: Watch[];
  built: boolean;
}

export class Shell {
  readonly view = h("main", { id: "view", "aria-label": texts.app.view });
  readonly toasts = h("div", { id: "toasts" });
  readonly live = h("div", { id: "live", "aria-live": "polite", role: "status" });
  readonly status = h("div", { id: "status", "aria-hidden": "true" });
  private readonly bodies = h("div", { id: "panels" });
  private readonly tabs = h("div", { id: "tabs", role: "tablist", "aria-label": texts.app.panels });
  private readonly side = h("aside", { id: "side" });
  private readonly bottom = h("section", { id: "bottom", hidden: true, "aria-label": texts.app.plots });
  private readonly title = h("span", { class: "robot-name" });
  private readonly menus = h("nav", { "aria-label": texts.app.menus });
  private mounted = new Map<string, Mounted>();
  private lab!: Lab;

  constructor(private readonly store: Store) {
    const grip = h("button", { id: "grip", "aria-label": texts.app.sheet, onclick: () => this.sheet() });
    const top = h("header", { id: "top" }, h("span", { class: "brand" }, "appell"), this.title, this.menus);
    this.side.append(grip, this.tabs, this.bodies);
    this.view.append(this.toasts, this.status);
    document.body.append(top, this.view, this.bottom, this.side, this.live);
    store.subscribe(["robot"], ({ robot }) => {
      this.title.textContent = robot?.name ?? "";
      document.title = robot ? `${robot.name} – ${texts.app.title}` : texts.app.title;
    });
    store.subscribe(null, (state, changed) => {
      for (const { panel, watches } of this.mounted.values())
        if (this.visible(panel.id)) for (const { keys, run } of watches) if (keys.some((key) => changed.has(key))) run(state);
    });
    store.subscribe(["theme"], ({ theme }) => this.theme(theme));
  }

  /** After all modules are installed. */
  build(lab: Lab): void {
    this.lab = lab;
    for (const panel of panels) this.mountTab(panel);
    for (const [menu, title] of Object.entries(texts.app.menu) as [Command["menu"], string][]) {
      const entries = commands.filter((command) => command.menu === menu);
      if (entries.length > 0) this.menus.append(this.menu(title, entries));
    }
    const toggle = h("button", { id: "theme", "aria-label": texts.app.theme, title: texts.app.theme, onclick: () => this.toggleTheme() });
    toggle.append(icon("M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.5 1.5M16.9 16.9l1.5 1.5M5.6 18.4l1.5-1.5M16.9 7.1l1.5-1.5M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8"));
    this.menus.append(toggle);
    addEventListener("keydown", (event) => this.key(event));
    this.open(this.store.get().panel, false);
  }

  open(id: string, reveal = true): void {
    const wanted = this.mounted.get(id);
    if (!wanted) return;
    if (wanted.panel.area === "bottom") {
      this.bottom.hidden = false;
      for (const other of this.mounted.values()) if (other.panel.area === "bottom") other.host.hidden = other !== wanted;
    } else {
      for (const other of this.mounted.values()) {
        if (other.panel.area === "bottom") continue;
        other.host.hidden = other !== wanted;
        other.tab?.setAttribute("aria-selected", String(other === wanted));
        if (other.tab) other.tab.tabIndex = other === wanted ? 0 : -1;
      }
      this.side.dataset.panel = id;
      if (reveal) document.body.classList.add("sheet-open");
      this.store.set({ panel: id });
    }
    if (!wanted.built) {
      wanted.built = true;
      try {
        wanted.panel.mount(wanted.host, this.context(wanted));
      } catch (error) {
        this.lab.fail(error);
      }
    }
    for (const { run } of wanted.watches) run(this.store.get());
  }

  private context(mounted: Mounted): PanelContext {
    const { id } = mounted.panel;
    return {
      lab: this.lab,
      visible: () => this.visible(id),
      watch: (keys, run) => {
        mounted.watches.push({ keys, run });
      },
      reveal: () => this.open(id),
      hide: () => {
        mounted.host.hidden = true;
        if (mounted.panel.area === "bottom") this.bottom.hidden = true;
      },
    };
  }

  private visible(id: string): boolean {
    const mounted = this.mounted.get(id);
    return mounted !== undefined && mounted.built && !mounted.host.hidden && !(mounted.panel.area === "bottom" && this.bottom.hidden);
  }

  private mountTab(panel: Panel): void {
    const area = panel.area ?? "side";
    const host = h("section", { id: `panel-${panel.id}`, class: "panel", role: "tabpanel", "aria-label": panel.title, hidden: true });
    let tab: HTMLButtonElement | null = null;
    if (area === "side") {
      tab = h("button", { id: `tab-${panel.id}`, role: "tab", "aria-selected": "false", "aria-controls": host.id, onclick: () => this.open(panel.id) });
      tab.append(icon(panel.icon ?? "M5 5h14v14H5z"), h("span", {}, panel.title));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const all = [...this.tabs.children] as HTMLElement[];
        const next = all[(all.indexOf(tab!) + step + all.length) % all.length];
        next.focus();
        next.click();
      });
      this.tabs.append(tab);
      this.bodies.append(host);
    } else this.bottom.append(host);
    this.mounted.set(panel.id, { panel, tab, host, watches: [], built: false });
  }

  private menu(title: string, entries: Command[]): HTMLElement {
    const list = h("div", { class: "menu-list", role: "menu", hidden: true });
    const button = h("button", { "aria-haspopup": "menu", "aria-expanded": "false" }, title);
    const show = (on: boolean) => {
      list.hidden = !on;
      for (const { id, checked } of entries) if (on && checked) document.getElementById(`command-${id}`)?.setAttribute("aria-checked", String(checked(this.lab)));
      button.setAttribute("aria-expanded", String(on));
      if (on) list.querySelector("button")?.focus();
    };
    for (const command of entries)
      list.append(
        h(
          "button",
          {
            role: command.checked ? "menuitemcheckbox" : "menuitem",
            id: `command-${command.id}`,
            title: command.help,
            onclick: () => {
              show(false);
              void this.run(command);
            },
          },
          h("span", {}, command.title),
          command.key ? h("kbd", {}, command.key) : null,
        ),
      );
    list.addEventListener("keydown", (event) => {
      const all = [...list.children] as HTMLElement[];
      const at = all.indexOf(document.activeElement as HTMLElement);
      if (event.key === "Escape") {
        show(false);
        button.focus();
      } else if (event.key === "ArrowDown") all[(at + 1) % all.length].focus();
      else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length].focus();
      else return;
      event.stopPropagation();
      event.preventDefault();
    });
    button.addEventListener("click", () => show(list.hidden === true));
    const box = h("div", { class: "menu" }, button, list);
    addEventListener("pointerdown", (event) => {
      if (!box.contains(event.target as Node)) show(false);
    });
    return box;
  }

  private async run(command: Command): Promise<void> {
    try {
      await command.run(this.lab);
    } catch (error) {
      this.lab.fail(error);
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, textarea, select, [contenteditable=true], dialog")) return;
    const pressed = event.key.toLowerCase();
    if (pressed === " " && target.closest("button, summary, a, [role=button]")) return; // presses them
    const command = commands.find((command) => command.key === pressed);
    if (!command) return;
    event.preventDefault();
    void this.run(command);
  }

  /** On a phone: the sheet up or down. */
  private sheet(): void {
    document.body.classList.toggle("sheet-open");
  }

  private dark(): boolean {
    const { theme } = this.store.get();
    return theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  }
  private toggleTheme(): void {
    this.store.set({ theme: this.dark() ? "light" : "dark" });
  }
  onTheme: (name: "light" | "dark") => void = () => {};
  theme(_: State["theme"]): void {
    const name = this.dark() ? "dark" : "light";
    document.documentElement.dataset.theme = name;
    this.onTheme(name);
  }
}
