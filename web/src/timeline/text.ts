/** How wide words are on the canvas, and what of them fits. */

export const FONT = `11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;

/** Names come from strangers: nobody measures a megabyte. */
const MAX_MEASURED_CHARS = 80;
const MAX_CACHED_WIDTHS = 4000;

let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

export function textWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) {
    return known;
  }
  const width = measured(shortened(text));
  if (widths.size >= MAX_CACHED_WIDTHS) {
    widths.clear();
  }
  widths.set(text, width);
  return width;
}

function measured(text: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) {
    return 6 * text.length;
  }
  context.font = FONT;
  return context.measureText(text).width;
}

/** Cut between letters, not within one that takes two units. */
function shortened(text: string): string {
  return text.length <= MAX_MEASURED_CHARS
    ? text
    : `${[...text.slice(0, 2 * MAX_MEASURED_CHARS)].slice(0, MAX_MEASURED_CHARS).join("")}…`;
}

/** As much of the text as there is room for. */
export function ellipsize(text: string, room: number): string {
  const short = shortened(text);
  if (textWidth(short) <= room) {
    return short;
  }
  const letters = [...short];
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >>> 1;
    if (measured(`${letters.slice(0, middle).join("")}…`) <= room) {
      fits = middle;
    } else {
      tooMany = middle;
    }
  }
  return fits === 0 ? "" : `${letters.slice(0, fits).join("").trimEnd()}…`;
}
