/** The tabs of the panels: one or none is open. Arrow keys move between them. */

import type { App } from "../app";
import { Icon } from "../components";
import type { PanelName } from "../state";

export interface Tab {
  readonly name: PanelName;
  readonly label: string;
  readonly icon: string;
  /** A number on the tab; 0 for none. */
  readonly badge: number;
}

export const tabId = (name: PanelName) => `tab-${name}`;
export const panelId = (name: PanelName) => `panel-${name}`;
/** The id of the button that opens the panels again. */
export const PANEL_TOGGLE_ID = "panel-toggle";

/** Whether panels are a sheet below the scene. The tabs then stay visible. `layout.css` has the same sizes. */
export function isBottomSheet(): boolean {
  return window.matchMedia("(max-width: 720px), (max-height: 480px)").matches;
}

export function Tabs({ tabs, app }: { readonly tabs: readonly Tab[]; readonly app: App }) {
  const selected = app.state.panel.value;
  // Tab stops at one of the tabs only; arrow keys reach the others.
  const stop = selected ?? tabs[0]?.name;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(tabs, event);
    if (next !== null) {
      event.preventDefault();
      app.view.openPanel(next);
      document.getElementById(tabId(next))?.focus();
    }
  };
  // On a phone, the open tab also closes the sheet.
  const toggle = (name: PanelName) =>
    isBottomSheet() && selected === name ? app.view.closePanel() : app.view.openPanel(name);
  return (
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={onKeyDown}>
      {tabs.map(({ name, label, icon, badge }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(name)}
          aria-controls={panelId(name)}
          aria-selected={name === selected}
          tabIndex={name === stop ? 0 : -1}
          onClick={() => toggle(name)}
        >
          <Icon path={icon} />
          <span>{label}</span>
          <span class="badge">{badge || ""}</span>
        </button>
      ))}
    </div>
  );
}

function neighbour(tabs: readonly Tab[], event: KeyboardEvent): PanelName | null {
  const current = tabs.findIndex((tab) => event.target instanceof Element && event.target.id === tabId(tab.name));
  const last = tabs.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: current === 0 ? last : current - 1,
    ArrowRight: current === last ? 0 : current + 1,
    Home: 0,
    End: last,
  };
  return tabs[targets[event.key] ?? -1]?.name ?? null;
}
