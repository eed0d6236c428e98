/** A recording in a page of another process: the controller for tests with Playwright. */

import { EventEmitter } from "./play/events";
import type { Recording } from "./read";
import { type Method, REMOTE_SYMBOL, type Report, ReportQueue } from "./report";
import type { InstallOptions, PageLike, PlayOptions, RecordingController, RecordingMarker } from "./types";

/** Functions that a page has from outside cannot be taken back, so each has a name of its own. */
let installations = 0;

export class RemoteReplay implements RecordingController {
  readonly duration: number;
  readonly markers: readonly RecordingMarker[];
  readonly events = new EventEmitter();
  private lastTime = 0;
  private readonly reports = new ReportQueue((report) => this.applyReport(report));
  private removeScript: () => Promise<void> = async () => {};

  private constructor(
    private readonly page: PageLike,
    recording: Recording,
  ) {
    this.duration = recording.durationSecs;
    this.markers = recording.markers;
  }

  /** The script begins everything in the page; it takes the arguments of `start` in page.ts. */
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

  get time(): number {
    return this.lastTime;
  }

  on: RecordingController["on"] = (type, listener) => this.events.on(type, listener);

  play(options: PlayOptions = {}): Promise<void> {
    return this.call("play", options);
  }

  pause(): Promise<void> {
    return this.call("pause");
  }

  seek(seconds: number): Promise<void> {
    return this.call("seek", seconds);
  }

  step(frames = 1): Promise<void> {
    return this.call("step", frames);
  }

  async uninstall(): Promise<void> {
    await this.removeScript();
    await this.page.evaluate(`globalThis[Symbol.for(${JSON.stringify(REMOTE_SYMBOL)})]?.("uninstall")`);
    this.events.close();
  }

  private async call(method: Method, argument?: PlayOptions | number): Promise<void> {
    // JSON has no NaN; it would arrive as null and count as 0.
    const shown = typeof argument === "number" ? String(argument) : JSON.stringify(argument ?? null);
    const remote = `globalThis[Symbol.for(${JSON.stringify(REMOTE_SYMBOL)})]`;
    const report = await this.page.evaluate(`${remote}?.(${JSON.stringify(method)}, ${shown} ?? undefined) ?? null`);
    if (report === null) {
      const words = "the recording is not in this page: install it before page.goto, and step or play after that";
      throw new Error(`${words} (or install it with autoplay)`);
    }
    this.reports.add(report as Report);
    await this.reports.processed(report as Report);
  }

  private applyReport({ time, events }: Report): void {
    this.lastTime = time;
    for (const event of events) {
      this.events.emit(event);
    }
  }
}
