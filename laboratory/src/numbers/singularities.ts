/** The panel of distances to singularities. */
import { h, number, write } from "../app/dom";
import type { PanelContext } from "../app/panel";
import { texts } from "../app/texts";
import type { Live } from "../contract";
import { History } from "./history";
import { paced, section } from "./parts";
import { distances } from "./scale";
import type { UncontrolledMotions } from "./uncontrolled";

const PACE = 120; // ms between two texts
const ASKED = 250; // ms between two questions for uncontrolled motions
const NEAR = 0.02; // below this a gauge warns
const COLOURS = { type1: "#0072b2", type2: "#d55e00", constraints: "#7a4fb5", condition: "#1f8a70" } as const;

interface Quantity {
  id: string;
  title: string;
  help: string;
  value: number;
  colour: string;
}

/** What is near or far: of a tree without loops the condition of its Jacobian. */
function quantities({ singularity, inverse_condition: condition }: Live): Quantity[] {
  const { gauges } = texts.numbers;
  const make = (id: keyof typeof COLOURS, value: number): Quantity => ({ id, ...gauges[id], value, colour: COLOURS[id] });
  if (singularity) return [make("type1", singularity.type1), make("type2", singularity.type2), make("constraints", singularity.constraints)];
  return condition === null ? [] : [make("condition", condition)];
}

class Gauge {
  private readonly value = h("output", { class: "gauge-value" });
  private readonly fill = h("i");
  private readonly meter = h("div", { class: "gauge-bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 1 }, this.fill);
  readonly element: HTMLElement;
  constructor({ id, title, help, colour }: Omit<Quantity, "value">) {
    this.meter.setAttribute("aria-label", title);
    this.fill.style.background = colour;
    this.element = h("div", { class: "gauge", id: `gauge-${id}`, title: help }, h("span", { class: "gauge-title" }, title), this.value, this.meter);
  }
  bar(value: number): void {
    this.fill.style.transform = `scaleX(${distances.place(value).toFixed(4)})`;
    this.element.classList.toggle("near", value < NEAR);
  }
  text(value: number): void {
    write(this.value, number(value));
    this.meter.setAttribute("aria-valuenow", number(value));
  }
}

export function singularities(host: HTMLElement, { lab, visible, watch }: PanelContext, motions: UncontrolledMotions): void {
  const gauges = h("div", { class: "gauges" });
  const legs = h("div", { class: "gauges" });
  const history = new History(texts.numbers.historyHelp);
  const side = h("p", { id: "singular-side", class: "hint" });
  const none = h("p", { class: "hint" }, texts.numbers.noSingularity);
  const perLeg = section("section-legs", texts.numbers.perLeg, false, legs);
  const trend = h("figure", {}, history.canvas, h("figcaption", { class: "hint" }, texts.numbers.historyHelp));
  host.append(h("h2", {}, texts.numbers.distances), h("p", { class: "hint" }, texts.numbers.distancesHelp), gauges, none, side, trend, perLeg);
  const uncontrolled = section("section-uncontrolled", texts.numbers.uncontrolled, true, motions.element);
  host.append(uncontrolled);

  let made: Gauge[] = [];
  let madeLegs: Gauge[] = [];
  let built = -1;
  let last: Live | null = null;
  const slow = paced(PACE, () => {
    const { live } = lab.state();
    if (!visible() || !live) return;
    quantities(live).forEach(({ value }, k) => made[k]?.text(value));
    if (perLeg.open) live.singularity?.legs.forEach(({ type1 }, k) => (madeLegs[k]?.bar(type1), madeLegs[k]?.text(type1)));
    const { singularity } = live;
    write(side, singularity ? texts.numbers.side(singularity.freedoms, singularity.side) : "");
  });
  const ask = paced(ASKED, () => {
    const { live, robot, owner } = lab.state();
    if (!visible() || !uncontrolled.open || owner !== "hand" || !live || robot?.kind !== "closed") return;
    try {
      motions.update();
    } catch (error) {
      lab.fail(error);
    }
  });
  perLeg.addEventListener("toggle", slow);
  uncontrolled.addEventListener("toggle", ask);

  watch(["revision", "live", "theme"], ({ robot, live, revision }) => {
    if (!robot || !live) return;
    const found = quantities(live);
    if (revision !== built) {
      built = revision;
      history.clear();
      made = found.map((quantity) => new Gauge(quantity));
      gauges.replaceChildren(...made.map(({ element }) => element));
      madeLegs = (live.singularity?.legs ?? []).map(({ name }) => new Gauge({ id: `leg-${name}`, title: name, help: texts.numbers.gauges.type1.help, colour: COLOURS.type1 }));
      legs.replaceChildren(...madeLegs.map(({ element }) => element));
      perLeg.hidden = madeLegs.length === 0;
      uncontrolled.hidden = robot.kind !== "closed";
      none.hidden = found.length > 0;
      trend.hidden = found.length === 0;
    }
    found.forEach(({ value }, k) => made[k]?.bar(value));
    if (live !== last) history.push(found);
    last = live;
    slow();
    ask();
  });
}
