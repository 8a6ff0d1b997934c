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
    positions: "Positions (rad, m)",
    speeds: "Velocities (rad/s, m/s)",
    torques: "Torques and forces of the drives (N m, N)",
    energies: "Energies (J)",
    errors: "Tracking errors (rad, m)",
    kinetic: "kinetic",
    potential: "potential",
    total: "total",

    // Play bar
    bar: "Play bar",
    run: "Run",
    pause: "Pause",
    step: "Step (.)",
    back: "Step back (,)",
    rewind: "To the start",
    end: "End: the hand takes over here",
    speed: "Speed",
    slow: (speed: number) => (speed === 1 ? "real time" : speed < 1 ? `1/${Math.round(1 / speed)} slow` : `${speed} × fast`),
    time: "Time",
    seconds: (t: number) => `${t.toFixed(3)} s`,
    ready: "Runs from the present pose, at rest.",
    atHand: (name: string) => `The hand has the robot; the plots show: ${name}`,
    runs: "Running",
    rests: "Paused",
    behind: (factor: number) => `${factor.toFixed(2)} × real time: this machine computes the robot no faster`,
    ended: (why: string) => `The run has ended: ${why}`,
    started: (name: string) => `Running: ${name}`,
    paused: "Paused",
    taken: "The hand has the robot again",
    tooLarge: (joints: number, limit: number) => `This robot has ${joints} joints; live runs have at most ${limit}. A scenario runs in a worker.`,
    longRun: (rows: number) => `the record has ${rows} rows; rewind, or end and run again`,
    /** A run by its law and by what differs from the file. */
    runName: (options: { law: string; omega: number; zeta: number; viscous: number; coulomb: number; spring: number; payload: number; law_knows_payload: boolean; reference: unknown }): string => {
      const law = ({ free: "free fall", "gravity-compensation": "gravity compensation", "hold-pd": "PD", "computed-torque": "computed torque" } as Record<string, string>)[options.law] ?? options.law;
      const gains = options.law === "hold-pd" || options.law === "computed-torque";
      const parts = [law];
      if (gains) parts.push(`ω ${options.omega}`, `ζ ${options.zeta}`);
      if (gains && options.reference !== null) parts.push("taught points");
      if (options.payload > 0) parts.push(`payload ${options.payload} kg${options.law_knows_payload ? "" : ", unknown to the law"}`);
      if (options.viscous > 0 || options.coulomb > 0) parts.push("friction");
      if (options.spring > 0) parts.push("springs");
      return parts.join(", ");
    },

    // Laws
    law: "Law",
    laws: {
      free: "none: free fall",
      "gravity-compensation": "gravity compensation",
      "hold-pd": "PD",
      "computed-torque": "computed torque",
    } as Record<string, string>,
    omega: "Frequency ω",
    zeta: "Damping ζ",
    lawHelp: {
      free: "The drives give no torque: gravity, springs, friction and pushes move the robot.",
      "gravity-compensation": "τ = G(q): the robot floats, and a push moves it.",
      "hold-pd": "τ = M₀(ω² e + 2ζω ė) with e = qᵣ − q and M₀ the inertia that each drive moves in the start pose; without a reference it holds that pose.",
      "computed-torque": "τ = M(q)(q̈ᵣ + 2ζω ė + ω² e) + C q̇ + G with e = qᵣ − q; without a reference it holds the start pose.",
    } as Record<string, string>,
    noDrives: "This robot has no drives: it moves freely.",
    plant: "The true robot",
    plantHelp: "What the law does not know of, except the payload where it is told. All of it may be changed while it runs.",
    viscous: "Viscous friction",
    coulomb: "Coulomb friction",
    spring: "Joint springs",
    payload: "Payload",
    knows: "the law knows the payload",

    // Push
    push: "Push",
    pushHelp: "While it runs, drag at the robot: an arrow pulls the output. Or push along an axis of the base for as long as a button is held, with the mouse, a finger or the space bar.",
    pushAlong: (axis: string) => `Push along ${axis}`,
    pushing: (force: number) => `pushing with ${force.toPrecision(3)} N`,
    notPushed: "A recorded run is played: it cannot be pushed.",
    force: "Force",

    // Trajectories
    trajectory: "Trajectory through taught points",
    teach: "Teach this point",
    points: (count: number) => (count === 0 ? "No points yet: move the robot and teach at least two." : `${count} point${count === 1 ? "" : "s"}: where the output was, m`),
    taught: (count: number) => `point ${count} is taught`,
    place: (x: string, y: string, z: string) => `${x}, ${y}, ${z}`,
    goTo: "go",
    goToPoint: (k: number) => `Go to point ${k + 1}`,
    earlier: (k: number) => `Point ${k + 1} earlier`,
    later: (k: number) => `Point ${k + 1} later`,
    removePoint: (k: number) => `Remove point ${k + 1}`,
    forget: "Forget all",
    timeLaw: "Time law",
    timeLaws: { cubic: "cubic", quintic: "quintic", trapezoid: "trapezoidal velocity", spline: "spline through the points" } as Record<string, string>,
    duration: "Duration",
    byLimits: "as fast as the limits permit",
    compute: "Compute and preview",
    follow: "Run under the law",
    takeAway: "Without reference",
    preview: "preview of the trajectory",
    limitPassed: (what: string) => `Limit passed: ${what}.`,
    withinLimits: (duration: number, torque: string, within: boolean) => `${duration.toPrecision(4)} s${within ? ", within all limits" : ""}; largest torque or force ${torque}`,
    needTwo: "A trajectory needs at least two points.",
    computing: "computing the trajectory",

    // Scenarios
    scenario: "Scenarios",
    scenarioHelp: "A scenario is a trial in a file: robot, differences of the true one, reference, law, computer. It runs in a worker with `appell simulate`'s code; drop a .toml here or edit the text.",
    scenarioText: "Text of the scenario",
    chooseScenario: "that come with appell …",
    ofPresent: "Of this run",
    ofPresentHelp: "a scenario that gives the same numbers as a run with the present options",
    longScenario: "the scenario has more than a million characters",
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
    nothingKept: "Nothing is kept.",
    isKept: (name: string, end: number) => `Kept: ${name}, ${end.toPrecision(3)} s.`,
    differences: (name: string) => `Differences to ${name}`,
    rms: "RMS",
    largest: "largest",
    asRun: "Play the kept run",

    // Tables
    noTime: "the table has no column t",
    noRows: "the table has no rows",
    noColumns: "the table has neither positions (q1 …, q.NAME) nor torques (tau1 …, tau.NAME)",
    timeOrder: "column t must be finite and may not decrease",
    longTable: (rows: number) => `the table has more than ${rows} rows`,
    raggedRow: (line: number, cells: number, expected: number) => `line ${line} has ${cells} cells, expected ${expected}`,

    // Plots
    noRun: "Run something: the plots follow.",
    saveCsv: "CSV",
    saveCsvTitle: "Save this plot as CSV",
    savePng: "PNG",
    savePngTitle: "Save this plot as PNG",
    zoomHelp: "Drag in a plot to zoom, click to go to that time.",
    resetZoom: "Whole time",
    closePlots: "Close the plots",

    // Commands
    toggleCommand: "Run or pause",
    stepCommand: "One step",
    backCommand: "One step back",
    plotsCommand: "Plots of the run",
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
