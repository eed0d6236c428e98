/** Recording with a headset, and watching what others record. */

import type { App } from "../app";
import { HeadsetRecorder } from "./recorder";
import { recordingBar, watchingBar } from "./status-bars";
import { Watcher } from "./watch";

/** Nothing where there is no server that records. */
export function mountLive(host: HTMLElement, app: App): HeadsetRecorder | null {
  if (app.server === null || !app.state.viewer.live) {
    return null;
  }
  const recorder = new HeadsetRecorder(app);
  const watcher = new Watcher(app, recorder.own);
  host.append(recordingBar(recorder), watchingBar(watcher));
  return recorder;
}
