/** Letting the robot move: runs, pushes, trajectories, scenarios, comparison, plots. */
import type { Lab } from "../app/lab";
import { registerCommand, registerFileHandler, registerPanel, type PanelContext } from "../app/panel";
import { texts as all } from "../app/texts";
import { comparePart, takeMeasured } from "./compare";
import { lawPart, plantPart } from "./law";
import type { Part } from "./parts";
import { playBar } from "./playbar";
import { Plots } from "./plots";
import { Push, pushPart } from "./push";
import { csv, isRecord } from "./run";
import { Runner } from "./runner";
import { isScenario, Scenarios } from "./scenarios";
import { Teach } from "./teach";

const texts = all.motion;

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  const runner = new Runner(lab);
  const push = new Push(lab, runner);
  let scenarios: Scenarios | null = null;
  const trials = (): Scenarios => (scenarios ??= new Scenarios(lab, runner));

  let plotsPanel: PanelContext | null = null;
  const plots = {
    shown: () => plotsPanel?.visible() ?? false,
    toggle: () => (plots.shown() ? plotsPanel!.hide() : lab.open("plots")),
  };
  let revealed = false;
  let parts: Part[] = [];
  let panel: PanelContext | null = null;
  const update = (): void => {
    if (panel?.visible()) for (const part of parts) part.update();
  };
  runner.subscribe(update);

  registerPanel({
    id: "motion",
    title: texts.panel,
    order: 70,
    icon: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4M11 9l4.5 3-4.5 3z",
    mount(host, context) {
      panel = context;
      parts = [
        playBar(runner, { shown: plots.shown, toggle: () => (plots.toggle(), update()) }),
        lawPart(lab, runner),
        plantPart(lab, runner),
        pushPart(lab, runner, push),
        new Teach(lab, runner),
        trials(),
        comparePart(lab, runner),
      ];
      host.append(...parts.map((part) => part.element));
      context.watch(["revision", "busy"], update);
    },
  });

  registerPanel({
    id: "plots",
    title: texts.plots,
    order: 75,
    area: "bottom",
    mount(host, context) {
      plotsPanel = context;
      const made = new Plots(host, lab, runner, { visible: context.visible, hide: () => (context.hide(), update()) });
      context.watch(["revision"], () => made.update());
      // Another robot has no run yet: empty plots only take its room.
      lab.store.subscribe(["revision"], () => {
        if (!context.visible() || runner.run !== null) return;
        context.hide();
        revealed = false;
        update();
      });
    },
  });

  // The first run of a visit, or of a robot that closed the plots, shows them where there is room.
  runner.subscribe(() => {
    if (revealed || runner.run === null || innerWidth < 760) return;
    revealed = true;
    lab.open("plots");
  });

  registerCommand({ id: "run", title: texts.toggleCommand, menu: "none", key: " ", run: () => runner.toggle() });
  registerCommand({ id: "step", title: texts.stepCommand, menu: "none", key: ".", run: () => runner.step() });
  registerCommand({ id: "step-back", title: texts.backCommand, menu: "none", key: ",", run: () => runner.back() });
  registerCommand({ id: "plots", title: texts.plotsCommand, menu: "view", run: () => plots.toggle() });

  registerFileHandler({ accepts: isRecord, take: (_, name, text) => takeMeasured(lab, runner, name, text) });
  registerFileHandler({
    accepts: isScenario,
    take: (_, _name, text) => {
      lab.open("motion");
      trials().element.setAttribute("open", "");
      trials().edit(text);
    },
  });

  lab.motion = {
    runner,
    options: () => structuredClone(runner.options),
    run: () => runner.run,
    csv: () => (runner.run === null ? "" : csv(runner.run)),
    play: (scenario) => trials().play(scenario),
  };
}
