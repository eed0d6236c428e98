/** Everything that has a key: the keys themselves, the buttons and the help sheet are made from these. */

import { effect } from "@preact/signals-core";
import type { App } from "../app";
import { nameFile } from "../panels/save-form";
import type { CameraMode, State } from "../state";
import {
  addMarkerAt,
  canEdit,
  changeSpeed,
  endRangeHere,
  seekMarker,
  startRangeHere,
  zoomToRangeOrAll,
} from "../timeline/actions";
import { showHelp } from "./help";

export interface Command {
  /** As `keyOf` names them; any of them does it. */
  readonly keys: readonly string[];
  readonly words: string;
  readonly act: (app: App) => void;
  /** Whether it does anything now; always if it does not say. */
  readonly when?: (state: State, app: App) => boolean;
  /** Whether to do it again and again while the key is held. */
  readonly repeats?: true;
}

type Commands = Readonly<Record<string, Command>>;

const hasRecording = (state: State) => state.active.value !== null;
const hasSeveral = (state: State) => state.recordings.value.length > 1;
const isEditing = (state: State, app: App) => hasRecording(state) && canEdit(app);

export const TIME = {
  play: { keys: ["Space"], words: "Play or pause", act: (app) => app.togglePlay(), when: hasRecording },
  stepBack: {
    keys: ["ArrowLeft"],
    words: "One frame back",
    act: (app) => app.step(-1),
    when: hasRecording,
    repeats: true,
  },
  stepForward: {
    keys: ["ArrowRight"],
    words: "One frame on",
    act: (app) => app.step(1),
    when: hasRecording,
    repeats: true,
  },
  secondBack: { keys: ["Shift+ArrowLeft"], words: "One second back", act: (app) => seekBy(app, -1), repeats: true },
  secondForward: { keys: ["Shift+ArrowRight"], words: "One second on", act: (app) => seekBy(app, 1), repeats: true },
  toStart: { keys: ["Home"], words: "To the start", act: (app) => app.seek(app.playedSpan()[0]) },
  toEnd: { keys: ["End"], words: "To the end", act: (app) => app.seek(app.playedSpan()[1]) },
  previousMarker: { keys: [","], words: "To the marker before", act: (app) => seekMarker(app, -1), repeats: true },
  nextMarker: { keys: ["."], words: "To the next marker", act: (app) => seekMarker(app, 1), repeats: true },
  slower: { keys: ["-"], words: "Slower", act: (app) => changeSpeed(app, -1) },
  faster: { keys: ["+", "="], words: "Faster", act: (app) => changeSpeed(app, 1) },
  loop: { keys: ["L"], words: "Loop", act: ({ state }) => toggleSignal(state.looping) },
} satisfies Commands;

export const RANGE = {
  start: { keys: ["["], words: "Start the range here", act: startRangeHere, when: hasRecording },
  end: { keys: ["]"], words: "End the range here", act: endRangeHere, when: hasRecording },
  clear: { keys: ["\\"], words: "Clear the range", act: (app) => app.setRange(null) },
  zoom: { keys: ["Z"], words: "Zoom to the range, or to everything", act: zoomToRangeOrAll },
} satisfies Commands;

export const VIEW = {
  orbit: { keys: ["1"], words: "Orbit: look from anywhere", act: lookFrom("orbit") },
  follow: { keys: ["2"], words: "Follow the head", act: lookFrom("follow") },
  head: { keys: ["3"], words: "Look through the head", act: lookFrom("head") },
  arrangement: { keys: ["O"], words: "Recordings side by side, or over each other", act: rearrange, when: hasSeveral },
  difference: {
    keys: ["D"],
    words: "Show the difference",
    act: ({ state }) => toggleSignal(state.difference),
    when: (state) => state.comparedPair.value !== null,
  },
  frame: { keys: ["F"], words: "Look at all of the motion", act: frame },
  trails: { keys: ["T"], words: "Trails of the fingertips", act: ({ state }) => toggleSignal(state.trails) },
} satisfies Commands;

export const EDIT = {
  addMarker: { keys: ["M"], words: "Add a marker here", act: addMarkerHere, when: isEditing },
  undo: { keys: ["Mod+Z"], words: "Undo", act: (app) => undoOrRedo(app, "undo"), when: isEditing },
  redo: { keys: ["Mod+Shift+Z", "Mod+Y"], words: "Redo", act: (app) => undoOrRedo(app, "redo"), when: isEditing },
  save: { keys: ["Mod+S"], words: "Save as", act: nameFile, when: isEditing },
} satisfies Commands;

export const PAGE = {
  panel: { keys: ["P"], words: "Show or hide the panel", act: togglePanel },
  curves: { keys: ["C"], words: "Pick curves", act: ({ state }) => openPanel(state, "curves") },
  help: { keys: ["?"], words: "What the keys do", act: showHelp },
} satisfies Commands;

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export const GROUPS: readonly CommandGroup[] = [
  { title: "Time", commands: Object.values(TIME) },
  { title: "Range", commands: Object.values(RANGE) },
  { title: "View", commands: Object.values(VIEW) },
  { title: "Edit", commands: Object.values(EDIT) },
  { title: "Page", commands: Object.values(PAGE) },
];

export function isAvailable(command: Command, app: App): boolean {
  return command.when?.(app.state, app) ?? true;
}

/** What does something now, without groups of which nothing does. */
export function availableGroups(app: App): readonly CommandGroup[] {
  const shownWhen = GROUPS.map(({ title, commands }) => ({
    title,
    commands: commands.filter((command) => isAvailable(command, app)),
  }));
  return shownWhen.filter(({ commands }) => commands.length > 0);
}

function frame({ state: { frameRequests: framings } }: App): void {
  framings.value += 1;
}

function toggleSignal(flag: State["looping"]): void {
  flag.value = !flag.value;
}

function seekBy(app: App, secs: number): void {
  app.seek(app.state.time.value + secs);
}

function lookFrom(mode: CameraMode): Command["act"] {
  return ({ state }) => {
    state.camera.value = mode;
  };
}

function rearrange({ state: { arrangement } }: App): void {
  arrangement.value = arrangement.value === "overlay" ? "side" : "overlay";
}

function addMarkerHere(app: App): void {
  void addMarkerAt(app, app.state.time.value);
}

function undoOrRedo(app: App, op: "undo" | "redo"): void {
  const recording = app.state.active.value;
  if (recording !== null && (op === "undo" ? recording.info.canUndo : recording.info.canRedo)) {
    void app.edit(recording, { op });
  }
}

let lastPanel: State["panel"]["value"] = "takes";

function openPanel(state: State, panel: State["panel"]["value"]): void {
  state.panel.value = panel;
}

/** The panel that was open last is the one that opens again, whoever closed it. */
export function rememberPanel({ state: { panel } }: App): void {
  effect(() => {
    lastPanel = panel.value ?? lastPanel;
  });
}

function togglePanel({ state: { panel } }: App): void {
  panel.value = panel.value === null ? lastPanel : null;
}
