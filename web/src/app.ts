/** What people can do, whatever they press to do it. Views call these and never change takes themselves. */

import { batch } from "@preact/signals-core";
import type { DownloadFormat, Edit, Preview, PreviewRequest, RecordingInfo, SaveResult, Span } from "./api";
import { EditQueues, rebaseEdit, TrimOffsets } from "./edits";
import { decodeCurvePack } from "./recording/decode";
import { nextFrame } from "./recording/frames";
import { Sampler } from "./recording/sampler";
import type { RecordingProvider, ServerActions } from "./source";
import { nextColorIndex, type OpenRecording, type State, toLocalTime } from "./state";

export type Notify = (words: string, tone?: "info" | "error") => void;

export class App {
  private readonly queues = new EditQueues();
  private readonly trims = new TrimOffsets();

  constructor(
    readonly state: State,
    private readonly source: RecordingProvider,
    readonly notify: Notify,
  ) {}

  /** What only works with a server behind the page; nothing in an exported page. */
  get server(): ServerActions | null {
    return this.source.server;
  }

  /** Loads takes and shows them, the first as the active one if there was none. What cannot be loaded is told, and the rest is shown. */
  async show(infos: readonly RecordingInfo[]): Promise<void> {
    const loading = infos.map((info) => this.withErrorNotice(info.name, () => this.load(info)));
    const loaded = (await Promise.all(loading)).filter((recording) => recording !== null);
    const { recordings, activeId } = this.state;
    this.updateAndRefit(() => {
      for (const recording of loaded) {
        recordings.value = [
          ...recordings.value,
          { ...recording, colorIndex: nextColorIndex(recordings.value), visible: true, offsetSecs: 0 },
        ];
      }
      activeId.value ??= loaded[0]?.info.id ?? null;
    });
  }

  private async load(info: RecordingInfo): Promise<Pick<OpenRecording, "info" | "curves" | "sampler">> {
    const curves = decodeCurvePack(await this.source.curves(info));
    return { info, curves, sampler: new Sampler(curves) };
  }

  /** Opens files that were dropped or chosen, one after the other. What cannot be opened is told, and the rest goes on. */
  async open(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      await this.withErrorNotice(file.name, () => this.openOne(file));
    }
  }

  private async openOne(file: File): Promise<void> {
    if (this.server === null) {
      throw new Error("this page shows only what it carries; holotape view opens other recordings");
    }
    const limit = this.state.viewer.uploadLimitBytes;
    if (file.size > limit) {
      throw new Error(`larger than the ${Math.round(limit / 1e6)} MB that can be opened by dropping`);
    }
    const info = await this.server.upload(file);
    await this.show([info]);
    const shown = this.recordingById(info.id);
    if (shown !== null) {
      this.activate(shown);
    }
    for (const loss of info.losses) {
      this.notify(`${info.name}: ${loss}`);
    }
  }

  /** Shows a take that was recorded just now, beside the others; alone and as the active one if that is what somebody looked at. */
  async showSavedTake(id: number, isWatched: boolean): Promise<void> {
    const load = async () => {
      const infos = this.recordingById(id) === null ? (await this.source.viewerState()).takes : [];
      await this.show(infos.filter((info) => info.id === id));
    };
    // Whoever recorded it is told of it twice.
    await this.withErrorNotice(null, () => this.queues.run(id, load));
    const shown = this.recordingById(id);
    if (shown !== null && isWatched) {
      batch(() => {
        const { recordings } = this.state;
        recordings.value = recordings.value.map((recording) => ({ ...recording, visible: recording.info.id === id }));
        this.activate(shown);
        this.seek(shown.offsetSecs);
      });
    }
  }

  async close(recording: OpenRecording): Promise<void> {
    await this.enqueueWithNotice(recording, async (server) => {
      await server.close(recording.info);
      this.forget(recording.info.id);
    });
  }

  private forget(id: number): void {
    const { recordings, activeId } = this.state;
    const original = this.recordingById(this.recordingById(id)?.info.previewOf ?? null);
    this.updateAndRefit(() => {
      recordings.value = recordings.value.filter((recording) => recording.info.id !== id);
      if (activeId.value === id) {
        activeId.value = (original ?? recordings.value[0])?.info.id ?? null;
      }
    });
  }

  /**
   * Changes what there is, and with it the span of time. Who saw all of it sees all of it then; who had zoomed in stays there, and so do
   * range and time, as far as there is anything.
   */
  private updateAndRefit(change: () => void): void {
    const { span, window, range, time } = this.state;
    const [from, to] = window.value;
    const sawAll = from <= span.value[0] && to >= span.value[1];
    batch(() => {
      change();
      if (sawAll) {
        window.value = span.value;
      } else {
        this.setWindow(window.value);
      }
      this.setRange(range.value);
      this.seek(time.value);
    });
  }

  activate(recording: OpenRecording): void {
    this.state.activeId.value = recording.info.id;
  }

  setVisible(recording: OpenRecording, visible: boolean): void {
    this.change(recording.info.id, { visible });
  }

  /** Moves a take in time against the others. */
  setOffset(recording: OpenRecording, offsetSecs: number): void {
    this.updateAndRefit(() => this.change(recording.info.id, { offsetSecs }));
  }

  private change(id: number, change: Partial<OpenRecording>): void {
    const { recordings } = this.state;
    recordings.value = recordings.value.map((other) => (other.info.id === id ? { ...other, ...change } : other));
  }

  seek(time: number): void {
    const [from, to] = this.state.span.value;
    this.state.time.value = Math.min(Math.max(time, from), to);
  }

  togglePlay(): void {
    const { playing, time } = this.state;
    const [from, to] = this.playedSpan();
    if (!playing.value && (time.value >= to || time.value < from)) {
      this.seek(from);
    }
    playing.value = !playing.value;
  }

  /** The range, or all there is. */
  playedSpan(): Span {
    return this.state.range.value ?? this.state.span.value;
  }

  /** Steps to the next frame of the active take, or back. */
  step(direction: 1 | -1): void {
    const { playing, active, time } = this.state;
    playing.value = false;
    const recording = active.value;
    if (recording !== null) {
      this.seek(nextFrame(recording.curves, toLocalTime(recording, time.value), direction) + recording.offsetSecs);
    }
  }

  setRange(range: Span | null): void {
    const [from, to] = this.state.span.value;
    const clamp = (time: number) => Math.min(Math.max(time, from), to);
    const [start, end] = range === null ? [0, 0] : [clamp(Math.min(...range)), clamp(Math.max(...range))];
    this.state.range.value = end - start < 1e-3 ? null : [start, end];
  }

  /** Zooms the timeline: what is shown stays within what there is. */
  setWindow(window: Span): void {
    const [from, to] = this.state.span.value;
    const length = Math.min(Math.max(window[1] - window[0], 0.02), to - from);
    const start = Math.min(Math.max(window[0], from), to - length);
    this.state.window.value = [start, start + length];
  }

  zoomToAll(): void {
    this.state.window.value = this.state.span.value;
    this.seek(this.state.time.value);
  }

  toggleCurve(name: string): void {
    const { drawnCurves: curves } = this.state;
    const isShown = curves.value.includes(name);
    curves.value = isShown ? curves.value.filter((other) => other !== name) : [...curves.value, name];
  }

  /** Adds curves to those that are drawn, or takes them away. */
  showCurves(names: readonly string[], isShown: boolean): void {
    const { drawnCurves: curves } = this.state;
    const others = curves.value.filter((name) => !names.includes(name));
    curves.value = isShown ? [...curves.value, ...names.filter((name) => !curves.value.includes(name))] : others;
  }

  /** Changes the take on the server, and gives and shows what came of it; nothing if nothing did. */
  async edit(recording: OpenRecording, edit: Edit): Promise<OpenRecording | null> {
    return this.enqueueWithNotice(recording, async (server, now) => {
      const meant = rebaseEdit(edit, recording.info, now.info);
      if (meant === null) {
        return null;
      }
      const info = await server.edit(now.info, meant);
      const isAlone = this.state.recordings.value.length === 1;
      await this.replace(now, info, this.trims.shift(meant, now.info, info, isAlone));
      if (edit.op === "accept") {
        this.forget(edit.preview);
      }
      return this.recordingById(recording.info.id);
    });
  }

  /** Tries a change out beside the take, and shows both. */
  async preview(recording: OpenRecording, request: PreviewRequest): Promise<Preview | null> {
    return this.enqueueWithNotice(recording, async (server, now) => {
      const preview = await server.preview(now.info, request);
      await this.show([preview.take]);
      if (this.recordingById(preview.take.id) === null) {
        return null;
      }
      this.updateAndRefit(() => this.change(preview.take.id, { offsetSecs: now.offsetSecs }));
      this.state.difference.value = true;
      return preview;
    });
  }

  /** Saves under a name beside the file that the take came from. Fails with `FileExists` unless it may be replaced. */
  async save(recording: OpenRecording, name: string, replace: boolean): Promise<SaveResult | null> {
    return this.enqueueEdit(recording, async (server, now) => {
      const saved = await server.save(now.info, name, replace);
      // Nothing changes it meanwhile: changes wait for this.
      this.change(now.info.id, { info: { ...now.info, modified: false } });
      return saved;
    });
  }

  async download(recording: OpenRecording, kind: DownloadFormat): Promise<void> {
    await this.attempt(async (server) => {
      const range = this.state.range.value;
      const own: Span | null = range && [toLocalTime(recording, range[0]), toLocalTime(recording, range[1])];
      const { name, blob, losses } = await server.download(recording.info, kind, own);
      saveBlob(name, blob);
      for (const loss of losses) {
        this.notify(`${name}: ${loss}`);
      }
    });
  }

  private async replace(recording: OpenRecording, info: RecordingInfo, shiftSecs: number): Promise<void> {
    const hasSameCurves = info.tapeRevision === recording.info.tapeRevision;
    const { curves, sampler } = hasSameCurves ? recording : await this.load(info);
    this.updateAndRefit(() => {
      const { offsetSecs } = this.recordingById(recording.info.id) ?? recording;
      this.change(recording.info.id, { info, curves, sampler, offsetSecs: offsetSecs + shiftSecs });
      if (info.durationSecs !== recording.info.durationSecs) {
        this.state.range.value = null;
      }
    });
  }

  private recordingById(id: number | null): OpenRecording | null {
    return this.state.recordings.value.find((recording) => recording.info.id === id) ?? null;
  }

  /** Does something to a take as it is once all is done that was asked for before; nothing if the take is no longer there. */
  private enqueueEdit<T>(
    { info }: OpenRecording,
    what: (server: ServerActions, now: OpenRecording) => Promise<T>,
  ): Promise<T | null> {
    return this.queues.run(info.id, async () => {
      const now = this.recordingById(info.id);
      return this.server === null || now === null ? null : what(this.server, now);
    });
  }

  /** The same, and tells what goes wrong. */
  private enqueueWithNotice<T>(
    recording: OpenRecording,
    what: (server: ServerActions, now: OpenRecording) => Promise<T>,
  ): Promise<T | null> {
    return this.attempt(() => this.enqueueEdit(recording, what));
  }

  private async attempt<T>(what: (server: ServerActions) => Promise<T>): Promise<T | null> {
    const { server } = this;
    return server === null ? null : this.withErrorNotice(null, () => what(server));
  }

  /** Tells what goes wrong, and with what. */
  private async withErrorNotice<T>(name: string | null, what: () => Promise<T>): Promise<T | null> {
    try {
      return await what();
    } catch (error) {
      this.notify(name === null ? errorMessage(error) : `${name}: ${errorMessage(error)}`, "error");
      return null;
    }
  }
}

/** Gives the browser a file to keep. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
