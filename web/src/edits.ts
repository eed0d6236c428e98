/** Ordering of edits, and adapting them to what has changed since they were requested. */

import type { Edit, MarkerInfo, RecordingInfo } from "./api";

/** Runs the tasks of each recording in the order in which they were added. */
export class EditQueues {
  private readonly last = new Map<number, Promise<unknown>>();

  run<T>(id: number, task: () => Promise<T>): Promise<T> {
    const result = (this.last.get(id) ?? Promise.resolve()).then(task);
    // Callers of `run` handle the error; the next task only waits.
    this.last.set(
      id,
      result.catch(() => {}),
    );
    return result;
  }
}

/** How far trims have shifted recordings in time, by curves revision: undo restores the revision, and with it the offset. */
export class TrimOffsets {
  private readonly offsets = new Map<string, number>();

  /** How far an edit shifts the recording in time. A single recording always starts at 0. */
  shift(edit: Edit, before: RecordingInfo, after: RecordingInfo, isUnique: boolean): number {
    const { offsets } = this;
    const start = offsets.get(keyOf(before)) ?? 0;
    const isNew = edit.op === "trim" || edit.op === "accept";
    if (isNew) {
      offsets.set(keyOf(after), start + (edit.op === "trim" && !isUnique ? Math.max(edit.from, 0) : 0));
    }
    return (offsets.get(keyOf(after)) ?? 0) - start;
  }
}

function keyOf({ id, curves_revision }: RecordingInfo): string {
  return `${id} ${curves_revision}`;
}

/** Adapts an edit of `base` to the current state; `null` if it is done already or would do something else. */
export function rebaseEdit(edit: Edit, base: RecordingInfo, current: RecordingInfo): Edit | null {
  switch (edit.op) {
    case "undo":
      return current.can_undo ? edit : null;
    case "redo":
      return current.can_redo ? edit : null;
    case "move-marker":
      return rebaseMarkerEdit({ ...edit, time: within(current, edit.time) }, base, current);
    case "rename-marker":
    case "remove-marker":
      return rebaseMarkerEdit(edit, base, current);
    case "add-marker":
      return { ...edit, time: within(current, edit.time) };
    case "trim":
    case "accept":
      return base.curves_revision === current.curves_revision ? edit : null;
  }
}

function within({ duration_secs }: RecordingInfo, time: number): number {
  return Math.min(Math.max(time, 0), duration_secs);
}

function rebaseMarkerEdit<T extends Edit & { readonly index: number }>(
  edit: T,
  base: RecordingInfo,
  current: RecordingInfo,
): T | null {
  const index =
    base.revision === current.revision ? edit.index : currentMarkerIndex(base.markers, current.markers, edit.index);
  return index === null ? null : { ...edit, index };
}

/** Finds a marker of `base` in `current`; `null` if it is ambiguous. */
function currentMarkerIndex(base: readonly MarkerInfo[], current: readonly MarkerInfo[], index: number): number | null {
  const marker = base[index];
  const isRenamed = base.length === current.length && current[index]?.time === marker?.time;
  if (isRenamed) {
    return index;
  }
  const isSameMarker = ({ time, name }: MarkerInfo) => time === marker?.time && name === marker?.name;
  const isUnique = [base, current].every((markers) => markers.filter(isSameMarker).length === 1);
  return isUnique ? current.findIndex(isSameMarker) : null;
}
