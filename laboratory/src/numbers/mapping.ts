/** A map that is computed row by row in workers, around the pose in which it was begun. */
import { cell } from "../app/csv";
import type { Lab } from "../app/lab";
import type { MapRequest, MapRow } from "../contract";
import { Cancelled, type Pending } from "../engine/engine";
import type { Axis, Base } from "./coordinates";

const IN_FLIGHT = 4; // rows; other calls for workers come between

export interface Layers {
  coordinate: string;
  values: number[];
}

export const valueAt = ({ from, to, cells }: Axis, k: number): number => (cells > 1 ? from + ((to - from) * k) / (cells - 1) : from);

export class Mapping {
  /** By layer and row; null while it is not there. */
  readonly rows: (MapRow | null)[][];
  readonly total: number;
  /** The state around which it is. */
  readonly base: Base;
  done = 0;
  private next = 0;
  private ended = false;
  private readonly pending = new Set<Pending>();
  private readonly robot;

  constructor(
    private readonly lab: Lab,
    readonly columnAxis: Axis,
    readonly rowAxis: Axis,
    readonly layers: Layers | null,
    private readonly onRow: (layer: number, row: number, values: MapRow) => void,
    /** With null when it is complete, else with what stopped it; `Cancelled` as well. */
    private readonly onEnd: (error: Error | null) => void,
  ) {
    const count = layers?.values.length ?? 1;
    this.rows = Array.from({ length: count }, () => Array<MapRow | null>(rowAxis.cells).fill(null));
    this.total = count * rowAxis.cells;
    this.base = lab.live();
    this.robot = { source: lab.state().source!, q: this.base.q, output: lab.robot().output };
    for (let k = 0; k < IN_FLIGHT; k++) this.launch();
  }

  private launch(): void {
    if (this.ended || this.next >= this.total) return;
    const k = this.next++;
    const layer = Math.floor(k / this.rowAxis.cells);
    const row = k % this.rowAxis.cells;
    const request: MapRequest = {
      columns: this.columnAxis,
      rows: this.rowAxis,
      layer: this.layers && { coordinate: this.layers.coordinate, value: this.layers.values[layer] },
    };
    const pending = this.lab.engine.call({ robot: this.robot, method: "map_row", args: [JSON.stringify(request), row] });
    this.pending.add(pending);
    pending.promise.then(
      (answer) => {
        this.pending.delete(pending);
        if (this.ended) return;
        const values = JSON.parse(answer) as MapRow;
        this.rows[layer][row] = values;
        this.done += 1;
        this.onRow(layer, row, values);
        if (this.done === this.total) this.end(null);
        else this.launch();
      },
      (error: Error) => {
        this.pending.delete(pending);
        this.end(error);
      },
    );
  }

  private end(error: Error | null): void {
    if (this.ended) return;
    this.ended = true;
    for (const pending of this.pending) pending.cancel();
    this.onEnd(error);
  }

  running(): boolean {
    return !this.ended;
  }

  cancel(): void {
    this.end(new Cancelled());
  }

  /** What is there so far, one cell per line, m and radians. */
  csv(): string {
    const { columnAxis, rowAxis, layers } = this;
    const lines = [[columnAxis.coordinate, rowAxis.coordinate, ...(layers ? [layers.coordinate] : []), "type1", "type2", "reach"].map(cell).join(",")];
    this.rows.forEach((rows, layer) =>
      rows.forEach((row, j) =>
        row?.reach.forEach((reach, i) =>
          lines.push([valueAt(columnAxis, i), valueAt(rowAxis, j), ...(layers ? [layers.values[layer]] : []), row.type1[i] ?? "", row.type2[i] ?? "", reach].join(",")),
        ),
      ),
    );
    return `${lines.join("\n")}\n`;
  }
}
