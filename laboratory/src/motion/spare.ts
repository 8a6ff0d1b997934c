/** A second robot of the kind on the bench, for configurations that are not its present one: rows of a run. */
import type { Bench, Library } from "../contract";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { Run } from "./run";

export class Spare {
  private held: { bench: Bench; revision: number; library: Library } | null = null;

  constructor(private readonly lab: Lab) {}

  /** The robot as a row of a run has it; where that is no place, as it was. */
  at(run: Run, row: number): Bench {
    const bench = this.bench();
    const values = run.places[row];
    if (values === undefined || values.some((value) => !Number.isFinite(value))) return bench;
    if (run.place === "q") bench.set_q(Float64Array.from(values));
    else if (run.place === "drives") bench.set_drives(Float64Array.from(values));
    else {
      const pose = bench.pose();
      pose.set(values);
      bench.set_pose(pose);
    }
    return bench;
  }

  private bench(): Bench {
    const { revision, source } = this.lab.state();
    const { library } = this.lab.engine;
    const output = this.lab.bench().output();
    if (this.held === null || this.held.revision !== revision || this.held.library !== library) {
      this.free();
      if (source === null) throw new Error(all.app.noRobot);
      const bench = this.lab.engine.make(source);
      this.held = { bench, revision, library };
      bench.set_q(this.lab.bench().q());
    }
    if (this.held.bench.output() !== output) this.held.bench.set_output(output);
    return this.held.bench;
  }

  free(): void {
    if (this.held !== null) discard(this.held.bench);
    this.held = null;
  }
}

/** Frees an object of the library; after a trap its instance may refuse, and is forgotten anyway. */
export function discard(made: { free(): void }): void {
  try {
    made.free();
  } catch {
    // of an instance that has trapped
  }
}
