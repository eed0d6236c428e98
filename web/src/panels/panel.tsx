/** Parts that several panels use. */

import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { App } from "../app";
import type { ButtonAttributes } from "../components";

/** Long lists render this many rows, and the others on demand. */
const MAX_ROWS = 300;

interface RowsProperties<T> {
  readonly items: readonly T[];
  readonly children: (item: T) => VNode;
}

export function Rows<T>({ items, children: row }: RowsProperties<T>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? items : items.slice(0, MAX_ROWS);
  return (
    <ul class="rows">
      {shown.map(row)}
      {shown.length < items.length && (
        <li>
          <button type="button" onClick={() => setShowsAll(true)}>
            Show {items.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

export function Muted({ children }: { readonly children: ComponentChildren }) {
  return <p class="muted">{children}</p>;
}

interface TaskButtonProperties extends ButtonAttributes {
  readonly app: App;
  /** Identifies the task: one that is running cannot be started again. */
  readonly task: string;
  readonly run?: () => unknown;
}

/** A button for a task that can take long. While the task runs, the button is busy but keeps the focus, unlike a disabled one. */
export function TaskButton({ app, task, run, ...attributes }: TaskButtonProperties) {
  const isRunning = app.state.runningTasks.value.has(task);
  const onClick = run && (() => void app.runExclusive(task, run));
  return <button type="button" aria-busy={isRunning || undefined} onClick={onClick} {...attributes} />;
}

/**
 * Keeps the keyboard focus when a render moves or removes the focused element: it goes to the element with the same `data-key`, or to
 * the open panel.
 */
export function keepFocus(host: HTMLElement): void {
  let focused: HTMLElement | null = null;
  host.addEventListener("focusin", ({ target }) => {
    focused = target instanceof HTMLElement ? target : null;
  });
  host.addEventListener("focusout", () => {
    // Observers run before timers: they still see the element that has just been removed.
    setTimeout(() => {
      focused = host.contains(document.activeElement) ? focused : null;
    });
  });
  new MutationObserver(() => {
    if (focused === null || document.activeElement !== document.body) {
      return;
    }
    const { key } = focused.dataset;
    const successor = key === undefined ? null : host.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const panel = host.querySelector<HTMLElement>("[role=tabpanel]:not([hidden])");
    (focused.isConnected ? focused : (successor ?? panel))?.focus();
  }).observe(host, { childList: true, subtree: true });
}
