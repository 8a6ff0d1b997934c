// Pixels of a PNG as browsers write it: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from "node:zlib";

/** Width, height, and `at(x, y)`: red, green, blue, alpha of a pixel, 0 … 255. */
export function decode(bytes) {
  const png = Buffer.from(bytes);
  if (png.toString("latin1", 1, 4) !== "PNG") throw new Error("not a PNG file");
  const [width, height, depth, kind, , , interlaced] = [png.readUInt32BE(16), png.readUInt32BE(20), ...png.subarray(24, 29)];
  const channels = { 2: 3, 6: 4 }[kind];
  if (depth !== 8 || channels === undefined || interlaced !== 0) throw new Error(`PNG with depth ${depth}, colour type ${kind}`);
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const data = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const pixels = Buffer.alloc(height * line);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (line + 1)];
    for (let i = 0; i < line; i++) {
      const left = i < channels ? 0 : pixels[y * line + i - channels];
      const above = y === 0 ? 0 : pixels[(y - 1) * line + i];
      const corner = i < channels || y === 0 ? 0 : pixels[(y - 1) * line + i - channels];
      pixels[y * line + i] = data[y * (line + 1) + 1 + i] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
    }
  }
  const at = (x, y) => {
    const [column, row] = [Math.round(x), Math.round(y)];
    if (column < 0 || row < 0 || column >= width || row >= height) throw new Error(`pixel ${x}, ${y} is outside of ${width} × ${height}`);
    const start = row * line + column * channels;
    return [...pixels.subarray(start, start + channels), 255].slice(0, 4);
  };
  return { width, height, at };
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Largest difference of a channel between two pixels. */
export const apart = (one, other) => Math.max(...[0, 1, 2].map((k) => Math.abs(one[k] - other[k])));

/** How many pixels of a picture differ from `colour` by more than `by`. */
export function others(picture, colour, by = 24) {
  let count = 0;
  for (let y = 0; y < picture.height; y++) for (let x = 0; x < picture.width; x++) if (apart(picture.at(x, y), colour) > by) count++;
  return count;
}
