/** The bar on top: what is shown, and how it is looked at. */

import { effect } from "@preact/signals-core";
import "./bar.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { chooseFiles } from "../files";
import { ICONS } from "../icons";
import type { HeadsetRecorder } from "../live/recorder";
import type { Theme } from "../state";
import { isAvailable, PAGE, VIEW } from "./commands";
import { buttonGroup, commandButton, commandToggle, setIcon, withLabel } from "./controls";
import { recordButton } from "./record";

/** Of the button that brings hidden panels back. */
export const PANEL_TOGGLE_ID = "panel-toggle";

export function mountBar(host: HTMLElement, app: App, recorder: HeadsetRecorder | null): void {
  host.append(
    element("h1", { class: "bar-name" }, "holotape"),
    recordingName(app),
    element("div", { class: "bar-view" }, cameras(app), arrangements(app), difference(app), trails(app)),
    element(
      "div",
      { class: "bar-page" },
      recorder && recordButton(recorder),
      openButton(app),
      panelToggle(app),
      themeButton(app),
      helpButton(app),
    ),
  );
}

function recordingName({ state }: App): HTMLElement {
  const name = element("span", { class: "bar-take" });
  effect(() => {
    const info = state.active.value?.info;
    name.textContent = info === undefined ? "" : `${info.name}${info.modified ? " •" : ""}`;
    name.title = info === undefined ? "" : `${info.name}, ${info.format}${info.modified ? ", not saved" : ""}`;
    document.title = info === undefined ? "holotape" : `${info.name} · holotape`;
  });
  return name;
}

function cameras(app: App): HTMLElement {
  const { camera } = app.state;
  const orbit = commandToggle(app, ICONS.orbit, VIEW.orbit, () => camera.value === "orbit");
  const follow = commandToggle(app, ICONS.follow, VIEW.follow, () => camera.value === "follow");
  const head = commandToggle(app, ICONS.headset, VIEW.head, () => camera.value === "head");
  return buttonGroup("Camera", withLabel(orbit, "Orbit"), withLabel(follow, "Follow"), withLabel(head, "Head"));
}

function arrangements(app: App): HTMLElement {
  const { arrangement } = app.state;
  const choice = (icon: string, label: string, value: "overlay" | "side") => {
    const button = iconButton(icon, label, () => {
      arrangement.value = value;
    });
    effect(() => button.setAttribute("aria-pressed", `${arrangement.value === value}`));
    return button;
  };
  const overlay = choice(ICONS.overlay, "Over each other", "overlay");
  const side = choice(ICONS.sideBySide, "Side by side", "side");
  return shownWhen(buttonGroup("Arrangement", withLabel(overlay, "Overlay"), withLabel(side, "Side")), () =>
    isAvailable(VIEW.arrangement, app),
  );
}

function difference(app: App): HTMLElement {
  const toggle = commandToggle(app, ICONS.difference, VIEW.difference, () => app.state.difference.value);
  return shownWhen(withLabel(toggle, "Difference"), () => isAvailable(VIEW.difference, app));
}

function trails(app: App): HTMLElement {
  return withLabel(
    commandToggle(app, ICONS.trails, VIEW.trails, () => app.state.trails.value),
    "Trails",
  );
}

/** Is there only where it does something. */
function shownWhen<E extends HTMLElement>(control: E, when: () => boolean): E {
  effect(() => {
    control.hidden = !when();
  });
  return control;
}

function openButton(app: App): HTMLElement | null {
  return app.server === null ? null : iconButton(ICONS.open, "Open recordings", () => chooseFiles(app));
}

function panelToggle(app: App): HTMLElement {
  const toggle = commandToggle(app, ICONS.sidebar, PAGE.panel, () => app.state.panel.value !== null);
  toggle.id = PANEL_TOGGLE_ID;
  return toggle;
}

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const THEME_ICONS: Readonly<Record<Theme, string>> = { auto: ICONS.halfSun, light: ICONS.sun, dark: ICONS.moon };

function themeButton({ state: { theme } }: App): HTMLElement {
  const button = iconButton(ICONS.halfSun, "Theme", () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  });
  effect(() => {
    const label = `Theme: ${theme.value === "auto" ? "as the system" : theme.value}`;
    setIcon(button, THEME_ICONS[theme.value]);
    button.setAttribute("aria-label", label);
    button.title = label;
  });
  return button;
}

function helpButton(app: App): HTMLElement {
  return commandButton(app, ICONS.help, PAGE.help);
}
