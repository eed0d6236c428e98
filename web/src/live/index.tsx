/** Recording with a headset, and watching the takes of other clients. */

import { render } from "preact";
import type { App } from "../app";
import { HeadsetRecorder } from "./recorder";
import { RecordingBar, WatchingBar } from "./status-bars";
import { Watcher } from "./watch";

/** Returns `null` if the server cannot record. */
export function mountLive(host: HTMLElement, app: App): HeadsetRecorder | null {
  if (app.server === null || !app.state.viewer.can_record) {
    return null;
  }
  const recorder = new HeadsetRecorder(app);
  const watcher = new Watcher(app, recorder.ownTakes);
  render(
    <>
      <RecordingBar recorder={recorder} />
      <WatchingBar watcher={watcher} />
    </>,
    host,
  );
  return recorder;
}
