/**
 * All texts that a user sees, in one file: a translation replaces this file. Sections belong to the folders of their
 * names.
 */
export const texts = {
  app: {
    title: "appell laboratory",
    view: "The robot in three dimensions",
    panels: "Panels",
    plots: "Plots",
    menus: "Menus",
    menu: { file: "File", view: "View", learn: "Learn" },
    theme: "Light or dark",
    sheet: "Open or close the panels",
    close: "Close",
    noRobot: "no robot is loaded",
    cannotStart: "The laboratory cannot start",
    reading: (name: string) => `reading ${name}`,
    loaded: (name: string) => `${name} is loaded`,
    unreadable: (name: string, why: string) => `${name} cannot be loaded: ${why}`,
    tooLong: (file: string, size: number, limit: number) => `${file} has ${size.toFixed(1)} million characters; at most ${limit} million are read`,
    notFinite: (index: number, value: number) => `value ${index + 1} is ${value}; a finite number is needed`,
    trapped: (why: string) => `the library stopped (${why}) and was started again; the robot is where it was`,
    atLine: (line: number, what: string) => `line ${line}: ${what}`,
  },
  view: {
    canvas: "The robot: drag to turn the view",
    axes: "Directions of view",
    lookAlong: (name: string) => `Look along ${name}`,
    noWebgl: "This browser offers no WebGL: the numbers work, the picture does not.",
    lost: "The graphics context was lost. The robot and its numbers are kept.",
    restore: "Draw again",
    noPicture: "there is no picture to take",
  },

  // ------------------------------------------------------------------
  // hand/: taking the robot by the hand
  // ------------------------------------------------------------------
  hand: {
    // Panel "pose"
    pose: "Pose",
    mode: "What dragging does",
    move: "Move",
    turn: "Turn",
    axes: "Axes of the gizmo",
    ofBase: "base axes",
    ofOutput: "output axes",
    home: "Home",
    homeHelp: "Back to the home position (h)",
    output: "Output frame",
    poseOf: "Pose of the output in base axes",
    coordinates: { x: "x", y: "y", z: "z", roll: "roll", pitch: "pitch", yaw: "yaw" },
    quaternion: "quaternion x y z w",
    metres: "m",
    degrees: "degrees",
    notFree: "Not a degree of freedom of the output: it follows from the others.",
    joints: "Joints",
    driven: "Driven joint",
    isPassive: "Passive joint",
    passive: (count: number) => `${count} passive joint${count === 1 ? "" : "s"}`,
    more: (count: number) => `${count} more joints are not listed.`,
    path: "Path of the output",
    showPath: "draw the path",
    clearPath: "Clear",
    howTo:
      "Drag the gizmo, the platform or a joint's sign in the picture. With the picture in focus: Tab chooses a drive, arrow keys and Page Up/Down move it or the output, Shift makes fine steps, g moves, r turns, h goes home.",
    notYours: "A run has the robot: the hand rests until it ends.",

    // What is said
    jointAt: (name: string, value: string) => `${name}: ${value}`,
    atLower: (text: string) => `${text}, at its lower limit`,
    atUpper: (text: string) => `${text}, at its upper limit`,
    outputAt: (name: string, place: string, turn: string) => `${name} at ${place} m; roll, pitch, yaw ${turn}°`,
    stopped: (where: string, why: string) => `${where}. Stopped: ${why}`,
    wentHome: "home position",
    moving: "The gizmo moves the output",
    turning: "The gizmo turns the output",

    // Panel "assemblies"
    assemblies: "Assemblies",
    tree: "This robot has no closed loops: every position of its joints is one configuration. Working modes and assembly modes exist for robots with loops.",
    assembliesHelp:
      "One pose can be held by several working modes of the legs (inverse problem); the same drives can hold the platform in several assemblies (direct problem). The others are drawn as ghosts; choose one to take it.",
    modesHere: "Working modes of this pose",
    assembliesHere: "Assemblies of these drives",
    searching: { modes: "computing the working modes", assemblies: "computing the assemblies" },
    cancel: "Cancel",
    cancelled: "Cancelled.",
    proved: "proved",
    searched: "searched",
    provedHelp: "All that exist are listed.",
    searchedHelp: "Found by a search: there may be more.",
    none: "None was found.",
    found: (count: number, total: number) => (count === total ? `${count} found.` : `${count} listed of ${total}.`),
    columns: { mode: "mode", type1: "Type 1", type2: "Type 2", distance: "distance" },
    distanceHelp: "Distance to singularities: 1 is far, 0 is there. Distance of the configuration from the present one.",
    present: "present",
    take: (k: number, mode: string) => `Take ${k}: ${mode}`,
    took: (k: number, mode: string) => `Configuration ${k}, ${mode}, taken`,
    stale: { modes: "The platform has moved since: compute again.", assemblies: "The drives have moved since: compute again." },

    // Menu "view"
    fit: "Fit the robot into the view",
    lookAlong: (axis: string) => `Look along ${axis}`,
    shown: {
      frames: "Frames",
      names: "Names of joints",
      path: "Path of the output",
      com: "Centre of mass",
      reactions: "Reactions in the joints",
      velocities: "Velocity ellipsoid",
      forces: "Force ellipsoid",
      ghosts: "Ghosts",
      meshes: "Meshes",
      grid: "Ground",
    },
    clearThePath: "Clear the path",
    large: "Large type, for a projector",
  },


  // ------------------------------------------------------------------
  // robot/: choosing, bringing and editing a robot
  // ------------------------------------------------------------------
  robot: {},


  // ------------------------------------------------------------------
  // numbers/: what the mathematics says, live
  // ------------------------------------------------------------------
  numbers: {},


  // ------------------------------------------------------------------
  // motion/: letting it move
  // ------------------------------------------------------------------
  motion: {
    // Panels and groups of plots
    panel: "Motion",
    plots: "Plots",
    positions: "Positions of the drives (rad, m)",
    torques: "Torques and forces of the drives (N m, N)",
    energies: "Energies (J)",
    errors: "Errors of the reference (rad, m)",
    kinetic: "kinetic",
    potential: "potential",
    total: "total",

    // Play bar
    run: "Run",
    pause: "Pause",
    step: "Step",
    back: "Step back",
    rewind: "To the start",
    end: "End: hand takes over here",
    speed: "Speed",
    slow: (speed: number) => (speed === 1 ? "real time" : speed < 1 ? `slow motion, 1/${Math.round(1 / speed)}` : `${speed} × faster`),
    time: "Time",
    seconds: (t: number) => `${t.toFixed(3)} s`,
    behind: (factor: number) => `${factor.toFixed(2)} × real time: this robot is too heavy to compute for more`,
    ended: (why: string) => `The run has ended: ${why}`,
    started: (law: string) => `Running: ${law}`,
    paused: "Paused",
    taken: "The hand has the robot again",

    // Laws
    law: "Law",
    laws: {
      free: "none: free fall",
      "gravity-compensation": "gravity compensation",
      "hold-pd": "PD",
      "computed-torque": "computed torque",
    } as Record<string, string>,
    omega: "Natural frequency ω",
    zeta: "Damping ratio ζ",
    lawHelp: "PD: τ = M₀(ω² e + 2ζω ė); computed torque: τ = M(q)(q̈ᵣ + 2ζω ė + ω² e) + C q̇ + G, with e = qᵣ − q. Gains may be changed while it runs.",
    plant: "The true robot",
    viscous: "Viscous friction",
    coulomb: "Coulomb friction",
    spring: "Joint springs, at rest in the start pose",
    payload: "Payload at the output",
    knows: "the law knows the payload",
    change: "Change",

    // Push
    push: "Push",
    pushHelp: "While it runs, drag at the platform or the tool: an arrow pulls the output towards the pointer. Or push along an axis for as long as the button is held:",
    pushing: (force: number) => `pushing with ${force.toPrecision(3)} N`,
    force: "Force",

    // Trajectories
    trajectory: "Trajectory through taught points",
    teach: "Teach this point",
    points: (count: number) => (count === 0 ? "No points yet: move the robot and teach at least two." : `${count} point${count === 1 ? "" : "s"}`),
    point: (k: number) => `Point ${k + 1}`,
    goTo: "go",
    remove: "remove",
    forget: "Forget all",
    timeLaw: "Time law",
    timeLaws: { cubic: "cubic", quintic: "quintic", trapezoid: "trapezoidal velocity", spline: "spline through the points" } as Record<string, string>,
    duration: "Duration",
    byLimits: "as fast as the limits permit",
    compute: "Compute and preview",
    follow: "Run under the law",
    takeAway: "Without reference",
    limitPassed: (what: string) => `Limit passed: ${what}`,
    withinLimits: (duration: number, torque: string) => `${duration.toPrecision(4)} s, within all limits; largest drive torque or force ${torque}`,
    following: "The law follows this trajectory.",
    needTwo: "A trajectory needs at least two points.",
    computing: "computing the trajectory",

    // Scenarios
    scenario: "Scenarios",
    scenarioHelp: "A scenario is a trial in a file: robot, differences of the true one, reference, law, computer. It runs in a worker with `appell simulate`'s code; drop a .toml here or edit the text.",
    play: "Run the scenario",
    stop: "Cancel",
    playing: "running the scenario",
    open: "Open …",
    played: (rows: number, seconds: string) => `${rows} rows up to ${seconds} s`,
    elsewhere: (name: string) => `The scenario's robot “${name}” is not built in: the robot on the bench is taken.`,
    noScenario: "no scenario given",

    // Comparison
    compare: "Two runs side by side",
    compareHelp: "Keep a run, change the law or the robot, run again: the kept one is drawn dashed in the plots and pale in the view. Or drop a measured CSV with columns t, q1 … or q.NAME, tau1 ….",
    keep: "Keep this run",
    drop: "Let go",
    measured: "Measured CSV …",
    kept: "kept",
    present: "present",
    nothingKept: "Nothing is kept.",
    isKept: (name: string, end: number) => `Kept: ${name}, ${end.toPrecision(3)} s.`,
    rms: "Root mean square (largest) difference to the kept run:",
    asRun: "Play the kept run",

    // Tables
    noTime: "the table has no column t",
    noRows: "the table has no rows",
    noColumns: "the table has neither positions (q1 …, q.NAME) nor torques (tau1 …, tau.NAME)",
    timeOrder: "column t must be finite and may not decrease",
    tooLong: "more than 500 000 rows",
    raggedRow: (line: number, cells: number, expected: number) => `line ${line} has ${cells} cells, expected ${expected}`,

    // Plots
    noRun: "Run something: the plots follow.",
    saveCsv: "CSV",
    saveCsvTitle: "save this plot as CSV",
    otherRobot: "another robot came",
  },


  // ------------------------------------------------------------------
  // home/: taking it home
  // ------------------------------------------------------------------
  home: {},


  // ------------------------------------------------------------------
  // learn/: tours and help
  // ------------------------------------------------------------------
  learn: {},
};
