/** Panels beside the scene; on a phone a sheet below it. */

import { effect } from "@preact/signals-core";
import "./panels.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { ICONS } from "../icons";
import type { SceneView } from "../scene";
import { PANEL_TOGGLE_ID } from "../shell/bar";
import type { PanelName } from "../state";
import { canEdit } from "../timeline/actions";
import { mountCurvePicker } from "./curves";
import { mountEdit } from "./edit";
import { mountExports } from "./exports";
import { mountFindings } from "./findings";
import { mountMarkers } from "./markers";
import { mountRecordings } from "./recordings";
import { buildTabs, isBottomSheet, panelId, type Tab, tabId } from "./tabs";

interface Panel extends Tab {
  mount(host: HTMLElement): void;
}

export function mountPanels(host: HTMLElement, app: App, scene: SceneView): void {
  const { state } = app;
  const panels = panelsOf(app, scene);
  // On a phone the recording comes first.
  state.panel.value = isBottomSheet() ? null : state.panel.value;
  host.append(buildTabs(panels, state), ...panels.map((panel) => buildPanel(panel, app)));
  effect(() => {
    const { value } = state.panel;
    host.classList.toggle("collapsed", value === null);
    // Somebody may ask for a panel that there is none of.
    if (value !== null && !panels.some(({ name }) => name === value)) {
      state.panel.value = "takes";
    }
  });
}

function panelsOf(app: App, scene: SceneView): readonly Panel[] {
  const { state } = app;
  const findings = () => `${state.active.value?.info.findings.length || ""}`;
  const previews = () =>
    `${state.recordings.value.filter((recording) => recording.info.previewOf !== null).length || ""}`;
  const panel = (name: PanelName, label: string, icon: string, mount: Panel["mount"], badge = () => ""): Panel => ({
    name,
    label,
    icon,
    mount,
    badge,
  });
  const panels = [
    panel("takes", "Takes", ICONS.layers, (host) => mountRecordings(host, app)),
    panel("markers", "Markers", ICONS.flag, (host) => mountMarkers(host, app)),
    panel("findings", "Findings", ICONS.alert, (host) => mountFindings(host, app), findings),
    panel("curves", "Curves", ICONS.wave, (host) => mountCurvePicker(host, app)),
    panel("export", "Export", ICONS.download, (host) => mountExports(host, app, scene)),
  ];
  const edit = panel("edit", "Edit", ICONS.pencil, (host) => mountEdit(host, app), previews);
  return canEdit(app) ? [...panels, edit] : panels;
}

function buildPanel(panel: Panel, app: App): HTMLElement {
  const body = element("div", { class: `panel-body panel-${panel.name}` });
  const hide = iconButton(ICONS.chevronDown, "Hide the panel", () => {
    app.state.panel.value = null;
    // What hid it must not take the focus with it: the tabs only stay below a sheet.
    document.getElementById(isBottomSheet() ? tabId(panel.name) : PANEL_TOGGLE_ID)?.focus();
  });
  const attributes = { id: panelId(panel.name), role: "tabpanel", "aria-labelledby": tabId(panel.name), tabindex: -1 };
  const head = element("header", { class: "panel-head" }, element("h2", {}, panel.label), hide);
  const view = element("section", { class: "panel", ...attributes }, head, body);
  panel.mount(body);
  effect(() => {
    view.hidden = app.state.panel.value !== panel.name;
  });
  return view;
}
