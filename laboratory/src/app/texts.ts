/** All texts that a user sees, in one file: a translation replaces this file. Sections belong to the folders of their names. */
export const texts = {
  app: {
    title: "appell laboratory",
  },
  // ---- motion/ ----
  motion: {},
  // ---- home/ ----
  home: {},
  // ---- learn/ ----
  learn: {},
};
