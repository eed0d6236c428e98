/** Changes wait for each other, and mean what they meant when somebody asked for them. */

import type { Edit, MarkerInfo, TakeInfo } from "./api";

/** Does things one after the other, in the order in which they were asked for; for each take by itself. */
export class Queues {
  private readonly last = new Map<number, Promise<unknown>>();

  run<T>(id: number, what: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(id) ?? Promise.resolve()).then(what);
    // Whoever asked is told what went wrong; those who wait only want to know when.
    this.last.set(
      id,
      turn.catch(() => {}),
    );
    return turn;
  }
}

/** How far trims have moved takes in time, by what the tapes held: undo brings that number back, and with it the place. */
export class Trims {
  private readonly moved = new Map<string, number>();

  /** How far to move a take that has become another by an edit. Of one that is alone, only its own time counts. */
  shift(edit: Edit, before: TakeInfo, after: TakeInfo, isAlone: boolean): number {
    const { moved } = this;
    const start = moved.get(keyOf(before)) ?? 0;
    const isNew = edit.op === "trim" || edit.op === "accept";
    if (isNew) {
      moved.set(keyOf(after), start + (edit.op === "trim" && !isAlone ? Math.max(edit.from, 0) : 0));
    }
    return (moved.get(keyOf(after)) ?? 0) - start;
  }
}

function keyOf({ id, tapeRevision }: TakeInfo): string {
  return `${id} ${tapeRevision}`;
}

/** An edit of a take as somebody saw it, made for what the take is now; nothing if that is done already, or would do something else. */
export function editNow(edit: Edit, seen: TakeInfo, now: TakeInfo): Edit | null {
  switch (edit.op) {
    case "undo":
      return now.canUndo ? edit : null;
    case "redo":
      return now.canRedo ? edit : null;
    case "moveMarker":
      return ofMarkerNow({ ...edit, time: within(now, edit.time) }, seen, now);
    case "renameMarker":
    case "removeMarker":
      return ofMarkerNow(edit, seen, now);
    case "addMarker":
      return { ...edit, time: within(now, edit.time) };
    case "trim":
    case "accept":
      return seen.tapeRevision === now.tapeRevision ? edit : null;
  }
}

function within({ durationSecs }: TakeInfo, time: number): number {
  return Math.min(Math.max(time, 0), durationSecs);
}

function ofMarkerNow<T extends Edit & { readonly index: number }>(edit: T, seen: TakeInfo, now: TakeInfo): T | null {
  const index = seen.revision === now.revision ? edit.index : indexNow(seen.markers, now.markers, edit.index);
  return index === null ? null : { ...edit, index };
}

/** Where a marker has gone. One that has a twin cannot be told from it. */
function indexNow(seen: readonly MarkerInfo[], now: readonly MarkerInfo[], index: number): number | null {
  const marker = seen[index];
  const isRenamed = seen.length === now.length && now[index]?.time === marker?.time;
  if (isRenamed) {
    return index;
  }
  const isAlike = ({ time, name }: MarkerInfo) => time === marker?.time && name === marker?.name;
  const isAlone = [seen, now].every((markers) => markers.filter(isAlike).length === 1);
  return isAlone ? now.findIndex(isAlike) : null;
}
