/** Tabs, of which one or none is open. Arrow keys go from one to the next, as in any tab list. */

import { effect } from "@preact/signals-core";
import { element, iconElement } from "../dom";
import type { PanelName, State } from "../state";

export interface Tab {
  readonly name: PanelName;
  readonly label: string;
  readonly icon: string;
  /** A number or a word on the tab, empty for none. */
  badge(): string;
}

/** Ids by which tabs and what they show refer to each other. */
export const tabId = (name: PanelName) => `tab-${name}`;
export const panelId = (name: PanelName) => `panel-${name}`;

/** Whether panels are a sheet below the scene, of which the tabs stay when it is closed; `layout.css` has the same sizes. */
export function isBottomSheet(): boolean {
  return window.matchMedia("(max-width: 720px), (max-height: 480px)").matches;
}

export function buildTabs(tabs: readonly Tab[], state: State): HTMLElement {
  const buttons = new Map(tabs.map((tab) => [tab.name, tabButton(tab, state)]));
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...buttons.values());
  list.addEventListener("keydown", (event) => {
    const next = neighbour(tabs, event);
    if (next !== null) {
      event.preventDefault();
      state.panel.value = next;
      buttons.get(next)?.focus();
    }
  });
  effect(() => markSelected(buttons, state.panel.value));
  return list;
}

function tabButton(tab: Tab, state: State): HTMLButtonElement {
  const badge = element("span", { class: "badge" });
  const button = element(
    "button",
    { type: "button", role: "tab", id: tabId(tab.name), "aria-controls": panelId(tab.name) },
    iconElement(tab.icon),
    element("span", {}, tab.label),
    badge,
  );
  button.addEventListener("click", () => {
    // On a phone the open tab is also the handle of the sheet: pressed again it closes.
    state.panel.value = isBottomSheet() && state.panel.value === tab.name ? null : tab.name;
  });
  effect(() => {
    badge.textContent = tab.badge();
  });
  return button;
}

/** Only one tab is a stop of the tabulator key; the arrows do the rest. */
function markSelected(buttons: ReadonlyMap<PanelName, HTMLElement>, selected: PanelName | null): void {
  const stop = selected ?? buttons.keys().next().value;
  for (const [name, button] of buttons) {
    button.setAttribute("aria-selected", `${name === selected}`);
    button.tabIndex = name === stop ? 0 : -1;
  }
}

function neighbour(tabs: readonly Tab[], event: KeyboardEvent): PanelName | null {
  const here = tabs.findIndex((tab) => event.target instanceof Element && event.target.id === tabId(tab.name));
  const last = tabs.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: here === 0 ? last : here - 1,
    ArrowRight: here === last ? 0 : here + 1,
    Home: 0,
    End: last,
  };
  return tabs[targets[event.key] ?? -1]?.name ?? null;
}
