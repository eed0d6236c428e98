/** The panels next to the scene; on a phone, a sheet below it. */

import { effect } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import "./panels.css";
import type { App } from "../app";
import { IconButton } from "../components";
import { ICONS } from "../icons";
import type { SceneView } from "../scene";
import { CurvesPanel } from "./curves";
import { EditPanel } from "./edit";
import { ExportPanel } from "./exports";
import { FindingsPanel } from "./findings";
import { MarkersPanel } from "./markers";
import { keepFocus } from "./panel";
import { RecordingsPanel } from "./recordings";
import { isBottomSheet, PANEL_TOGGLE_ID, panelId, type Tab, Tabs, tabId } from "./tabs";

interface Panel extends Tab {
  readonly body: ComponentChildren;
}

export function mountPanels(host: HTMLElement, app: App, scene: SceneView): void {
  if (isBottomSheet()) {
    app.view.closePanel();
  }
  render(<Panels app={app} scene={scene} />, host);
  keepFocus(host);
  effect(() => {
    host.classList.toggle("collapsed", app.state.panel.value === null);
  });
}

function Panels({ app, scene }: { readonly app: App; readonly scene: SceneView }) {
  const panels = panelsOf(app, scene);
  return (
    <>
      <Tabs tabs={panels} app={app} />
      {panels.map((panel) => (
        <PanelSection key={panel.name} panel={panel} app={app} />
      ))}
    </>
  );
}

function panelsOf(app: App, scene: SceneView): readonly Panel[] {
  const { state } = app;
  const findings = state.active.value?.info.findings.length ?? 0;
  const previews = state.recordings.value.filter(({ info }) => info.preview_of !== null).length;
  const panels: readonly Panel[] = [
    { name: "recordings", label: "Recordings", icon: ICONS.layers, badge: 0, body: <RecordingsPanel app={app} /> },
    { name: "markers", label: "Markers", icon: ICONS.flag, badge: 0, body: <MarkersPanel app={app} /> },
    { name: "findings", label: "Findings", icon: ICONS.alert, badge: findings, body: <FindingsPanel app={app} /> },
    { name: "curves", label: "Curves", icon: ICONS.wave, badge: 0, body: <CurvesPanel app={app} /> },
    { name: "export", label: "Export", icon: ICONS.download, badge: 0, body: <ExportPanel app={app} scene={scene} /> },
    { name: "edit", label: "Edit", icon: ICONS.pencil, badge: previews, body: <EditPanel app={app} /> },
  ];
  return app.canEdit ? panels : panels.filter(({ name }) => name !== "edit");
}

/** Stays rendered while hidden, so that typed text is kept. */
function PanelSection({ panel, app }: { readonly panel: Panel; readonly app: App }) {
  const { name, label, body } = panel;
  const hide = () => {
    app.view.closePanel();
    document.getElementById(isBottomSheet() ? tabId(name) : PANEL_TOGGLE_ID)?.focus();
  };
  return (
    <section
      class="panel"
      id={panelId(name)}
      role="tabpanel"
      aria-labelledby={tabId(name)}
      tabIndex={-1}
      hidden={app.state.panel.value !== name}
    >
      <header class="panel-head">
        <h2>{label}</h2>
        <IconButton icon={ICONS.chevronDown} label="Hide panel" onClick={hide} />
      </header>
      <div class={`panel-body panel-${name}`}>{body}</div>
    </section>
  );
}
