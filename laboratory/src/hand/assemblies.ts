/** The panel "assemblies": the robot's other configurations for the same pose or the same drives, as ghosts to choose from. */
import { h, number, write } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import type { Panel } from "../app/panel";
import type { State } from "../app/store";
import { texts as all } from "../app/texts";
import type { Assemblies, Assembly } from "../contract";
import { Cancelled, type Pending } from "../engine/engine";
import { css } from "../view/palette";
import type { Scene } from "../view/scene";

const texts = all.hand;
type Question = "modes" | "assemblies";
/** What stays the same in all answers to a question. */
const KEPT = { modes: "pose", assemblies: "drives" } as const;
const GHOSTS_AT_MOST = 48;

class Finder {
  private pending: Pending<Assemblies> | null = null;
  private found: { question: Question; list: Assembly[]; kept: number[] } | null = null;
  private marked: number | null = null;
  private readonly sentence = h("p", { id: "assemblies-count", role: "status" });
  private readonly stale = h("p", { class: "warn", id: "assemblies-stale", hidden: true });
  private readonly table = h("tbody");
  private readonly results: HTMLElement;
  private readonly progress: HTMLElement;
  readonly element: HTMLElement;

  constructor(
    private readonly lab: Lab,
    private readonly scene: Scene,
  ) {
    const { mode, type1, type2, distance } = texts.columns;
    const head = [h("th", {}, "#"), h("th", {}, mode), ...[type1, type2, distance].map((name) => h("th", { class: "number" }, name))];
    this.results = h("div", { class: "scroll", hidden: true }, h("table", { id: "assemblies-list" }, h("thead", {}, h("tr", {}, ...head)), this.table), h("p", { class: "hint" }, texts.distanceHelp));
    this.progress = h("div", { class: "buttons", hidden: true }, h("progress", { "aria-label": texts.searching.modes }), button("assemblies-cancel", texts.cancel, () => this.pending?.cancel()));
    this.element = h(
      "div",
      {},
      h("p", { class: "hint" }, texts.assembliesHelp),
      h("div", { class: "buttons" }, button("find-modes", texts.modesHere, () => void this.find("modes")), button("find-assemblies", texts.assembliesHere, () => void this.find("assemblies"))),
      this.progress,
      this.sentence,
      this.stale,
      this.results,
    );
  }

  async find(question: Question): Promise<void> {
    this.pending?.cancel();
    this.clear();
    const { live } = this.lab.state();
    if (!live) return;
    const kept = [...live[KEPT[question]]];
    const pending = (this.pending = this.lab.engine.ask<Assemblies>(question));
    this.progress.hidden = false;
    this.lab.store.set({ busy: texts.searching[question] });
    try {
      const answer = await pending.promise;
      if (this.pending !== pending) return;
      this.found = { question, list: answer.assemblies, kept };
      this.list(answer);
      this.update(this.lab.state());
    } catch (error) {
      if (this.pending !== pending) return;
      write(this.sentence, error instanceof Cancelled ? texts.cancelled : String((error as Error).message));
    } finally {
      if (this.pending === pending) {
        this.pending = null;
        this.progress.hidden = true;
        this.lab.store.done(texts.searching[question]);
      }
    }
  }

  /** Forgets what was found: another robot came. */
  clear(): void {
    this.found = null;
    this.marked = null;
    this.scene.clearGhosts("assembly-");
    this.table.replaceChildren();
    this.results.hidden = this.stale.hidden = true;
    write(this.sentence, "");
  }

  /** Ghosts stand only while what is kept is what it was. */
  update({ live }: Readonly<State>): void {
    if (!this.found || !live) return;
    const { question, kept, list } = this.found;
    const now = live[KEPT[question]];
    const moved = kept.length !== now.length || kept.some((x, k) => Math.abs(x - now[k]) > 1e-6);
    if (this.stale.hidden === moved) {
      write(this.stale, texts.stale[question]);
      this.stale.hidden = !moved;
      this.results.classList.toggle("stale", moved);
      this.ghosts();
    }
    if (moved) return;
    [...this.table.rows].forEach((row, k) => {
      const present = same(list[k].q, live.q);
      if (row.classList.toggle("present", present)) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }

  private list(answer: Assemblies): void {
    const count = answer.assemblies.length;
    const known = h("span", { class: answer.proved ? "badge good" : "badge warn", title: answer.proved ? texts.provedHelp : texts.searchedHelp }, answer.proved ? texts.proved : texts.searched);
    this.sentence.replaceChildren(count === 0 ? texts.none : texts.found(count, answer.total, answer.count), " ", known);
    this.sentence.dataset.count = String(answer.total);
    this.results.hidden = count === 0;
    this.table.replaceChildren(
      ...answer.assemblies.map((one, k) => {
        const name = one.mode === "" ? String(k + 1) : one.mode;
        const figures = [number(one.type1, 3), number(one.type2, 3), one.present ? texts.present : number(one.distance, 3)].map((text) => h("td", { class: "number" }, text));
        const row = h("tr", { id: `assembly-${k}` }, h("td", {}, String(k + 1)), h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": texts.take(k + 1, name) }, name)), ...figures);
        for (const on of ["pointerenter", "focusin"]) row.addEventListener(on, () => this.mark(k));
        for (const off of ["pointerleave", "focusout"]) row.addEventListener(off, () => this.mark(null));
        row.addEventListener("click", () => this.take(k, name));
        return row;
      }),
    );
    this.ghosts();
  }

  private take(k: number, name: string): void {
    if (!this.found || this.lab.state().owner !== "hand") return;
    const why = this.lab.setQ(this.found.list[k].q);
    this.lab.say(why === "" ? texts.took(k + 1, name) : why);
    this.ghosts();
  }

  private mark(k: number | null): void {
    if (this.marked === k) return;
    this.marked = k;
    this.ghosts();
  }

  private ghosts(): void {
    const { live } = this.lab.state();
    const list = this.found && this.stale.hidden ? this.found.list : [];
    if (list.length === 0) this.scene.clearGhosts("assembly-");
    const here = list.map((one) => live !== null && same(one.q, live.q));
    const alone = this.marked !== null && !here[this.marked]; // the others would cover the marked one
    list.slice(0, GHOSTS_AT_MOST).forEach((one, k) => {
      const marked = this.marked === k;
      this.scene.ghost(`assembly-${k}`, here[k] || (alone && !marked) ? null : one.sketch, marked ? css(this.scene.palette.select) : undefined);
    });
  }
}

const same = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.from(one).every((x, k) => Math.abs(x - other[k]) < 1e-6);

export const assembliesPanel = (lab: Lab, scene: Scene): Panel => ({
  id: "assemblies",
  title: texts.assemblies,
  order: 50,
  icon: "M4 20L9 9l6 6 5-11M4 20h16M9 9l-1-5M15 15l4 5",
  mount(host, context) {
    const finder = new Finder(lab, scene);
    const tree = h("p", { class: "hint", id: "assemblies-tree" }, texts.tree);
    host.append(tree, finder.element);
    let revision = -1;
    lab.store.subscribe(["revision"], () => finder.clear());
    context.watch(["revision"], ({ robot, revision: present }) => {
      if (!robot || present === revision) return;
      revision = present;
      tree.hidden = robot.kind === "closed";
      finder.element.hidden = robot.kind !== "closed";
    });
    // Also while the panel is hidden: ghosts of another pose would lie.
    lab.store.subscribe(["live"], (state) => finder.update(state));
  },
});
