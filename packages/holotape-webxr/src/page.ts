/** The script that is injected into a page: installs the recording, and executes the commands of the test. */

import { decodeBase64 } from "../../../web/src/recording/base64";
import { install } from "./browser";
import { type Method, REMOTE_SYMBOL, type Report } from "./report";
import type { InstallOptions, RecordingEvent } from "./types";

type ReportCallback = (report: string) => void;
type Remote = (method: Method, argument: never) => Promise<Report>;

export function start(base64: string, options: InstallOptions, reportName: string): void {
  const replay = install(decodeBase64(base64), options);
  const outbox: RecordingEvent[] = [];
  const document = performance.timeOrigin;
  let count = 0;
  let pendingReplies = 0;
  const report = (): Report => ({ document, number: count++, time: replay.time, events: outbox.splice(0) });
  replay.onframe = (events) => {
    outbox.push(...events);
    // Events of a step are part of its reply.
    if (pendingReplies === 0) {
      (globalThis as unknown as Record<string, ReportCallback | undefined>)[reportName]?.(JSON.stringify(report()));
    }
  };
  const remote: Remote = async (method, argument) => {
    pendingReplies += 1;
    try {
      await replay[method](argument);
    } finally {
      pendingReplies -= 1;
    }
    return report();
  };
  Object.defineProperty(globalThis, Symbol.for(REMOTE_SYMBOL), { value: remote, configurable: true });
}
