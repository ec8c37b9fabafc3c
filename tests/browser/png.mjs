// PNG files that say what they show, and how alike two of them look.
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";

const SIGNATURE = 8;

/** The chunks of a file: kind, content, and where each begins. */
function* chunks(png) {
  for (let at = SIGNATURE; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { at, kind: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** The file with a text in UTF-8 before its end (iTXt, keyword Comment, neither compressed nor translated). */
export function withComment(png, text) {
  const end = [...chunks(png)].find(({ kind }) => kind === "IEND");
  assert(end, "no PNG file");
  const body = Buffer.concat([Buffer.from("iTXtComment\0\0\0\0\0", "latin1"), Buffer.from(text)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, end.at), chunk, png.subarray(end.at)]);
}

/** The text that `withComment` put into a file, or nothing. */
export function commented(png) {
  const chunk = [...chunks(png)].find(({ kind, data }) => kind === "iTXt" && data.toString("latin1").startsWith("Comment\0"));
  return chunk ? chunk.data.subarray("Comment\0\0\0\0\0".length).toString() : "";
}

/** How much two pictures differ, from 0 to 1: the mean over all colors of a few thousand points, each the mean of its
 * surroundings. */
export async function difference(page, one, other) {
  return page.evaluate(async (urls) => {
    const points = async (url) => {
      const picture = new Image();
      picture.src = url;
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [72, 48];
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.imageSmoothingQuality = "high";
      context.drawImage(picture, 0, 0, 72, 48);
      return context.getImageData(0, 0, 72, 48).data;
    };
    const [a, b] = await Promise.all(urls.map(points));
    return a.reduce((sum, value, at) => sum + Math.abs(value - b[at]), 0) / a.length / 255;
  }, [one, other].map((png) => `data:image/png;base64,${png.toString("base64")}`));
}
