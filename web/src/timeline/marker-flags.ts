/** Markers as flags with names in two rows. Flags without space for a name are counted. */

import type { ListedMarker } from "../markers";
import { nearestBy } from "../search";
import { colour } from "../theme";
import type { PaintContext } from "./bands";
import type { Scale } from "./scale";
import { ellipsize, textWidth } from "./text";

export interface MarkerFlag {
  readonly marker: ListedMarker;
  readonly x: number;
  readonly row: number;
  /** The width that its name needs. */
  readonly width: number;
  /** The distance to the next flag in the row. */
  readonly maxWidth: number;
  /** The number of unnamed markers up to the next flag. */
  readonly hidden: number;
}

export interface FlagLayout {
  readonly named: readonly MarkerFlag[];
  /** Pixel positions of the other markers, without duplicates. */
  readonly unnamed: readonly number[];
}

export const FLAG_ROW = 16;
const PADDING = 5;
/** Narrower flags would show too little of the name. */
const MIN_FLAG_WIDTH = 76;
const MAX_FLAG_WIDTH = 170;
const GAP = 3;

type MutableFlag = { -readonly [Key in keyof MarkerFlag]: MarkerFlag[Key] };

/** Lays out markers in the order of their times. */
export function layoutFlags(markers: readonly ListedMarker[], scale: Scale, rows: number): FlagLayout {
  const named: MutableFlag[] = [];
  const lastOfRow: (MutableFlag | undefined)[] = Array.from({ length: rows });
  const unnamed = new Set<number>();
  for (const marker of markers) {
    const x = scale.x(marker.time);
    if (x < 0 || x > scale.width) {
      continue;
    }
    const row = rowFor(x, lastOfRow);
    if (row !== null) {
      named.push(placeFlag(marker, x, row, lastOfRow, scale.width));
      continue;
    }
    unnamed.add(Math.round(x));
    const last = named.at(-1);
    if (last !== undefined) {
      last.hidden += 1;
    }
  }
  return { named, unnamed: [...unnamed] };
}

/** The first row in which the previous name fits completely, or else the first in which enough of it does. */
function rowFor(x: number, lastOfRow: readonly (MutableFlag | undefined)[]): number | null {
  const fits = (minDistance: number) =>
    lastOfRow.findIndex((flag) => flag === undefined || flag.x + Math.min(flag.width, minDistance) + GAP <= x);
  const complete = fits(MAX_FLAG_WIDTH);
  const row = complete >= 0 ? complete : fits(MIN_FLAG_WIDTH);
  return row >= 0 ? row : null;
}

function placeFlag(
  marker: ListedMarker,
  x: number,
  row: number,
  lastOfRow: (MutableFlag | undefined)[],
  laneWidth: number,
): MutableFlag {
  const before = lastOfRow[row];
  if (before !== undefined) {
    before.maxWidth = x - before.x - GAP;
  }
  const width = Math.min(textWidth(marker.name) + 2 * PADDING, MAX_FLAG_WIDTH);
  const flag = { marker, x, row, width, maxWidth: laneWidth - x, hidden: 0 };
  lastOfRow[row] = flag;
  return flag;
}

function countOf({ hidden }: MarkerFlag): string {
  return hidden > 0 ? ` +${hidden}` : "";
}

function drawnWidth(flag: MarkerFlag): number {
  return Math.min(flag.width + textWidth(countOf(flag)), flag.maxWidth);
}

export function paintFlags(
  paint: PaintContext,
  { named, unnamed }: FlagLayout,
  top: number,
  bottom: number,
  rows: number,
): void {
  const { context } = paint;
  context.fillStyle = colour("marker");
  context.globalAlpha = 0.55;
  for (const x of unnamed) {
    context.fillRect(x - 0.5, top + rows * FLAG_ROW - 5, 1, 5);
  }
  for (const flag of named) {
    paintPole(paint, flag, top, bottom);
  }
  context.globalAlpha = 1;
  for (const flag of named) {
    paintFlag(paint, flag, top + flag.row * FLAG_ROW);
  }
}

/** A faint line through the lanes below. */
function paintPole({ context }: PaintContext, flag: MarkerFlag, top: number, bottom: number): void {
  context.fillStyle = colour("marker");
  context.globalAlpha = 0.35;
  const from = top + flag.row * FLAG_ROW;
  context.fillRect(Math.round(flag.x) - 0.5, from, 1, bottom - from);
}

function paintFlag({ context }: PaintContext, flag: MarkerFlag, top: number): void {
  const width = drawnWidth(flag);
  const [x, height] = [Math.round(flag.x) - 0.5, FLAG_ROW - 2];
  context.fillStyle = colour("surface");
  context.fillRect(x, top, width, height);
  context.fillStyle = colour("marker");
  context.globalAlpha = 0.2;
  context.fillRect(x, top, width, height);
  context.globalAlpha = 1;
  context.fillRect(x, top, 2, height);
  const count = countOf(flag);
  const nameRoom = width - 2 * PADDING - textWidth(count);
  context.fillStyle = colour("text");
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(ellipsize(flag.marker.name, nameRoom) + count, x + PADDING + 1, top + height / 2 + 0.5);
}

/** The marker at a position: that of the flag, or else the nearest one. */
export function markerAt(
  flags: FlagLayout,
  markers: readonly ListedMarker[],
  scale: Scale,
  x: number,
  row: number,
): ListedMarker | null {
  const isHit = (flag: MarkerFlag) => flag.row === row && x >= flag.x - 3 && x <= flag.x + drawnWidth(flag);
  return flags.named.find(isHit)?.marker ?? nearestMarker(markers, scale.time(x), scale.secs(3));
}

export function nearestMarker(markers: readonly ListedMarker[], time: number, within: number): ListedMarker | null {
  const distance = (marker: ListedMarker) => Math.abs(marker.time - time);
  const nearest = nearestBy(markers, distance);
  return nearest !== null && distance(nearest) <= within ? nearest : null;
}
