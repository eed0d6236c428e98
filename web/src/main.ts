/** The page's table of contents: takes in, parts mounted. */

import "./style/base.css";
import { App, errorMessage } from "./app";
import { mountCurves } from "./chart";
import { runClock } from "./clock";
import { mountLive } from "./live";
import { mountPanels } from "./panels";
import { mountScene } from "./scene";
import { mountBar } from "./shell/bar";
import { followDrops } from "./shell/drop";
import { buildLayout } from "./shell/layout";
import { showNotices } from "./shell/notices";
import { followShortcuts } from "./shell/shortcuts";
import { createProvider } from "./source";
import { State } from "./state";
import { followTheme } from "./theme";
import { mountTimeline } from "./timeline";

async function start(): Promise<void> {
  const notify = showNotices(document.body);
  const source = createProvider();
  const state = new State(await source.viewerState());
  const app = new App(state, source, notify);
  followTheme(state);
  const layout = buildLayout(document.body, state);
  const scene = mountScene(layout.scene, app);
  const recorder = mountLive(layout.live, app);
  mountBar(layout.bar, app, recorder);
  mountTimeline(layout.timeline, app);
  mountCurves(layout.curves, app);
  mountPanels(layout.panels, app, scene);
  followShortcuts(app);
  followDrops(app);
  runClock(app);
  for (const { name, error } of state.viewer.failures) {
    notify(`${name}: ${error}`, "error");
  }
  await app.show(state.viewer.takes);
  // What tests ask for: the takes as they are drawn, and as they are recorded.
  Object.assign(window, { holotape: { app, scene, recorder } });
  document.documentElement.dataset.ready = "";
}

start().catch((error: unknown) => {
  document.body.textContent = `The recording cannot be shown: ${errorMessage(error)}`;
});
