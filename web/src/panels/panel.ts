/** What all panels share. */

import { effect } from "@preact/signals-core";
import type { App } from "../app";
import { wordsOf } from "../app";
import { element } from "../dom";
import type { PanelName, State, Take } from "../state";

/** Draws a panel, and again whenever a signal changes that it read; only while it is seen. */
export function whileShown(state: State, panel: PanelName, draw: () => void): void {
  effect(() => {
    if (state.panel.value === panel) {
      draw();
    }
  });
}

/** Puts other children into an element. Focus goes to the child with the `data-key` of the one that had it, so that keyboards stay where they were. */
export function refill(host: HTMLElement, ...children: readonly (Node | null)[]): void {
  const focused = document.activeElement;
  const key = host.contains(focused) && focused instanceof HTMLElement ? focused.dataset.key : undefined;
  host.replaceChildren(...children.filter((child) => child !== null));
  if (key !== undefined) {
    const same = host.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    (same ?? host.closest<HTMLElement>("[role=tabpanel]"))?.focus();
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

/** Does something once at a time, and tells what goes wrong. The button stays in the order of focus meanwhile, as a disabled one would not. */
export async function busily(app: App, button: HTMLElement, act: () => unknown): Promise<void> {
  if (button.ariaBusy === "true") {
    return;
  }
  button.ariaBusy = "true";
  try {
    await act();
  } catch (error) {
    app.notify(wordsOf(error), "error");
  } finally {
    button.ariaBusy = null;
  }
}

/** A button with words for something that takes its time. */
export function actionButton(
  app: App,
  words: string,
  act: () => unknown,
  properties: Record<string, string | boolean> = {},
) {
  const button = element("button", { type: "button", ...properties }, words);
  button.addEventListener("click", () => void busily(app, button, act));
  return button;
}

/** The take that changes are made to: the active one, or that which the active one is a preview of. */
export function editedTake(state: State): Take | null {
  const active = state.active.value;
  const original = state.takes.value.find((take) => take.info.id === active?.info.previewOf);
  return original ?? active;
}
