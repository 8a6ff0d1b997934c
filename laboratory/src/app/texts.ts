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
  hand: {},


  // ------------------------------------------------------------------
  // robot/: choosing, bringing and editing a robot
  // ------------------------------------------------------------------
  robot: {
    title: "Robot",
    gallery: "Gallery",
    editor: "Text",
    open: "Open …",
    openHelp: "Open a robot (TOML, URDF, MJCF, SDF, table of Denavit-Hartenberg parameters, .par) with its meshes, a scenario or a measured CSV",
    edit: "Edit the robot's text",
    editHelp: "Edit the robot's file beside the view: the robot follows while the text is valid",
    filter: "Filter",
    kind: "Kind",
    kinds: { "": "all", tree: "serial or tree", closed: "closed loops" } as Record<string, string>,
    nothingFound: "No built-in robot matches.",
    drop: "Drop a robot (TOML, URDF, MJCF, SDF, DH table, .par) with its meshes, a scenario or a measured CSV. Nothing leaves this machine.",

    // Files
    empty: (file: string) => `${file} is empty`,
    binary: (file: string) => `${file} is not a text file`,
    tooLarge: (file: string, size: number, limit: number) => `${file} has ${size.toFixed(1)} MB; at most ${limit} MB are read`,
    notRead: (file: string, why: string) => (why.startsWith(file) ? why : `${file}: ${why}`),
    unknownFormat: (known: string) => `the format is not known by its ending; robots end in ${known}`,
    oneAtATime: "not loaded: one robot at a time, the first of the files is on the bench",
    meshesTaken: (count: number) => `${count} mesh${count === 1 ? "" : "es"} read`,
    emptyMesh: "the mesh has no triangles",
    missingBuffer: (file: string) => `its buffer ${file} is missing: drop both together`,
    missing: (files: string, count: number) => `${count} mesh file${count === 1 ? " is" : "s are"} missing; drop ${count === 1 ? "it" : "them"} here: ${files}${count > 12 ? " …" : ""}`,

    // Editor
    undo: "Undo all",
    undoTitle: "back to the text as it was loaded",
    save: "Save",
    saveTitle: "save the text as a file",
    problems: "Problems of the text",
    checking: "checking …",
    fine: "no problems",
    errors: (count: number) => `${count} error${count === 1 ? "" : "s"}; the view shows the last valid text`,
    warnings: (count: number) => `${count} warning${count === 1 ? "" : "s"}`,
    line: (line: number) => `line ${line}`,
    wholeFile: "file",
    tooLongToEdit: (size: number) => `The text has ${size.toFixed(1)} million characters, too many to edit here; the robot is loaded all the same.`,
  },


  // ------------------------------------------------------------------
  // numbers/: what the mathematics says, live
  // ------------------------------------------------------------------
  numbers: {
    panels: { forces: "Forces", singularities: "Singular", map: "Map" },

    // Torques and forces
    torques: "Torques and forces of the drives",
    drive: "Drive",
    tau: "τ",
    gravity: "gravity",
    dynamic: "dynamic",
    limit: (value: string, unit: string) => `of ${value} ${unit}`,
    noLimit: (value: string, unit: string) => `no limit, ${value} ${unit}`,
    more: (count: number) => `… and ${count} more`,
    assumed: "Assumed motion",
    assumedHelp: "Velocities and accelerations for which torques, reactions and kinetic energy are computed.",
    rest: "At rest",
    velocity: "Velocity",
    acceleration: "Acceleration",
    twist: ["x", "y", "z", "about x", "about y", "about z"],
    state: "Energies, centre of mass, Jacobian",
    fact: {
      kinetic: "Kinetic energy",
      potential: "Potential energy",
      mass: "Mass",
      com: "Centre of mass",
      singularValues: "Singular values",
      manipulability: "Manipulability",
      condition: "Inverse condition",
    },
    showCom: "Centre of mass in the view",
    showVelocities: "Velocity ellipsoid at the output",
    showForces: "Force ellipsoid at the output",
    inertia: "Inertia matrix",
    inertiaHelp: "Inertia matrix as a picture; arrow keys read its entries",
    point: "Point at an entry to read it.",
    entry: (row: number, column: number, a: string, b: string, value: string) => `M[${row}, ${column}] ${a} × ${b}: ${value}`,
    asTable: "As a table",
    reactions: "Reactions in the joints",
    reactionsHelp: "On the outer body, base axes, N and N m",
    reactionHeads: ["Joint", "|f|", "fx", "fy", "fz", "|m|", "mx", "my", "mz"],
    showReactions: "Arrows in every joint",
    question: "Any question",
    answer: "Answer at the present state",
    column: "Column",
    value: "Value",
    copy: "Copy as CSV",
    copyTitle: "all columns in full precision",
    copied: (count: number) => `${count} columns copied`,

    // Singularities
    distances: "Distances to singularities",
    distancesHelp: "1 is far, 0 is there; the bars are logarithmic, from 0.001 to 1.",
    gauges: {
      type1: { title: "Type 1", help: "A leg loses a motion: the output cannot move in some direction, whatever the drives do" },
      type2: { title: "Type 2", help: "The output can move with the drives at rest: it is not controlled in some direction" },
      constraints: { title: "Constraints", help: "The loops stop being independent: the robot gains degrees of freedom" },
      condition: { title: "Inverse condition", help: "Smallest over largest singular value of the output's Jacobian; 0 where the tool loses a direction" },
    },
    noSingularity: "Nothing is known about singularities here.",
    side: (freedoms: number, side: number | null) => `${freedoms} degree${freedoms === 1 ? "" : "s"} of freedom${side === null ? "" : `; on the ${side < 0 ? "negative" : "positive"} side of the Type 2 singularity`}`,
    historyHelp: "The last 300 states, newest at the right; lines at 1, 0.1, 0.01 and 0.001",
    perLeg: "Type 1 of each leg",
    uncontrolled: "Uncontrolled motions",
    uncontrolledHelp: "Motions that the drives hold worst, the worst first. The ghost swings along one of them; arrows are its velocity and angular velocity at the output.",
    allControlled: "The drives control every motion well.",
    controlled: (value: string) => `controlled ${value}`,
    show: "Show",
    hide: "Hide",

    // Maps
    across: "Across",
    up: "Up",
    layers: "Layers",
    from: "from",
    to: "to",
    cells: "cells",
    volume: "a volume: layers over a third coordinate",
    coordinates: { x: "x", y: "y", z: "z", roll: "roll", pitch: "pitch", yaw: "yaw" } as Record<string, string>,
    compute: "Compute",
    cancel: "Cancel",
    clear: "Clear",
    csv: "CSV",
    csvTitle: "save the map as CSV, m and radians",
    progress: "Progress of the map",
    quantity: "Colours",
    quantities: { type2: "distance to Type 2", type1: "distance to Type 1", reach: "reach" } as Record<string, string>,
    reach: { 0: "out of reach", 1: "beyond joint limits", 2: "reachable" } as Record<number, string>,
    layer: "Layer",
    allLayers: "all layers in the view",
    inScene: "painted in the view",
    mapHelp: "The map; arrow keys move the cursor, Enter goes to its pose",
    mapHint: "Point at a cell to read it, click to go there.",
    here: "the present pose",
    cell: (type1: string, type2: string, reach: string) => `Type 1 ${type1}, Type 2 ${type2}, ${reach}`,
    notYet: "not computed yet",
    twice: "Choose different coordinates for the axes.",
    noRange: "An axis needs two different ends.",
    complete: "The map is complete.",
    cancelled: (done: number, total: number) => `Cancelled after ${done} of ${total} rows.`,
  },


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
