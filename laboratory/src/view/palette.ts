/** Colours of the scene for both themes: those of the drawings of `appell show`. */
export interface Palette {
  background: number;
  grid: number;
  bone: number;
  rod: number;
  sleeve: number;
  rail: number;
  twig: number;
  driven: number;
  passive: number;
  closing: number;
  rigid: number;
  platform: number;
  base: number;
  path: number;
  ghost: number;
  force: number;
  moment: number;
  velocity: number;
  resist: number;
  select: number;
  shadow: number;
}

export const light: Palette = {
  background: 0xf4f5f6,
  grid: 0xcfd4da,
  bone: 0x56657a,
  rod: 0xa9b3bf,
  sleeve: 0x6f7f93,
  rail: 0x98a3b0,
  twig: 0xb4bcc6,
  driven: 0xd55e00,
  passive: 0x0072b2,
  closing: 0x5fa8d3,
  rigid: 0x7d8896,
  platform: 0x2f7f79,
  base: 0x8b96a3,
  path: 0xb1367a,
  ghost: 0x7a6bb0,
  force: 0xb8860b,
  moment: 0x7a4fb5,
  velocity: 0x1f8a70,
  resist: 0xc62828,
  select: 0xf2b705,
  shadow: 0x2a3340,
};

export const dark: Palette = {
  background: 0x14181d,
  grid: 0x2b333c,
  bone: 0x8e9db1,
  rod: 0xc3ccd6,
  sleeve: 0x72839a,
  rail: 0x566373,
  twig: 0x4d5967,
  driven: 0xf28a3c,
  passive: 0x4aa8e0,
  closing: 0x86c6ec,
  rigid: 0x99a5b3,
  platform: 0x4fb3a9,
  base: 0x5c6875,
  path: 0xe978b5,
  ghost: 0xa99be0,
  force: 0xe8be4a,
  moment: 0xb794ea,
  velocity: 0x54c9a8,
  resist: 0xff6b63,
  select: 0xffd54a,
  shadow: 0x000000,
};

export const css = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;
