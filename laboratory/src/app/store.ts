/**
 * The one state object of the page. Everything that is drawn follows from it; who changes it calls `set`, who shows it
 * subscribes to the keys it reads. Subscribers run in the frame after the change, once, however often a key changed.
 */
import type { Live, RobotInfo, Sketch } from "../contract";

/** Where a robot came from: enough to make it again, in a worker or from a link. */
export type Source = { kind: "builtin"; name: string } | { kind: "file"; file: string; text: string };

/** What can be switched on in the scene. */
export interface Shown {
  frames: boolean;
  names: boolean;
  path: boolean;
  com: boolean;
  reactions: boolean;
  velocities: boolean;
  forces: boolean;
  ghosts: boolean;
  meshes: boolean;
  grid: boolean;
  gravity: boolean;
}

export interface State {
  /** The robot on the bench; null only before the first one came. */
  robot: RobotInfo | null;
  source: Source | null;
  /** Counts robots that were put on the bench: a panel builds itself anew when it changes. */
  revision: number;
  sketch: Sketch | null;
  live: Live | null;
  /** Why the last move stopped before where it should go; "" where it arrived. */
  resistance: string;
  /** Who moves the robot: the hand, or a module that took it with `lab.take`. */
  owner: string;
  /** Velocities and accelerations that `live` assumes, as `lab.setMotion` took them; null: at rest. */
  motion: { v: number[]; a: number[] } | null;
  /** What the hand does: the gizmo's mode. */
  gizmo: "translate" | "rotate";
  /** The joint under keyboard and pointer: index into robot.joints. */
  joint: number | null;
  shown: Shown;
  /** The uncontrolled motion along which a ghost swings: index into those of the bench. */
  swing: number | null;
  theme: "auto" | "light" | "dark";
  /** The panel that is open, by its id. */
  panel: string;
  /** What is being computed, in words; "" if nothing. */
  busy: string;
}

export type Key = keyof State;

const initial: State = {
  robot: null,
  source: null,
  revision: 0,
  sketch: null,
  live: null,
  resistance: "",
  owner: "hand",
  motion: null,
  gizmo: "translate",
  joint: null,
  shown: {
    frames: false,
    names: false,
    path: true,
    com: false,
    reactions: false,
    velocities: false,
    forces: false,
    ghosts: true,
    meshes: true,
    grid: true,
    gravity: true,
  },
  swing: null,
  theme: "auto",
  panel: "robot",
  busy: "",
};

type Listener = { keys: readonly Key[] | null; run: (state: Readonly<State>, changed: ReadonlySet<Key>) => void };

export class Store {
  private state: State = structuredClone(initial);
  private listeners = new Set<Listener>();
  private changed = new Set<Key>();
  /** Set by the frame scheduler: asks for a frame in which `flush` runs. */
  wake: () => void = () => {};

  get(): Readonly<State> {
    return this.state;
  }

  set(part: Partial<State>): void {
    for (const key of Object.keys(part) as Key[]) {
      if (Object.is(this.state[key], part[key])) continue;
      (this.state as unknown as Record<string, unknown>)[key] = part[key];
      this.changed.add(key);
    }
    if (this.changed.size > 0) this.wake();
  }

  /** Clears `busy` where it still says this. */
  done(busy: string): void {
    if (this.state.busy === busy) this.set({ busy: "" });
  }

  /** Runs after any of the keys changed (null: any key). Returns what ends the subscription. */
  subscribe(keys: readonly Key[] | null, run: Listener["run"]): () => void {
    const listener = { keys, run };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Tells the subscribers what changed since the last time; called once a frame. */
  flush(): void {
    for (let round = 0; this.changed.size > 0 && round < 4; round++) {
      const changed = this.changed;
      this.changed = new Set();
      for (const listener of [...this.listeners])
        if (listener.keys === null || listener.keys.some((key) => changed.has(key))) listener.run(this.state, changed);
    }
  }
}
