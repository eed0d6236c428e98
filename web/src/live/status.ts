/** The status of a take, and its text for the bar and the headset panel. */

import { formatCount } from "../number-format";
import { clockTime } from "../timeline/format";
import type { LastMarker } from "./active-take";
import type { PanelText } from "./headset-ui/panel-canvas";
import type { Connection } from "./uplink-types";

export type Phase = "starting" | "recording" | "paused" | "saving" | "discarding";

export interface TakeStatus {
  readonly phase: Phase;
  /** The name that the take will be saved as; `null` until the server has sent it. */
  readonly name: string | null;
  readonly secs: number;
  readonly frames: number;
  readonly connection: Connection;
  /** How long the connection has been lost. */
  readonly lostSecs: number;
  readonly unacknowledged: number;
  readonly bufferedBytes: number;
  readonly lastMarker: LastMarker | null;
  /** The last warning of the server, such as that the journal cannot be written. */
  readonly warning: string | null;
}

/** While connected, a shorter backlog is normal and not shown. */
const MAX_QUIET_BACKLOG_SECS = 2;

/** After this time without a connection, advice is shown. */
const ADVICE_DELAY_SECS = 5;

/** The status before the first frame. */
export const STARTING: TakeStatus = {
  phase: "starting",
  name: null,
  secs: 0,
  frames: 0,
  connection: "connecting",
  lostSecs: 0,
  unacknowledged: 0,
  bufferedBytes: 0,
  lastMarker: null,
  warning: null,
};

/** "1:05". */
export function formatClock(secs: number): string {
  return clockTime(Math.floor(secs), 0);
}

export function connectionText({ connection, unacknowledged, frames, secs }: TakeStatus): string {
  const isBacklogged = unacknowledged > MAX_QUIET_BACKLOG_SECS * (frames / Math.max(secs, 1));
  const backlog = `${formatCount(unacknowledged, "frame")} buffered`;
  switch (connection) {
    case "connecting":
      return "connecting";
    case "connected":
      return isBacklogged ? `connected, ${backlog}` : "connected";
    case "lost":
      return `no connection, ${backlog}`;
  }
}

/** Advice for when the connection stays lost; empty if there is none. Over https, the server was started with `--lan`. */
export function reconnectAdvice({ connection, lostSecs }: TakeStatus, isHttps: boolean): string {
  if (!isHttps || connection !== "lost" || lostSecs < ADVICE_DELAY_SECS) {
    return "";
  }
  return (
    "If the server was restarted with --lan, open its address in another tab, accept the certificate and enter the new code. " +
    "This page then reconnects automatically."
  );
}

export function panelTextFor(status: TakeStatus): PanelText {
  const { secs, frames, connection, lastMarker, warning } = status;
  return {
    time: formatClock(secs),
    frames: formatCount(frames, "frame"),
    connection,
    state: connectionText(status),
    marker: lastMarker === null ? "no markers" : `${lastMarker.name} at ${formatClock(lastMarker.secs)}`,
    warning: warning ?? "",
  };
}
