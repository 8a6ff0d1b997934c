/** The panel of maps: over two coordinates, or a volume of three, painted here and into the scene while they are computed. */
import { h, number, radians, write } from "../app/dom";
import { button, choice, field, row as formRow } from "../app/fields";
import type { PanelContext } from "../app/panel";
import { texts } from "../app/texts";
import type { MapRequest, MapRow, RobotInfo } from "../contract";
import { Cancelled } from "../engine/engine";
import { Chart, REACH, paint, type Quantity } from "./chart";
import { choices, goTo, isAngle, present, range, shown, tidy, unit, type Axis } from "./coordinates";
import { Mapping, valueAt, type Layers } from "./mapping";
import { Legend, css, distances } from "./scale";

const CELLS_AT_MOST = 200;
const LAYERS_AT_MOST = 16;

export function map(host: HTMLElement, { lab, watch }: PanelContext): void {
  let axes: { columns: Axis; rows: Axis; layers: Axis | null } | null = null;
  let mapping: Mapping | null = null;
  let quantity: Quantity = "type2";
  let layer = 0;
  let built = -1;

  const form = h("div", { class: "map-form" });
  const chart = new Chart();
  const legend = new Legend();
  legend.show(distances);
  const reachLegend = h("ul", { class: "reach-legend" }, ...[2, 1].map((k) => h("li", {}, h("i", { style: `background: ${css(REACH[k])}` }), texts.numbers.reach[k])));
  const readout = h("output", { id: "map-readout", class: "readout", "aria-live": "polite" });
  const bounds = { left: h("span"), title: h("span"), right: h("span"), bottom: h("span"), side: h("span"), top: h("span") };
  const progress = h("progress", { id: "map-progress", max: 1, value: 0, "aria-label": texts.numbers.progress });
  const start = button("map-start", texts.numbers.compute, () => (mapping?.running() ? mapping.cancel() : begin()));
  start.classList.add("primary");
  const save = button("map-csv", texts.numbers.csv, () => mapping && lab.download(`${lab.robot().name}-map.csv`, mapping.csv(), "text/csv"), texts.numbers.csvTitle);
  const clear = button("map-clear", texts.numbers.clear, () => reset());
  const quantities = choice("map-quantity", Object.entries(texts.numbers.quantities), quantity, (value) => {
    quantity = value as Quantity;
    repaint(true);
  });
  const slider = h("input", { id: "map-layer", type: "range", min: 0, step: 1, value: 0, oninput: () => chooseLayer() });
  const all = h("input", { id: "map-all-layers", type: "checkbox", checked: true, onchange: () => chooseLayer() });
  const layerName = h("span", { class: "row-label" });
  const layerBox = h("div", { hidden: true }, h("label", { class: "row" }, layerName, slider), h("label", { class: "check" }, all, texts.numbers.allLayers));
  const inScene = h("input", { id: "map-scene", type: "checkbox", checked: true, onchange: () => repaint(true) });
  const figure = h(
    "figure",
    { class: "map-figure", hidden: true },
    h("div", { class: "map-side" }, bounds.top, bounds.side, bounds.bottom),
    chart.element,
    h("div", { class: "map-below" }, bounds.left, bounds.title, bounds.right),
  );
  const message = h("p", { id: "map-message", class: "hint", role: "status" });
  host.append(form, h("div", { class: "buttons" }, start, save, clear), progress, message, formRow(texts.numbers.quantity, quantities));
  host.append(figure, readout, legend.element, reachLegend, layerBox, h("label", { class: "check" }, inScene, texts.numbers.inScene));

  // ---- the form ----

  function axisFields(robot: RobotInfo, id: string, sign: string, title: string, axis: Axis, change: (coordinate: string) => void, most: number): HTMLElement {
    const angle = isAngle(robot, axis.coordinate);
    const end = (key: "from" | "to") => {
      const value = Number(shown(robot, axis.coordinate, axis[key]).toPrecision(6));
      const input = field(`${id}-${key}`, value, { min: -1e6, max: 1e6 }, (given) => (axis[key] = angle ? radians(given) : given));
      input.setAttribute("aria-label", `${title}: ${texts.numbers[key]}`);
      return input;
    };
    const cells = field(`${id}-cells`, axis.cells, { min: 2, max: most, step: 1 }, (given) => (axis.cells = Math.round(given)));
    cells.setAttribute("aria-label", `${title}: ${texts.numbers.cells}`);
    const coordinate = choice(`${id}-coordinate`, choices(robot), axis.coordinate, change);
    coordinate.setAttribute("aria-label", title);
    return h("div", { class: "map-axis" }, h("span", { class: "map-sign", title, "aria-hidden": "true" }, sign), coordinate, end("from"), end("to"), h("span", { class: "row-unit" }, unit(robot, axis.coordinate)), cells);
  }

  function fill(): void {
    const { robot, live } = lab.state();
    if (!robot || !live) return;
    form.hidden = axes === null;
    start.disabled = axes === null;
    if (!axes) return;
    const held = axes;
    const other = (key: "columns" | "rows" | "layers") => (coordinate: string) => {
      const [from, to] = range(robot, live, coordinate);
      held[key] = tidy(robot, { coordinate, from, to, cells: held[key]?.cells ?? 5 });
      fill();
    };
    const volume = h("input", { id: "map-volume", type: "checkbox", checked: held.layers !== null });
    volume.addEventListener("change", () => {
      const free = choices(robot).map(([name]) => name).find((name) => name !== held.columns.coordinate && name !== held.rows.coordinate);
      held.layers = null;
      if (volume.checked && free) other("layers")(free);
      else fill();
    });
    form.replaceChildren(
      h("div", { class: "map-axis muted" }, ...["", "", texts.numbers.from, texts.numbers.to, "", texts.numbers.cells].map((text) => h("span", {}, text))),
      axisFields(robot, "map-columns", "→", texts.numbers.across, held.columns, other("columns"), CELLS_AT_MOST),
      axisFields(robot, "map-rows", "↑", texts.numbers.up, held.rows, other("rows"), CELLS_AT_MOST),
      ...(held.layers ? [axisFields(robot, "map-layers", "≡", texts.numbers.layers, held.layers, other("layers"), LAYERS_AT_MOST)] : []),
      ...(choices(robot).length > 2 ? [h("label", { class: "check" }, volume, texts.numbers.volume)] : []),
    );
  }

  // ---- computing and painting ----

  function begin(): void {
    if (!axes) return;
    const { columns, rows, layers } = axes;
    const names = [columns, rows, ...(layers ? [layers] : [])].map(({ coordinate }) => coordinate);
    if (new Set(names).size < names.length) return write(message, texts.numbers.twice);
    if ([columns, rows, ...(layers ? [layers] : [])].some(({ from, to }) => from === to)) return write(message, texts.numbers.noRange);
    reset();
    const robot = lab.robot();
    mapping = new Mapping(
      lab,
      { ...columns },
      { ...rows },
      layers && { coordinate: layers.coordinate, values: Array.from({ length: layers.cells }, (_, k) => valueAt(layers, k)) },
      (at, row, values) => {
        progress.value = mapping!.done / mapping!.total;
        draw(at, row, values);
      },
      finish,
    );
    layer = layers ? nearest(mapping.layers!, present(robot, lab.live(), layers.coordinate, mapping.base)) : 0;
    write(message, "");
    write(start, texts.numbers.cancel);
    figure.hidden = false;
    layerBox.hidden = layers === null;
    slider.max = String((layers?.cells ?? 1) - 1);
    slider.value = String(layer);
    const alike = isAngle(robot, columns.coordinate) === isAngle(robot, rows.coordinate);
    chart.begin(columns.cells, rows.cells, alike ? Math.abs((columns.to - columns.from) / (rows.to - rows.from)) : 1);
    label(robot);
    repaint(false);
    chooseLayer();
    mark();
  }

  /** The layer that is nearest to a value. */
  function nearest({ values }: Layers, value: number): number {
    return values.reduce((best, x, k) => (Math.abs(x - value) < Math.abs(values[best] - value) ? k : best), 0);
  }

  function finish(error: Error | null): void {
    write(start, texts.numbers.compute);
    if (!mapping) return;
    const { done, total } = mapping;
    write(message, error === null ? texts.numbers.complete : error instanceof Cancelled ? texts.numbers.cancelled(done, total) : error.message);
    lab.say(message.textContent ?? "");
  }

  function label(robot: RobotInfo): void {
    const { columnAxis: x, rowAxis: y } = mapping!;
    const value = (axis: Axis, end: number) => number(shown(robot, axis.coordinate, end), 3);
    const title = (axis: Axis) => `${texts.numbers.coordinates[axis.coordinate] ?? axis.coordinate} (${unit(robot, axis.coordinate)})`;
    [bounds.left.textContent, bounds.title.textContent, bounds.right.textContent] = [value(x, x.from), title(x), value(x, x.to)];
    [bounds.bottom.textContent, bounds.side.textContent, bounds.top.textContent] = [value(y, y.from), title(y), value(y, y.to)];
  }

  function draw(at: number, row: number, values: MapRow): void {
    if (at === layer) chart.row(row, values, quantity);
    if (!inScene.checked) return;
    lab.view.painting.row(row, values.points, paint(values, quantity), at);
    lab.view.redraw();
  }

  /** Everything again, in other colours; `known`: with the rows that are there. */
  function repaint(known: boolean): void {
    legend.element.hidden = quantity === "reach";
    reachLegend.hidden = quantity !== "reach";
    if (!mapping) return;
    const { columnAxis, rowAxis, rows } = mapping;
    if (inScene.checked) lab.view.painting.begin(columnAxis.cells, rowAxis.cells, rows.length);
    else lab.view.painting.clear();
    if (known) rows.forEach((some, at) => some.forEach((values, row) => values && draw(at, row, values)));
    chooseLayer();
    lab.view.redraw();
  }

  function chooseLayer(): void {
    if (!mapping) return;
    const before = layer;
    layer = Number(slider.value);
    const { layers, rows, columnAxis, rowAxis } = mapping;
    lab.view.painting.only(all.checked ? null : layer);
    lab.view.redraw();
    if (layers) write(layerName, `${layers.coordinate} ${number(shown(lab.robot(), layers.coordinate, layers.values[layer]), 3)} ${unit(lab.robot(), layers.coordinate)}`);
    if (layer === before) return;
    chart.canvas.getContext("2d")!.clearRect(0, 0, columnAxis.cells, rowAxis.cells);
    rows[layer].forEach((values, row) => values && chart.row(row, values, quantity));
  }

  function reset(): void {
    const old = mapping;
    mapping = null;
    old?.cancel();
    progress.value = 0;
    figure.hidden = true;
    layerBox.hidden = true;
    write(readout, "");
    write(message, "");
    lab.view.painting.clear();
    lab.view.redraw();
  }

  // ---- the cursor ----

  chart.onPoint = (column, row) => {
    if (!mapping) return;
    const robot = lab.robot();
    const { columnAxis, rowAxis, rows } = mapping;
    const values = rows[layer][row];
    const where = [columnAxis, rowAxis].map((axis, k) => `${axis.coordinate} ${number(shown(robot, axis.coordinate, valueAt(axis, k === 0 ? column : row)))} ${unit(robot, axis.coordinate)}`);
    const what = values ? texts.numbers.cell(number(values.type1[column]), number(values.type2[column]), texts.numbers.reach[values.reach[column]]) : texts.numbers.notYet;
    write(readout, `${where.join(", ")}: ${what}`);
  };
  chart.onLeave = () => write(readout, mapping ? texts.numbers.mapHint : "");
  chart.onGo = (column, row) => {
    if (!mapping || lab.state().owner !== "hand") return;
    const { columnAxis, rowAxis, layers, base } = mapping;
    const cell = { [columnAxis.coordinate]: valueAt(columnAxis, column), [rowAxis.coordinate]: valueAt(rowAxis, row) };
    const why = goTo(lab, base, cell, layers ? { [layers.coordinate]: layers.values[layer] } : {});
    if (why !== "") lab.say(why);
  };

  function mark(): void {
    const { robot, live } = lab.state();
    if (!mapping || !robot || !live) return;
    const { base, columnAxis, rowAxis } = mapping;
    const part = (axis: Axis) => (present(robot, live, axis.coordinate, base) - axis.from) / (axis.to - axis.from);
    chart.mark(part(columnAxis), part(rowAxis));
  }

  /** A good first choice; looking for it may take a second. */
  async function ranges(): Promise<void> {
    const asked = built;
    axes = null;
    fill();
    write(message, texts.numbers.looking);
    try {
      const found = await lab.engine.ask<MapRequest | null>("map_ranges").promise;
      const { robot } = lab.state();
      if (asked !== built || !robot) return;
      if (found) axes = { columns: tidy(robot, found.columns), rows: tidy(robot, found.rows), layers: null };
      write(message, found ? "" : texts.numbers.noMap);
    } catch (error) {
      if (!(error instanceof Cancelled)) write(message, error instanceof Error ? error.message : String(error));
    }
    choose();
    fill();
  }

  /** Of a tree without loops there is no Type 2. */
  function choose(): void {
    const closed = lab.robot().kind === "closed";
    quantity = closed ? "type2" : "type1";
    quantities.value = quantity;
    for (const option of quantities.options) option.hidden = option.value === "type2" && !closed;
    repaint(true);
  }

  // Another robot makes the map wrong, whether the panel is seen or not.
  lab.store.subscribe(["revision"], () => reset());
  watch(["revision", "live"], ({ revision }) => {
    if (revision !== built) {
      built = revision;
      void ranges();
    }
    mark();
  });
}
