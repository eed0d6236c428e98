/** The difference lane of the timeline: a filled line with a scale. */

import { nearestBy } from "../search";
import type { Box } from "./bands";
import type { Column, DifferenceSeries } from "./difference";
import type { PaintContext } from "./paint-context";
import { EDGE } from "./scale";

/** Fixed scales, so that the scale does not change with every zoom step. */
const SCALES_MM = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

export function paintDifference(paint: PaintContext, series: DifferenceSeries, box: Box): void {
  const columns = series.columns(paint.scale.drawn);
  const max = columns.reduce((max, { millimetres }) => Math.max(max, millimetres ?? 0), 0);
  const scaleMm = SCALES_MM.find((height) => height >= max) ?? max;
  for (const run of knownRuns(columns)) {
    paintRun(paint, run, box, scaleMm);
  }
  paintFrame(paint, box, max > 0 ? `${scaleMm} mm` : "");
}

/** Runs of columns without a gap. */
function knownRuns(columns: readonly Column[]): Column[][] {
  const runs: Column[][] = [[]];
  for (const column of columns) {
    if (column.millimetres === null) {
      runs.push([]);
    } else {
      runs.at(-1)?.push(column);
    }
  }
  return runs.filter((run) => run.length > 0);
}

function paintRun({ context, scale, colors }: PaintContext, run: readonly Column[], box: Box, scaleMm: number): void {
  const bottom = box.top + box.height;
  const [first, last] = [scale.x(run[0]?.time ?? 0), scale.x(run.at(-1)?.time ?? 0)];
  const line = new Path2D();
  for (const { time, millimetres } of run) {
    line.lineTo(scale.x(time), bottom - ((millimetres ?? 0) / scaleMm) * (box.height - 2));
  }
  const area = new Path2D(line);
  area.lineTo(last, bottom);
  area.lineTo(first, bottom);
  context.fillStyle = colors.accent;
  context.globalAlpha = 0.2;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = colors.accent;
  context.lineWidth = 1.25;
  context.stroke(line);
}

function paintFrame({ context, scale, colors }: PaintContext, { top, height }: Box, label: string): void {
  context.fillStyle = colors.line;
  context.fillRect(0, top, scale.width, 1);
  context.fillRect(0, top + height - 1, scale.width, 1);
  context.textAlign = "right";
  context.textBaseline = "top";
  // An outline, because the line can be drawn behind the label.
  context.strokeStyle = colors.surface;
  context.lineWidth = 4;
  context.strokeText(label, scale.width - EDGE - 4, top + 3);
  context.fillStyle = colors.muted;
  context.fillText(label, scale.width - EDGE - 4, top + 3);
}

/** The distance at the column nearest to a time. */
export function distanceAt(series: DifferenceSeries, time: number, slackSecs: number): number | null {
  const near = series.columns([time - slackSecs, time + slackSecs]);
  return nearestBy(near, (column) => Math.abs(column.time - time))?.millimetres ?? null;
}
