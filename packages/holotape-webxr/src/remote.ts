/** Controls a recording in a page of another process, for tests with Playwright. */

import { EventEmitter } from "./play/events";
import type { Recording } from "./read";
import { type Method, REMOTE_SYMBOL, type Report, ReportQueue } from "./report";
import type { InstallOptions, PageLike, PlayOptions, RecordingController, RecordingMarker } from "./types";

/** Exposed functions cannot be removed, so each installation has its own name. */
let installations = 0;
/** The function of the page that runs a method. */
const REMOTE = `globalThis[Symbol.for("${REMOTE_SYMBOL}")]`;

export class RemoteReplay implements RecordingController {
  readonly duration: number;
  readonly markers: readonly RecordingMarker[];
  readonly events = new EventEmitter();
  time = 0;
  private readonly reports = new ReportQueue(({ time, events }) => {
    this.time = time;
    for (const event of events) {
      this.events.emit(event);
    }
  });
  private removeScript: () => Promise<void> = async () => {};

  private constructor(
    private readonly page: PageLike,
    recording: Recording,
  ) {
    this.duration = recording.durationSecs;
    this.markers = recording.markers;
  }

  /** `script` builds the injected script from the arguments of `start` in page.ts. */
  static async install(
    page: PageLike,
    recording: Recording,
    bytes: Uint8Array,
    script: (call: string) => string,
    options: InstallOptions,
  ): Promise<RemoteReplay> {
    const remote = new RemoteReplay(page, recording);
    const name = `__holotapeWebxr${installations++}`;
    await page.exposeFunction(name, (report) => remote.reports.add(JSON.parse(report) as Report));
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const call = [base64, options, name].map((argument) => JSON.stringify(argument)).join(", ");
    const added = (await page.addInitScript({ content: script(call) })) as
      | { dispose?: () => Promise<void> }
      | undefined;
    remote.removeScript = async () => added?.dispose?.();
    return remote;
  }

  on: RecordingController["on"] = (type, listener) => this.events.on(type, listener);

  play = (options: PlayOptions = {}) => this.call("play", options);
  pause = () => this.call("pause");
  seek = (seconds: number) => this.call("seek", seconds);
  step = (frames = 1) => this.call("step", frames);

  async uninstall(): Promise<void> {
    await this.removeScript();
    await this.page.evaluate(`${REMOTE}?.("uninstall")`);
    this.events.close();
  }

  private async call(method: Method, argument?: PlayOptions | number): Promise<void> {
    // JSON has no NaN: it would become null.
    const argumentJson = typeof argument === "number" ? String(argument) : JSON.stringify(argument ?? null);
    const report = await this.page.evaluate(`${REMOTE}?.("${method}", ${argumentJson} ?? undefined) ?? null`);
    if (report === null) {
      throw new Error("the recording is not in this page; install it before page.goto, then step or play");
    }
    this.reports.add(report as Report);
    await this.reports.processed(report as Report);
  }
}
