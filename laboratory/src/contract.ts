/**
 * What crosses the border between the page and the library (crate `appell-web`): one place, both sides follow it.
 *
 * The page holds no mathematics. Answers to one question come as `Float64Array`, everything with a shape as JSON text.
 * SI units and radians; poses are px py pz qx qy qz qw in base axes; twists and wrenches linear first.
 * A call that cannot do what it is asked throws an `Error` with the library's message, or, of readers, `Problems` as JSON.
 */

/** One remark of a reader about a robot's file or a scenario. */
export interface Problem {
  line: number | null;
  severity: "error" | "warning";
  message: string;
}

export interface JointInfo {
  name: string;
  /** What one number of `q` is: rad, m, or nothing for a part of a quaternion. */
  type: "revolute" | "prismatic" | "quaternion" | "other";
  lower: number | null;
  upper: number | null;
  velocity: number | null;
  effort: number | null;
  driven: boolean;
}

/** Limits of a joint, SI; null: none. */
export interface JointLimits {
  joint: string;
  lower: number | null;
  upper: number | null;
  velocity: number | null;
  effort: number | null;
}

/** What does not change while a robot is on the bench. */
export interface RobotInfo {
  name: string;
  kind: "tree" | "closed";
  /** One per number of `q`: of a robot with loops all joints of its tree. */
  joints: JointInfo[];
  /** One per torque or force: indices into `joints`, with their own names and limits; `driven` is false of a tree's joint without a drive. */
  drives: { name: string; joint: number; driven: boolean; effort: number | null; lower: number | null; upper: number | null; unit: "N m" | "N" }[];
  freedoms: string[];
  frames: string[];
  /** The frame that is taken by the hand at first: the platform, or the last frame of a tree. */
  output: string;
  has_platform: boolean;
  legs: string[];
  /** Size for the camera, m, and where the middle is. */
  size: number;
  middle: [number, number, number];
  gravity: [number, number, number];
  mass: number;
  /** Questions that this robot answers, with a line each. */
  questions: { name: string; summary: string }[];
  warnings: Problem[];
  /** The text it was read from, and the name of its file. */
  text: string;
  file: string;
  /** Visual meshes by reference: link frame, file, scale. */
  meshes: { frame: string; file: string; scale: [number, number, number]; pose: number[] }[];
}

export type Point = [number, number, number];

/** What is drawn of the robot in one configuration, in base axes. */
export interface Sketch {
  bars: { line: Point[]; class: "bone" | "sleeve" | "rod" | "rail" | "twig" }[];
  nodes: {
    name: string;
    sign: "revolute" | "prismatic" | "universal" | "spherical" | "cylindrical" | "rigid";
    at: Point;
    axes: [Point, Point];
    driven: boolean;
    closing: boolean;
    /** Index into `joints` of the joint that a hand turns here; null for closing joints. */
    joint: number | null;
  }[];
  /** Corners around the base and the platform; empty if there is none. */
  base: Point[];
  platform: Point[];
  /** Frames with names: poses. */
  frames: { name: string; pose: number[] }[];
  sphere: { centre: Point; radius: number } | null;
}

/** Everything that is shown live at the present state. Numbers that do not exist here are null, with the reason in `notes`. */
export interface Live {
  q: number[];
  v: number[];
  pose: number[];
  twist: number[];
  drives: number[];
  /** Torques and forces of the drives for the present motion, and their parts: tau = gravity + dynamic. */
  tau: number[] | null;
  gravity: number[] | null;
  dynamic: number[] | null;
  inertia: number[][] | null;
  energy: { kinetic: number; potential: number } | null;
  com: Point | null;
  /** The characteristic length that takes the units from singular values and inverse condition, m. */
  length: number | null;
  /** Of the Jacobian of the output. */
  singular_values: number[] | null;
  manipulability: number | null;
  inverse_condition: number | null;
  /** Principal axes times half lengths of the linear part, at the output: of velocities and of forces per unit in the drives. */
  ellipsoids: { velocity: Point[]; force: Point[] } | null;
  /** Of robots with loops: 1 is far, 0 is there. */
  singularity: {
    type1: number;
    type2: number;
    constraints: number;
    legs: { name: string; type1: number }[];
    freedoms: number;
    side: number | null;
  } | null;
  reactions: { joint: string; at: Point; force: Point; moment: Point }[] | null;
  /** Joints beyond their limits: indices. */
  beyond: number[];
  notes: string[];
}

/** A motion that the drives do not, or hardly, control. */
export interface Uncontrolled {
  /** 0: not at all. */
  controlled: number;
  words: string;
  twist: number[] | null;
}

/** How the robot vibrates where it stands, on springs of its joints and stiff drives. */
export interface Vibration {
  /** The slowest first: Hz, or the time in which a motion that grows does so e times, s. */
  modes: { frequency: number | null; growth: number | null; shape: number[]; parts: number[] }[];
  /** Joints without drive that would have to be held here. */
  unheld: string[];
}

export interface Assembly {
  q: number[];
  pose: number[];
  mode: string;
  type1: number;
  type2: number;
  distance: number;
  present: boolean;
  sketch: Sketch;
}
export interface Assemblies {
  assemblies: Assembly[];
  total: number;
  proved: boolean;
  /** How the count is known, in words. */
  count: string;
}

/** A map over two coordinates of the platform, or two joints of a tree (`joint` names), around the present pose. */
export interface MapRequest {
  columns: { coordinate: string; from: number; to: number; cells: number };
  rows: { coordinate: string; from: number; to: number; cells: number };
  /** A further coordinate held at another value than the present one: layers of a volume. */
  layer?: { coordinate: string; value: number } | null;
}
/** One row of a map: NaN is null. reach: 0 out of reach, 1 beyond limits, 2 reachable. */
export interface MapRow {
  type1: (number | null)[];
  type2: (number | null)[];
  reach: number[];
  /** Points of the cells in base axes, for painting into the scene. */
  points: Point[];
}

export interface MotionOptions {
  law: "free" | "gravity-compensation" | "hold-pd" | "computed-torque";
  /** Natural frequency 1/s and damping ratio of the law. */
  omega: number;
  zeta: number;
  /** Friction at the drives (all joints of a tree), added to what the file says; without smoothing Coulomb friction sticks. */
  viscous: number;
  coulomb: number;
  /** Mass at the output, kg: of the true robot; whether the law knows it. */
  payload: number;
  law_knows_payload: boolean;
  /** Springs at the drives, at rest in the start pose, N m/rad or N/m. */
  spring: number;
  /** What is followed by hold-pd and computed-torque; null: the pose at the start. */
  reference: Trajectory | null;
}
export interface MotionStatus {
  t: number;
  /** Why it does not go on; null while it does. */
  ended: string | null;
  energy: { kinetic: number; potential: number };
  tau: number[];
  /** Error of the reference per drive, or null. */
  error: number[] | null;
  /** How far the loops are open at most, m; angles count by the robot's length; 0 of a tree. */
  drift: number;
}

/** A motion through taught points: of joints of a tree, of the platform of a robot with loops. */
export interface TrajectoryRequest {
  points: number[][];
  of: "joints" | "pose";
  law: "cubic" | "quintic" | "trapezoid" | "spline";
  /** s, or null: as fast as the limits permit. */
  duration: number | null;
  samples: number;
}
export interface Trajectory {
  t: number[];
  q: number[][];
  v: number[][];
  a: number[][];
  pose: number[][];
  tau: number[][];
  /** The first limit that is passed, in words. */
  limit: string | null;
  request: TrajectoryRequest;
}

/** The record of a scenario, as `appell simulate` writes it. */
export interface TrialRun {
  columns: string[];
  rows: number[][];
  events: string[];
  summary: string;
  stop: string | null;
}

/** A robot on the bench with its present state: class `Bench` of the WebAssembly module. */
export interface Bench {
  free(): void;
  info(): string; // RobotInfo
  sketch(): string; // Sketch
  live(): string; // Live
  /** All `q`; velocities and accelerations of the independent coordinates are zero unless set. */
  home(): void;
  q(): Float64Array;
  pose(): Float64Array;
  drives(): Float64Array;
  /** Each moves as far as it can; "" when it came there, else why not, in words. The state is always one that exists. */
  set_joint(index: number, value: number): string;
  set_drives(drives: Float64Array): string;
  set_pose(pose: Float64Array): string;
  set_q(q: Float64Array): string;
  /** Twist and acceleration of the platform, or joint velocities and accelerations of a tree, for `live` and `ask`. */
  set_motion(v: Float64Array, a: Float64Array): void;
  /** Which frame of a tree the hand holds and `live` is about; of a robot with loops another output. */
  set_output(frame: string): void;
  output(): string;
  /** Any question by its name at the present state. */
  ask(question: string): Float64Array;
  columns(question: string): string; // string[]
  uncontrolled(): string; // Uncontrolled[]
  /** The sketch moved along uncontrolled motion k by `amount` (about -1 … 1 of the robot's size / 10), the state left alone. */
  nudged(k: number, amount: number): string; // Sketch
  /** Stiffness of each drive, in the order of `tau`, N m/rad or N/m; 0 of one that keeps its torque. */
  vibration(stiffness: Float64Array): string; // Vibration
  /** The sketch moved along the shape of a mode, the state left alone. */
  swung(shape: Float64Array, amount: number): string; // Sketch
  /** Long: in a worker. */
  assemblies(): string; // Assemblies for the present drives
  modes(): string; // Assemblies for the present pose: working modes
  map_row(request: string, row: number): string; // MapRow
  map_ranges(): string; // MapRequest: a good first choice
  trajectory(request: string): string; // Trajectory
  generate(question: string, language: string): string;
  /** The robot's file in TOML with other limits of some joints: JointLimits[]. */
  limited(limits: string): string;
  /** The robot's file in a format: toml, urdf, par, csv, md. */
  write(format: string): string;
  /** A scenario for `appell simulate` that gives the same numbers as a `Motion` with these options. */
  scenario(options: string, duration: number): string;
}

/** A motion that is integrated step by step: class `Motion`. */
export interface Motion {
  free(): void;
  /** Options may change while it runs. */
  set(options: string): void;
  /** A wrench at the output in base axes from now on; zero ends it. */
  push(wrench: Float64Array): void;
  step(dt: number): string; // MotionStatus
  q(): Float64Array;
  sketch(): string;
  live(): string;
  /** Back to an earlier time that was stepped to; later states are forgotten. */
  rewind(t: number): string; // MotionStatus
}

/** The WebAssembly module. */
export interface Library {
  Bench: {
    builtin(name: string): Bench;
    /** The file's name tells its format. */
    read(text: string, file: string): Bench;
  };
  Motion: { new (bench: Bench, options: string): Motion };
  /** All remarks about a text, errors and warnings, without making a robot. */
  check(text: string, file: string): string; // Problem[]
  builtins(): string; // { name: string; summary: string; kind: "tree" | "closed" }[]
  scenarios(): string; // { name: string; text: string }[] that come with appell
  play(scenario: string, robot: string, file: string): string; // TrialRun; robot's text or a built-in name (file = "")
  version(): string;
  /** Bytes of the module's memory, which never shrinks. */
  memory_bytes(): number;
  /** ns per call of PUMA inverse dynamics, measured over `calls`, through `ask`-free inner loop: for the benchmark. */
  bench_inverse_dynamics(calls: number): number;
}
