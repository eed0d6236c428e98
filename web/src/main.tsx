/** Entry point: loads the recordings and mounts the parts of the page. */

import { effect } from "@preact/signals";
import { render } from "preact";
import "./style/base.css";
import { App } from "./app";
import { mountChart } from "./chart";
import { runClock } from "./clock";
import { Help } from "./commands/help";
import { followShortcuts } from "./commands/shortcuts";
import { element } from "./dom";
import { errorMessage } from "./error-message";
import { mountLive } from "./live";
import { mountPanels } from "./panels";
import { mountScene } from "./scene";
import { Bar } from "./shell/bar";
import { followDrops } from "./shell/drop";
import { buildLayout } from "./shell/layout";
import { Loading } from "./shell/loading";
import { showNotices } from "./shell/notices";
import { EmbeddedSource, isEmbedded } from "./source/embedded";
import { ServerSource } from "./source/server";
import { AppState } from "./state";
import { followTheme } from "./theme";
import { mountTimeline } from "./timeline";

async function start(): Promise<void> {
  const notify = showNotices(document.body);
  const provider = isEmbedded() ? new EmbeddedSource() : new ServerSource();
  const viewer = await provider.viewerState();
  const app = new App(new AppState(viewer), provider, notify);
  followTheme(app);
  document.querySelector(".page-message")?.remove();
  const layout = buildLayout(document.body, app.state);
  const scene = mountScene(layout.scene, app);
  const recorder = mountLive(layout.live, app);
  render(<Bar app={app} recorder={recorder} />, layout.bar);
  render(<Loading app={app} />, layout.loading);
  mountTimeline(layout.timeline, app);
  mountChart(layout.curves, app);
  mountPanels(layout.panels, app, scene);
  render(<Help app={app} />, layout.help);
  followShortcuts(app);
  followDrops(app);
  runClock(app);
  for (const { name, message } of viewer.failures) {
    notify(`${name}: ${message}`, "error");
  }
  // This and the attributes are for browser tests.
  Object.assign(window, { holotape: { app, scene, recorder } });
  const { dataset } = document.documentElement;
  await app.show(viewer.recordings);
  dataset.shown = "";
  effect(() => {
    if (app.state.loading.value.every(({ error }) => error !== null)) {
      dataset.ready = "";
    }
  });
}

start().catch((error: unknown) => {
  const retry = element("button", { type: "button" }, "Retry");
  retry.addEventListener("click", () => location.reload());
  const text = element("span", { role: "alert" }, `The recording cannot be shown: ${errorMessage(error)}`);
  document.body.replaceChildren(element("div", { class: "page-message" }, text, retry));
});
