/** All actions that have a key. Shortcuts, buttons and the help dialog are made from these tables. */

import type { App } from "../app";

export interface Command {
  /** Any of these keys runs the command. Named as by `keyName`. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly run: (app: App) => void;
  /** Whether the command does anything now; always if missing. */
  readonly when?: (app: App) => boolean;
  /** Whether holding the key repeats the command. */
  readonly repeats?: true;
}

type CommandOptions = Pick<Command, "when" | "repeats">;

function command(label: string, keys: readonly string[], run: Command["run"], options: CommandOptions = {}): Command {
  return { label, keys, run, ...options };
}

const hasRecording = ({ state }: App) => state.active.value !== null;
const hasSeveral = ({ state }: App) => state.recordings.value.length > 1;
const hasPair = ({ state }: App) => state.comparedPair.value !== null;
const canEditActive = (app: App) => hasRecording(app) && app.canEdit;

const STEP: CommandOptions = { when: hasRecording, repeats: true };
const REPEATS: CommandOptions = { repeats: true };
const EDITS: CommandOptions = { when: canEditActive };

export const TIME = {
  play: command("Play or pause", ["Space"], ({ playback }) => playback.togglePlay(), { when: hasRecording }),
  stepBack: command("Previous frame", ["ArrowLeft"], ({ playback }) => playback.step(-1), STEP),
  stepForward: command("Next frame", ["ArrowRight"], ({ playback }) => playback.step(1), STEP),
  secondBack: command("Back 1 second", ["Shift+ArrowLeft"], ({ playback }) => playback.seekBy(-1), REPEATS),
  secondForward: command("Forward 1 second", ["Shift+ArrowRight"], ({ playback }) => playback.seekBy(1), REPEATS),
  toStart: command("Go to start", ["Home"], ({ playback }) => playback.seek(playback.playedSpan()[0])),
  toEnd: command("Go to end", ["End"], ({ playback }) => playback.seek(playback.playedSpan()[1])),
  previousMarker: command("Previous marker", [","], ({ playback }) => playback.seekMarker(-1), REPEATS),
  nextMarker: command("Next marker", ["."], ({ playback }) => playback.seekMarker(1), REPEATS),
  slower: command("Slower", ["-"], ({ playback }) => playback.changeSpeed(-1)),
  faster: command("Faster", ["+", "="], ({ playback }) => playback.changeSpeed(1)),
  loop: command("Loop", ["L"], ({ playback }) => playback.toggleLoop()),
};

export const RANGE = {
  start: command("Set range start", ["["], ({ playback }) => playback.startRange(), { when: hasRecording }),
  end: command("Set range end", ["]"], ({ playback }) => playback.endRange(), { when: hasRecording }),
  clear: command("Clear range", ["\\"], ({ playback }) => playback.setRange(null)),
  zoom: command("Zoom to range or everything", ["Z"], ({ playback }) => playback.zoomToRangeOrAll()),
};

export const VIEW = {
  orbit: command("Orbit camera", ["1"], ({ view }) => view.setCamera("orbit")),
  follow: command("Follow the head", ["2"], ({ view }) => view.setCamera("follow")),
  head: command("View from the head", ["3"], ({ view }) => view.setCamera("head")),
  arrangement: command("Side by side or overlay", ["O"], ({ view }) => view.toggleArrangement(), { when: hasSeveral }),
  difference: command("Show difference", ["D"], ({ view }) => view.toggleDifference(), { when: hasPair }),
  frame: command("Frame all motion", ["F"], ({ view }) => view.frameAll()),
  trails: command("Show fingertip trails", ["T"], ({ view }) => view.toggleTrails()),
};

export const EDIT = {
  addMarker: command("Add marker", ["M"], (app) => void app.addMarker(app.state.time.value), EDITS),
  undo: command("Undo", ["Mod+Z"], (app) => app.stepHistory("undo"), EDITS),
  redo: command("Redo", ["Mod+Shift+Z", "Mod+Y"], (app) => app.stepHistory("redo"), EDITS),
  save: command("Save as", ["Mod+S"], ({ view }) => view.editFileName(), EDITS),
};

export const PAGE = {
  panel: command("Show or hide panels", ["P"], ({ view }) => view.togglePanel()),
  curves: command("Select curves", ["C"], ({ view }) => view.openPanel("curves")),
  help: command("Keyboard shortcuts", ["?"], ({ view }) => view.setHelpOpen(true)),
};

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export const GROUPS: readonly CommandGroup[] = [
  { title: "Playback", commands: Object.values(TIME) },
  { title: "Range", commands: Object.values(RANGE) },
  { title: "View", commands: Object.values(VIEW) },
  { title: "Edit", commands: Object.values(EDIT) },
  { title: "Page", commands: Object.values(PAGE) },
];

export function isAvailable(command: Command, app: App): boolean {
  return command.when?.(app) ?? true;
}
