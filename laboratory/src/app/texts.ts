/** All texts that a user sees, in one file: a translation replaces this file. Sections belong to the folders of their names. */
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
  // ---- motion/ ----
  motion: {},
  // ---- home/ ----
  home: {},
  // ---- learn/ ----
  learn: {},
};
