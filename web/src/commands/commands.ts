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

type Commands = Readonly<Record<string, Command>>;

const hasRecording = ({ state }: App) => state.active.value !== null;
const canEditActive = (app: App) => hasRecording(app) && app.canEdit;

export const TIME = {
  play: { keys: ["Space"], label: "Play or pause", run: (app) => app.playback.togglePlay(), when: hasRecording },
  stepBack: {
    keys: ["ArrowLeft"],
    label: "Previous frame",
    run: (app) => app.playback.step(-1),
    when: hasRecording,
    repeats: true,
  },
  stepForward: {
    keys: ["ArrowRight"],
    label: "Next frame",
    run: (app) => app.playback.step(1),
    when: hasRecording,
    repeats: true,
  },
  secondBack: {
    keys: ["Shift+ArrowLeft"],
    label: "Back 1 second",
    run: (app) => app.playback.seekBy(-1),
    repeats: true,
  },
  secondForward: {
    keys: ["Shift+ArrowRight"],
    label: "Forward 1 second",
    run: (app) => app.playback.seekBy(1),
    repeats: true,
  },
  toStart: { keys: ["Home"], label: "Go to start", run: ({ playback }) => playback.seek(playback.playedSpan()[0]) },
  toEnd: { keys: ["End"], label: "Go to end", run: ({ playback }) => playback.seek(playback.playedSpan()[1]) },
  previousMarker: {
    keys: [","],
    label: "Previous marker",
    run: (app) => app.playback.seekMarker(-1),
    repeats: true,
  },
  nextMarker: { keys: ["."], label: "Next marker", run: (app) => app.playback.seekMarker(1), repeats: true },
  slower: { keys: ["-"], label: "Slower", run: (app) => app.playback.changeSpeed(-1) },
  faster: { keys: ["+", "="], label: "Faster", run: (app) => app.playback.changeSpeed(1) },
  loop: { keys: ["L"], label: "Loop", run: (app) => app.playback.toggleLoop() },
} satisfies Commands;

export const RANGE = {
  start: { keys: ["["], label: "Set range start", run: (app) => app.playback.startRange(), when: hasRecording },
  end: { keys: ["]"], label: "Set range end", run: (app) => app.playback.endRange(), when: hasRecording },
  clear: { keys: ["\\"], label: "Clear range", run: (app) => app.playback.setRange(null) },
  zoom: { keys: ["Z"], label: "Zoom to range or everything", run: (app) => app.playback.zoomToRangeOrAll() },
} satisfies Commands;

export const VIEW = {
  orbit: { keys: ["1"], label: "Orbit camera", run: (app) => app.view.setCamera("orbit") },
  follow: { keys: ["2"], label: "Follow the head", run: (app) => app.view.setCamera("follow") },
  head: { keys: ["3"], label: "View from the head", run: (app) => app.view.setCamera("head") },
  arrangement: {
    keys: ["O"],
    label: "Side by side or overlay",
    run: (app) => app.view.toggleArrangement(),
    when: ({ state }) => state.recordings.value.length > 1,
  },
  difference: {
    keys: ["D"],
    label: "Show difference",
    run: (app) => app.view.toggleDifference(),
    when: ({ state }) => state.comparedPair.value !== null,
  },
  frame: { keys: ["F"], label: "Frame all motion", run: (app) => app.view.frameAll() },
  trails: { keys: ["T"], label: "Show fingertip trails", run: (app) => app.view.toggleTrails() },
} satisfies Commands;

export const EDIT = {
  addMarker: {
    keys: ["M"],
    label: "Add marker",
    run: (app) => void app.addMarker(app.state.time.value),
    when: canEditActive,
  },
  undo: { keys: ["Mod+Z"], label: "Undo", run: (app) => app.stepHistory("undo"), when: canEditActive },
  redo: { keys: ["Mod+Shift+Z", "Mod+Y"], label: "Redo", run: (app) => app.stepHistory("redo"), when: canEditActive },
  save: { keys: ["Mod+S"], label: "Save as", run: (app) => app.view.editFileName(), when: canEditActive },
} satisfies Commands;

export const PAGE = {
  panel: { keys: ["P"], label: "Show or hide panels", run: (app) => app.view.togglePanel() },
  curves: { keys: ["C"], label: "Select curves", run: (app) => app.view.openPanel("curves") },
  help: { keys: ["?"], label: "Keyboard shortcuts", run: (app) => app.view.setHelpOpen(true) },
} satisfies Commands;

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
