/** The help sheet: every key and gesture. */

import "./help.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { ICONS } from "../icons";
import { canEdit } from "../timeline/actions";
import type { Command, CommandGroup } from "./commands";
import { keyCaps } from "./keys";

interface Gesture {
  readonly how: string;
  readonly words: string;
  readonly when?: (app: App) => boolean;
}

const IN_THE_SCENE: readonly Gesture[] = [
  { how: "Drag", words: "Turn" },
  { how: "Right drag, or two fingers", words: "Move" },
  { how: "Wheel, or two fingers", words: "Zoom" },
  { how: "Double click", words: "Look at all of the motion" },
  { how: "Tab to it, then arrows", words: "Turn" },
  { how: "Shift + arrows", words: "Move" },
  { how: "+ and −", words: "Zoom" },
];

const ON_THE_TIMELINE: readonly Gesture[] = [
  { how: "Drag", words: "Move through time" },
  { how: "Shift + drag", words: "Select a range" },
  { how: "Wheel, or two fingers", words: "Zoom" },
  { how: "Shift + wheel", words: "Move what is shown" },
  { how: "Drag a handle", words: "Change the range" },
  { how: "Drag a strip", words: "Align recordings in time", when: (app) => app.state.recordings.value.length > 1 },
  { how: "Drag a flag", words: "Move a marker", when: canEdit },
  { how: "Double click above the bands", words: "Add a marker", when: canEdit },
];

let sheet: HTMLDialogElement | null = null;
let refill = () => {};

/** Opens the sheet with what can be done now. */
export function showHelp(): void {
  refill();
  sheet?.showModal();
}

export function mountHelp(app: App, groups: () => readonly CommandGroup[]): void {
  const close = iconButton(ICONS.close, "Close", () => dialog.close());
  const title = element("h2", { id: "help-title" }, "Keys and gestures");
  const body = element("div", { class: "help-body" });
  const foot = element("footer", { class: "help-foot" }, `holotape ${app.state.viewer.version}`);
  const head = element("header", { class: "help-head" }, title, close);
  const dialog = element("dialog", { class: "help", "aria-labelledby": "help-title" }, head, body, foot);
  // A click beside the sheet lands on the dialog itself.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  document.body.append(dialog);
  sheet = dialog;
  refill = () => {
    const keys = groups().map(({ title, commands }) => section(title, commands.map(commandRow)));
    const scene = gestures("In the scene", IN_THE_SCENE, app);
    body.replaceChildren(...keys, scene, gestures("On the timeline", ON_THE_TIMELINE, app));
  };
}

function gestures(title: string, all: readonly Gesture[], app: App): HTMLElement {
  const shownWhen = all.filter((gesture) => gesture.when?.(app) ?? true);
  return section(
    title,
    shownWhen.map(({ how, words }) => row(words, how)),
  );
}

function section(title: string, rows: readonly HTMLElement[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), element("dl", {}, ...rows));
}

function commandRow({ keys, words }: Command): HTMLElement {
  const choices = keys.flatMap((key, n) => (n === 0 ? [capsElement(key)] : [" or ", capsElement(key)]));
  return row(words, ...choices);
}

function row(words: string, ...how: readonly (Node | string)[]): HTMLElement {
  return element("div", {}, element("dt", {}, ...how), element("dd", {}, words));
}

function capsElement(key: string): HTMLElement {
  return element("span", { class: "help-keys" }, ...keyCaps(key).map((cap) => element("kbd", {}, cap)));
}
