/** How a recording goes, and how that is said. */

import { formatCount } from "../number-format";
import type { LastMarker } from "./active-take";
import type { PanelText } from "./headset-ui/panel-canvas";
import type { Connection } from "./uplink-types";

export type Phase = "starting" | "recording" | "paused" | "saving" | "discarding";

export interface TakeStatus {
  readonly phase: Phase;
  /** What it will be saved as; nothing before the server has said so. */
  readonly name: string | null;
  readonly secs: number;
  readonly frames: number;
  readonly connection: Connection;
  /** For how long there has been none. */
  readonly lostSecs: number;
  /** Records that the server has not acknowledged. */
  readonly unacknowledged: number;
  readonly bufferedBytes: number;
  readonly lastMarker: LastMarker | null;
}

/** What is on its way to a server that is there is nothing to speak of. */
const MAX_QUIET_BACKLOG_SECS = 2;

/** After so long, a network that comes back by itself is not the only thing to think of. */
const ADVICE_DELAY_SECS = 5;

/** Before anything has come. */
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
};

/** "1:05". */
export function formatClock(secs: number): string {
  const whole = Math.floor(secs);
  return `${Math.floor(whole / 60)}:${`${whole % 60}`.padStart(2, "0")}`;
}

/** How the connection is, and what depends on it. */
export function connectionText({ connection, unacknowledged, frames, secs }: TakeStatus): string {
  const isBacklogged = unacknowledged > MAX_QUIET_BACKLOG_SECS * (frames / Math.max(secs, 1));
  const backlog = `${formatCount(unacknowledged, "frame")} kept here`;
  switch (connection) {
    case "connecting":
      return "connecting";
    case "connected":
      return isBacklogged ? `connected, ${backlog}` : "connected";
    case "lost":
      return `no connection, ${backlog}`;
  }
}

/** What may help if the connection stays away; nothing while there is no need. Over https, holotape runs with `--lan`. */
export function reconnectAdvice({ connection, lostSecs }: TakeStatus, isHttps: boolean): string {
  if (!isHttps || connection !== "lost" || lostSecs < ADVICE_DELAY_SECS) {
    return "";
  }
  return (
    "If holotape was started anew with --lan, open its address in another tab, go on past the warning and type the new code: " +
    "this page then goes on by itself."
  );
}

/** For the panel in the headset. */
export function panelTextFor(status: TakeStatus): PanelText {
  const { secs, frames, connection, lastMarker } = status;
  return {
    time: formatClock(secs),
    frames: formatCount(frames, "frame"),
    connection,
    state: connectionText(status),
    marker: lastMarker === null ? "no marker yet" : `${lastMarker.name} at ${formatClock(lastMarker.secs)}`,
  };
}
