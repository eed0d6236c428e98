/** What all panels share. */

import { effect, type Signal, signal } from "@preact/signals-core";
import type { App } from "../app";
import { errorMessage } from "../app";
import { element } from "../dom";
import type { OpenRecording, PanelName, State } from "../state";

/** Draws a panel, and again whenever a signal changes that it read; only while it is seen. */
export function whileShown(state: State, panel: PanelName, draw: () => void): void {
  effect(() => {
    if (state.panel.value === panel) {
      draw();
    }
  });
}

/** Puts other children into an element. */
export function setChildren(host: HTMLElement, ...children: readonly (Node | null)[]): void {
  preserveFocus(host, () => host.replaceChildren(...children.filter((child) => child !== null)));
}

/** Focus stays with a child that stays, or goes to the one with its `data-key`, so that keyboards stay where they were. */
export function preserveFocus(host: HTMLElement, draw: () => void): void {
  const focused = document.activeElement;
  const isOurs = host.contains(focused) && focused instanceof HTMLElement;
  draw();
  if (isOurs) {
    const key = `[data-key="${CSS.escape(focused.dataset.key ?? "")}"]`;
    const heir = host.contains(focused) ? focused : host.querySelector<HTMLElement>(key);
    (heir ?? host.closest<HTMLElement>("[role=tabpanel]"))?.focus();
  }
}

/** So many rows are made at once; the others on demand. */
const ROWS = 300;

/** A list that stays light however long it is. */
export function rowsOf<T>(items: readonly T[], rowOf: (item: T) => HTMLElement): HTMLElement {
  const list = element("ul", { class: "rows" }, ...items.slice(0, ROWS).map(rowOf));
  if (items.length > ROWS) {
    const more = element("button", { type: "button" }, `Show ${items.length - ROWS} more`);
    const last = element("li", {}, more);
    more.addEventListener("click", () => last.replaceWith(...items.slice(ROWS).map(rowOf)));
    list.append(last);
  }
  return list;
}

export function heading(words: string): HTMLElement {
  return element("h3", {}, words);
}

export function paragraph(words: string, kind = "muted"): HTMLElement {
  return element("p", { class: kind }, words);
}

/** What is being done, by name. Buttons cannot know: a panel that is drawn again has others. */
const runningTasks: Signal<ReadonlySet<string>> = signal(new Set());

/** Does something once at a time, and tells what goes wrong. */
export async function runExclusive(app: App, task: string, act: () => unknown): Promise<void> {
  if (isRunning(task)) {
    return;
  }
  runningTasks.value = new Set([...runningTasks.value, task]);
  try {
    await act();
  } catch (error) {
    app.notify(errorMessage(error), "error");
  } finally {
    runningTasks.value = new Set([...runningTasks.value].filter((other) => other !== task));
  }
}

export function isRunning(task: string): boolean {
  return runningTasks.value.has(task);
}

interface Action {
  readonly words: string;
  /** By which it is told from others that take their time. */
  readonly task: string;
  readonly act: () => unknown;
}

/** A button for something that takes its time. It stays in the order of focus meanwhile, as a disabled one would not. */
export function actionButton(
  app: App,
  { words, task, act }: Action,
  properties: Record<string, string | boolean> = {},
): HTMLButtonElement {
  const busy = isRunning(task) ? "true" : null;
  const button = element("button", { type: "button", "aria-busy": busy, ...properties }, words);
  button.addEventListener("click", () => void runExclusive(app, task, act));
  return button;
}

/** The take that changes are made to: the active one, or that which the active one is a preview of. */
export function editedRecording(state: State): OpenRecording | null {
  const active = state.active.value;
  const original = state.recordings.value.find((recording) => recording.info.id === active?.info.previewOf);
  return original ?? active;
}
