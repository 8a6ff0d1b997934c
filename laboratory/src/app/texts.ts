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
    canvas: "The robot. Arrow keys move the output, Tab chooses a drive, Escape lets it go.",
    axes: "Directions of view",
    lookAlong: (name: string) => `Look along ${name}`,
    noWebgl: "This browser offers no WebGL: the numbers work, the picture does not.",
    lost: "The graphics context was lost. The robot and its numbers are kept.",
    restore: "Draw again",
    gravity: "g",
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
    setLimits: "Set limits …",
    limits: "Limits of the joints",
    limitsHelp:
      "Positions, velocities, and torques or forces that a joint may have; an empty field is no limit. They become part of the robot's text: the hand stops there, bars are drawn against them, trajectories keep them. Save the text to keep them.",
    limitHeads: { lower: "lower", upper: "upper", velocity: "velocity", effort: "torque or force" },
    noLimit: "none",
    applyLimits: "Apply",
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
    found: (count: number, total: number, why: string) => `${count === total ? count : `${count} listed of ${total}`}: ${why}.`,
    columns: { mode: "mode", type1: "Type 1", type2: "Type 2", distance: "distance" },
    distanceHelp: "Distance to singularities: 1 is far, 0 is there. Distance of the configuration from the present one.",
    present: "here",
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
      gravity: "Direction of gravity",
    },
    clearThePath: "Clear the path",
    large: "Large type, for a projector",
  },


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
    manyBad: (count: number, total: number, some: string) => `${count} of ${total} files could not be read:\n${some}\n…`,
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
    draft: "A text of this robot that you edited and did not save is kept.",
    takeDraft: "Take it back",
    dropDraft: "Drop it",
    fileChanged: (file: string) => `${file} has changed on disk; the text in the editor has changes that are not saved.`,
    takeFile: "Take the file",
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
    panels: { forces: "Forces", singularities: "Singular", vibration: "Vibration", map: "Map" },

    // Torques and forces
    torques: "Torques and forces of the drives",
    drive: "Drive",
    tau: "τ",
    gravity: "gravity",
    dynamic: "dynamic",
    limit: (value: string, unit: string) => `of ${value} ${unit}`,
    noLimit: (value: string, unit: string) => `no limit, ${value} ${unit}`,
    more: (count: number) => `… and ${count} more`,
    passive: "no drive",
    passiveHelp: "Nothing drives this joint: the torque or force that the assumed motion would need there.",
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
      com: "Centre of mass (m)",
      length: "Characteristic length",
      singularValues: "Singular values, scaled",
      manipulability: "Manipulability, SI units",
      condition: "Inverse condition",
    },
    scaledHelp: "Singular values and inverse condition are scaled by the robot's characteristic length: lengths count in units of it. Manipulability is not scaled.",
    showCom: "Centre of mass in the view",
    showVelocities: "Velocity ellipsoid at the output",
    showForces: "Force ellipsoid at the output",
    inertia: "Inertia matrix",
    inertiaUnits: "kg m² between angles, kg between lengths, kg m between one and the other.",
    inertiaHelp: "Inertia matrix as a picture; arrow keys read its entries",
    point: "Point at an entry to read it.",
    entry: (row: number, column: number, a: string, b: string, value: string) => `M[${row}, ${column}] ${a} × ${b}: ${value}`,
    asTable: "As a table",
    reactions: "Reactions in the joints",
    reactionsHelp: "On the outer body, base axes, N and N m",
    reactionScale: (force: string, moment: string, longest: string) => `Forces ${force} N, moments ${moment} N m per m shown; no arrow is longer than ${longest} m.`,
    reactionHeads: ["Joint", "|f|", "fx", "fy", "fz", "|m|", "mx", "my", "mz"],
    showReactions: "Arrows in every joint",
    question: "All quantities that appell computes",
    questionHelp: "Any question of appell compute, answered at the present state: choose one by its name.",
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

    // Vibrations
    vibration: "Vibrations about this pose",
    vibrationHelp:
      "Small vibrations while the drives hold the robot here: M ẍ + K x = 0, where K comes from gravity, from springs in the robot's file, and from drives that hold their positions like springs of the stiffness below (0: they keep their torques). Bodies are rigid, damping is left out.",
    stiffness: "Stiffness of each drive",
    vibrationHeads: ["Mode", "frequency", "mostly"],
    grows: (time: string) => `grows e times in ${time} s`,
    unheld: (joints: string) => `Nothing holds ${joints} here: the robot would begin to move, and these modes are only those of its linear equations.`,
    mode: (k: number) => `Mode ${k}`,
    showMode: "Show a mode as a ghost",

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
    allLayers: "all layers in the view",
    inScene: "painted in the view",
    mapHelp: "The map; arrow keys move the cursor, Enter goes to its pose",
    mapHint: "Point at a cell to read it, click to go there.",
    here: "the present pose",
    cell: (type1: string, type2: string, reach: string) => `Type 1 ${type1}, Type 2 ${type2}, ${reach}`,
    notYet: "not computed yet",
    twice: "Choose different coordinates for the axes.",
    noRange: "An axis needs two different ends.",
    looking: "looking how far the robot reaches …",
    noMap: "There is no map of this robot: it needs a platform that moves in two coordinates, or two joints of a tree.",
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
    plantHelp: "The law does not know these differences, except the payload where it is ticked. All may be changed while it runs.",
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
    sameStart: "Run from the same start",
    sameStartHelp: "puts the robot where the kept run began, and runs with the present law and robot",
    startsDiffer: "The two runs start in different poses; the differences come from that too.",

    // Tables
    noTime: "the table has no column t",
    noRows: "the table has no rows",
    noColumns: "the table has neither positions (q1 …, q.NAME) nor torques (tau1 …, tau.NAME)",
    timeOrder: "column t must be finite and may not decrease",
    longTable: (rows: number) => `the table has more than ${rows} rows`,
    columnTwice: (name: string) => `column ${name} is given twice`,
    noNumbers: (name: string, count: number, first: string, line: number) =>
      `${name}: ${count === 1 ? "one cell is no number and is" : `${count} cells are no numbers and are`} left out; the first is “${first}” in line ${line}`,
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
  home: {
    save: "Save",
    copy: "Copy",
    copied: (name: string) => `${name} is in the clipboard`,
    copyByHand: "Copy this text",
    noClipboard: "The browser does not let this page write to the clipboard; the text is selected, copy it with the keyboard.",
    preview: "Preview",
    computing: "computing …",
    cutHere: (all: number) => `… the preview ends here; the file has ${all.toLocaleString("en")} characters`,
    size: (name: string, characters: number) => `${name}, ${characters.toLocaleString("en")} characters`,

    link: "Copy link",
    linkHelp: "An address that brings back this robot, its pose, the camera and what is shown. A robot of your own travels inside the link; nothing is sent anywhere.",
    linkCopied: (length: number) => `The link is in the clipboard, ${length.toLocaleString("en")} characters`,
    linkLong: (length: number) => `The link is in the clipboard; with ${length.toLocaleString("en")} characters some programs will cut it`,
    linkTooLong: (length: number) => `a link with this robot inside would have ${length.toLocaleString("en")} characters, more than programs accept: save the robot's file instead`,
    linkNoAddress: "This page has no address of its own: append what is in the clipboard to that of a laboratory",
    linkStopped: (why: string) => `The link's pose was not reached: ${why}`,
    linkBroken: "The link is damaged or was cut off: its robot cannot be read.",
    linkNoNumbers: "it is no list of numbers",
    linkLength: (count: number, wanted: number) => `it has ${count} number${count === 1 ? "" : "s"}, the robot has ${wanted} joint${wanted === 1 ? "" : "s"}`,
    linkEndless: "the link holds a text of more than 16 million characters, which no robot's file needs",

    picture: "Picture",
    pictureHelp: "The view as it is on the screen: PNG in pixels, SVG as a drawing in lines that scales.",
    png: (width: number, height: number) => `PNG, ${width} × ${height} pixels`,
    svg: "SVG, the sketch in lines",

    film: "Record a film",
    filmHelp: "Records the view until it is stopped, and saves it as WebM.",
    filming: (seconds: number) => `Recording ${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`,
    filmStop: "Stop and save",
    filmSaved: (name: string) => `The film is saved as ${name}`,
    filmFailed: "the browser's recorder has failed",
    noFilm: "this browser cannot record films of a page (it has no MediaRecorder for WebM or MP4)",

    tables: "Numbers as CSV",
    tablesHelp: "The present run over time, or everything that is known of the present state, with all digits.",
    table: "Table",
    csvRun: "the present run",
    csvNoRun: "the present run: nothing has run yet",
    csvLive: "the present state",
    csvLiveHelp: "Name and value, SI units and radians; poses, twists and reactions in base axes.",

    robotFile: "Robot's file",
    robotFileHelp: "The robot in any format that can hold it.",
    format: "Format",
    formats: {
      toml: "TOML, appell's own",
      urdf: "URDF",
      par: "PAR, SYMORO's",
      csv: "CSV, a DH table",
      md: "Markdown, a DH table",
    } as Record<string, string>,
    asRead: (file: string) => (file === "" ? "as it was read" : `as it was read: ${file}`),

    code: "Generate code",
    codeMenuHelp: "Source code of this robot that answers one question without a library.",
    question: "Question",
    language: "Language",
    languages: { c: "C", rust: "Rust", cuda: "CUDA", python: "Python", julia: "Julia", latex: "LaTeX, as equations" } as Record<string, string>,
    codeHelp: (name: string, lines: number) => `${name}, ${lines.toLocaleString("en")} lines. On the command line: appell generate --help`,

    scenario: "Scenario for appell simulate",
    scenarioMenuHelp: "A file with which the command line gives the same numbers as a run here.",
    duration: "Duration",
    scenarioHelp: (name: string, robot: string | null) =>
      `Run it: appell simulate ${name}${robot === null ? "" : `\nThe robot's file must lie beside it: save it as ${robot} (File, Robot's file).`}`,
  },


  // ------------------------------------------------------------------
  // learn/: tours and help
  // ------------------------------------------------------------------
  learn: {
    next: "Next",
    back: "Back",
    end: "End of the tour",
    close: "Close the tour",
    steps: "Steps of the tour",
    step: (paper: string, at: number, all: number) => `${paper} · step ${at} of ${all}`,
    source: "Source: ",
    sourceHelp: "read it here",
    tourHelp: (paper: string) => `A tour after ${paper}; arrow keys go on and back`,

    help: "Help",
    helpHelp: "Keys, mouse and fingers, what every panel and menu entry is for",
    about:
      "A robot on a bench: take it by the hand and see what the equations of motion say about it. Everything is computed in this page; nothing that you load leaves your machine.",
    also: "Also",
    noForce: "no finite force",
    keys: "Keys",
    keyNames: { " ": "Space", arrowleft: "←", arrowright: "→", arrowup: "↑", arrowdown: "↓", escape: "Esc", delete: "Del" } as Record<string, string>,
    moreKeys: [
      ["Tab", "to the next button or field, in the view to the next drive; arrow keys change tabs and menu entries"],
      ["← → ↑ ↓", "in the view: move the output, or the chosen drive; Page Up and Page Down along the third direction, Shift in fine steps"],
      ["Esc", "closes a menu, a dialog or a tour"],
    ] as [string, string][],
    pointer: "Mouse and fingers",
    gestures: [
      ["Drag the platform or the tool", "takes the robot along; loops stay closed"],
      ["Drag a joint", "turns or slides it"],
      ["Arrows and rings", "move along or about one axis"],
      ["Drag beside the robot", "turns the view; one finger"],
      ["Right button, or two fingers", "shifts the view"],
      ["Wheel, or pinch", "comes nearer"],
      ["Drop a file", "robots with their meshes, scenarios, measured tables"],
    ] as [string, string][],
    panels: {
      robot: "Choose a built-in robot, open a file, edit its text.",
      pose: "Where the output and every joint stand, as numbers to read and to set.",
      forces: "Torques and forces of the drives, their parts, inertia matrix, energies, reactions.",
      singularities: "How far the nearest singularities are, and what the drives do not control there.",
      assemblies: "Other configurations for the same drives, or working modes for the same pose.",
      vibration: "Frequencies and modes of small vibrations, on springs and stiff drives.",
      map: "Reach and distance to singularities over a plane or a volume.",
      motion: "Let the robot move: free, with springs, under a law, along taught points, by a scenario.",
      plots: "What has moved, over time.",
    } as Record<string, string>,
    version: (version: string) => `appell ${version}, compiled to WebAssembly`,

    values: {
      legs: "Legs",
      joints: "Joints",
      freedoms: "Degrees of freedom",
      mass: "Mass of all bodies",
      weight: "Weight of all bodies",
      yaw: "Yaw of the platform",
      type1: "Distance to Type 1 (1 far, 0 there)",
      type2: "Distance to Type 2 (1 far, 0 there)",
      force: "Largest leg force",
      controlled: "Control of the least controlled motion",
      uncontrolled: "That motion",
      "force at 0.01": "Largest force, 0.01 rad before it",
      "product at 0.01": "times 0.01 rad",
      "force at 0.001": "Largest force, 0.001 rad before it",
      "product at 0.001": "times 0.001 rad",
      "force at 0.0001": "Largest force, 0.0001 rad before it",
      "product at 0.0001": "times 0.0001 rad",
      work: "tₛ · w at rest",
      modes: "Working modes found",
      how: "How it is known",
      mode: "Working mode",
      theta1: "θ₁",
      theta2: "θ₂",
      theta3: "θ₃",
      gamma1: "γ₁",
      gamma2: "γ₂",
      gamma3: "γ₃",
      leg1: "Leg 1, distance to Type 1",
      leg2: "Leg 2, distance to Type 1",
      leg3: "Leg 3, distance to Type 1",
      tau1: "τ₁",
      tau2: "τ₂",
      tau3: "τ₃",
      tau4: "τ₄",
      tau5: "τ₅",
      tau6: "τ₆",
      dynamic: "Of that without gravity, at most",
      spread: "Largest less smallest torque",
      gradient: "∂G/∂q̈₂ by differences",
      multiplications: "Multiplications",
      additions: "Additions",
      nanoseconds: "One call, in this page",
      length: "Length of the line",
      position: "Tool at",
      error: "Largest error of a joint",
      "last error": "Largest error at the end",
      torque: "Largest torque",
    } as Record<string, string>,

    tours: {
      "gough-stewart": {
        title: "Gough-Stewart platform: Type 2",
        paper: "Briot & Khalil",
        steps: {
          robot: {
            title: "Six legs, six degrees of freedom",
            text: "Each leg slides on a universal joint at the base and ends in a spherical joint at the platform. The dynamics follow from cutting the legs from the platform: open legs are easy, and so is one rigid body; what they exchange at the cuts ties them together.",
          },
          rows: {
            title: "One row of the inverse Jacobian per leg",
            text: "The rate of an actuator is the velocity of the platform's joint projected onto the leg's axis. Six such rows make the inverse Jacobian. While they are independent, the drives hold the platform in every direction.",
          },
          forces: {
            title: "Forces of the drives",
            text: "The platform needs a wrench, and each leg, moved as if it were alone, adds the torques of its own bodies. Their sum is brought to the drives through the transposed inverse of the Jacobian. At rest, the legs carry the weight together.",
          },
          turn: {
            title: "Turn it about the vertical",
            text: "The platform turns up to 80° and stays level. Nothing seems to go wrong, but the six rows become nearly dependent, and the same weight asks for larger and larger forces.",
          },
          there: {
            title: "Type 2: a motion that no drive controls",
            text: "At 90° the six legs leave one twist free: with all drives locked, the platform can still screw a little, as the ghost shows. The weight does work along this twist, so no finite forces can hold the robot here, and inverse dynamics refuses to answer.",
          },
          growth: {
            title: "Forces grow like one over the way left",
            text: "Three static poses before the singularity: each time the angle that is left becomes ten times smaller, the largest force becomes ten times larger. Their product is nearly constant, which is how a simple zero of the determinant looks.",
          },
          criterion: {
            title: "It can be crossed",
            text: "The inertia matrix in platform coordinates stays regular, so the motion itself exists. Forces remain finite if the wrench that the motion asks for does no work along the free twist. At rest it does, as the number shows: the robot must arrive with an acceleration that makes it zero.",
          },
          yours: {
            title: "Now you",
            text: "Drag the platform and watch the distance to Type 2. The map shows where it is small over a plane that you choose.",
          },
        },
      },
      "agile-wrist": {
        title: "Agile Wrist: eight modes",
        paper: "Abedloo et al.",
        steps: {
          robot: {
            title: "All axes meet in one point",
            text: "Three legs of two curved links turn the platform about a fixed point. A motor turns the first link of each leg; the joint between the links and the one at the platform are passive.",
          },
          closure: {
            title: "One equation for each leg",
            text: "The platform gives the direction v of a leg's last axis; the motor angle gives the axis w between its links. The second link demands the angle α₂ between them, which is one equation in sine and cosine of θ.",
          },
          eight: {
            title: "Two solutions per leg, eight for the robot",
            text: "Each equation has two solutions while the leg reaches its axis: its elbow lies on one side or on the other. The choices are independent, so the same attitude of the platform has eight working modes; the ghosts show the other seven.",
          },
          visit: {
            title: "Visit them",
            text: "The platform keeps its attitude while the legs take one mode after the other. To go from one mode to another in truth, a leg has to pass its Type 1 singularity, where both solutions are one.",
          },
          rows: {
            title: "Rates by cross products",
            text: "The motor's rate follows from the angular velocity by one cross product and the number h, the volume of a leg's three axes. When h vanishes the axes lie in one plane: that is Type 1, and the distance of each leg to it is shown.",
          },
          motion: {
            title: "Equations in closed form",
            text: "With these rows the Gibbs-Appell equations of links and platform can be written down in three coordinates. The wrist is shown at t = 1 s of the paper's motion; the torques are those of the equations for this attitude, angular velocity and acceleration. The printed form has a few slips, which the report of appell reproduce lists; the corrected one is computed here.",
          },
          yours: {
            title: "Now you",
            text: "Turn the platform by the rings and watch both distances. In the panel of assemblies, choose another working mode and see how the torques change though the attitude does not.",
          },
        },
      },
      "puma-line": {
        title: "PUMA: a line under three laws",
        paper: "Valera et al.",
        steps: {
          robot: {
            title: "An arm and a line",
            text: "The wrist of a PUMA shall run along a straight line at a constant attitude. The model is the inverse dynamics in vectorial Gibbs-Appell form, cheap enough to be evaluated in every period of a controller.",
          },
          line: {
            title: "Inverse kinematics along the line",
            text: "Each point of the line gives six joint angles; the arm keeps its shoulder, elbow and wrist on their sides. The path of the tool is drawn as it goes.",
          },
          inverse: {
            title: "A law that makes the arm linear",
            text: "If the torques are the inverse dynamics of a chosen acceleration u, every joint behaves like a free mass that is accelerated by u, wherever the arm is. What remains is to choose u. The torques that hold the arm here are pure gravity.",
          },
          point: {
            title: "First law: from point to point",
            text: "This law knows only where the line ends: it pulls the joints there and damps their velocity. The arm arrives, but by a way of its own, at once and with torques far beyond what the line needs; the drawn path shows how far it strays.",
          },
          tracking: {
            title: "Second law: tracking",
            text: "Now the acceleration of the reference is fed forward and only the error of the velocity is damped. With an exact model the error obeys a linear equation without input: it stays at what integration leaves of zero.",
          },
          heavier: {
            title: "The same, but the robot is 5 % heavier",
            text: "All bodies of the true arm are heavier than the law believes. The missing torques act like an acceleration, which the feedback answers with a lasting error.",
          },
          integral: {
            title: "Third law: with integral action",
            text: "The integral of the error learns the missing torques. At the end of the line, where they no longer change, hardly any error is left.",
          },
        },
      },
      "puma-counts": {
        title: "PUMA: inverse dynamics, counted",
        paper: "Mata et al.",
        steps: {
          robot: {
            title: "Six joints in a row",
            text: "Inverse dynamics asks which torques give a motion. For a chain of n bodies it can be answered in a number of operations that grows like n, by one sweep to the tip and one back.",
          },
          gibbs: {
            title: "Gibbs' function",
            text: "It is to accelerations what kinetic energy is to velocities: quadratic, and its derivative by one joint's acceleration is that joint's torque. Both numbers are computed for the second joint, the first from two values of G alone.",
          },
          outward: {
            title: "Outward: motion of the bodies",
            text: "Angular velocity and acceleration are packed into one tensor Ω, so that a point's acceleration is one product. Gravity comes in by accelerating the base upwards.",
          },
          inward: {
            title: "Inward: forces and moments",
            text: "From the tip, the force of all bodies beyond a joint and their moment about it are handed on from frame to frame. The component along the axis is the torque of the drive.",
          },
          counts: {
            title: "Exactly as many operations as printed",
            text: "The production code runs once on numbers that count what is done with them. For six joints the formula gives 475 multiplications and 404 additions; what was counted stands below.",
          },
          code: {
            title: "For this arm alone: fewer",
            text: "Most entries of this arm's tables are zeros and right angles. Code that is generated for it leaves out what they make vanish; the counts below are of the generated C function, see Generate code in the menu File.",
          },
          speed: {
            title: "And how long it takes",
            text: "Measured now, in this page: the general algorithm for any arm, as WebAssembly, on one core.",
          },
        },
      },
      "star-triangle": {
        title: "Star-triangle robot: virtual work",
        paper: "Enferadi & Akbarzadeh",
        steps: {
          robot: {
            title: "A star on a spherical triangle",
            text: "Three motors at the corners of a spherical triangle turn sliders along its sides. The star's three arcs run through the sliders, so that the star turns about the centre with three degrees of freedom.",
          },
          angles: {
            title: "Motor angles in closed form",
            text: "Each slider lies where the plane of its arc cuts the side of the triangle. That gives every motor angle by itself, without iteration; the sign holds while the star's middle stays inside of the triangle.",
          },
          rates: {
            title: "Rates of the motors",
            text: "One cross product per leg leads from the star's angular velocity to the motor's rate. Its denominator c vanishes when an arc lies along its side: Type 1 of that leg.",
          },
          work: {
            title: "Torques by virtual work",
            text: "Inertia and weight of every body make a moment about the centre. Link Jacobians bring all of them to the star's angular velocity, and the motors' Jacobian brings the sum to the motors. No reaction in any joint has to be known.",
          },
          swing: {
            title: "A symmetric motion",
            text: "The star swings about its own axis over the middle of the triangle, here ten times slower than computed. Robot, motion and gravity have the same threefold symmetry, so the three torques must be equal: their spread is rounding.",
          },
          yours: {
            title: "Now you",
            text: "Turn the star out of the middle: the torques part, and one leg comes nearer to its Type 1 than the others.",
          },
        },
      },
    } as Record<string, { title: string; paper: string; steps: Record<string, { title: string; text: string }> }>,
  },
};
