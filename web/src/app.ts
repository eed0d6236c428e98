/**
 * The actions of the page. Buttons, keys and gestures call methods of `App`, of its `playback` and of its `view`; these alone change
 * the state. Here are those on recordings: open, close, edit, save, download.
 */

import { batch } from "@preact/signals";
import type { DownloadFormat, Edit, PreviewRequest, RecordingInfo, SaveResult } from "./api";
import { EditQueues, rebaseEdit, TrimOffsets } from "./edits";
import { saveBlob } from "./files";
import { Playback } from "./playback";
import { decodeCurvePack } from "./recording/decode";
import { Sampler } from "./recording/sampler";
import { lowestUnused } from "./search";
import type { RecordingProvider, ServerSource } from "./source/server";
import {
  type AppState,
  type LoadingRecording,
  type OpenRecording,
  type SceneRecording,
  type State,
  toLocalSpan,
  toLocalTime,
} from "./state";
import { View } from "./view";

export type Notify = (message: string, tone?: "info" | "error") => void;

type LoadedRecording = Pick<OpenRecording, "info" | "curves" | "sampler">;

/** An action on a recording in its current state. */
type ServerTask<T> = (server: ServerSource, current: OpenRecording) => Promise<T>;

export class App {
  readonly state: State;
  readonly playback: Playback;
  readonly view: View;
  private readonly queues = new EditQueues();
  private readonly trims = new TrimOffsets();

  constructor(
    private readonly store: AppState,
    private readonly provider: RecordingProvider,
    readonly notify: Notify,
  ) {
    this.state = store;
    this.playback = new Playback(store);
    this.view = new View(store);
  }

  /** `null` in an exported page, which has no server. */
  get server(): ServerSource | null {
    return this.provider.server;
  }

  get canEdit(): boolean {
    return this.state.viewer.can_edit && this.server !== null;
  }

  /** Loads recordings and shows them. Those that fail to load stay in `State.loading`. */
  async show(infos: readonly RecordingInfo[], report: readonly string[] = []): Promise<void> {
    const loading = infos.map((info) => this.loadVisibly({ info, report, fraction: null, error: null }));
    const loaded = (await Promise.all(loading)).filter((recording) => recording !== null);
    const { recordings, activeId } = this.store;
    this.playback.refitAfter(() => {
      for (const recording of loaded) {
        const colorIndex = lowestUnused(recordings.value.map((other) => other.colorIndex));
        recordings.value = [...recordings.value, { ...recording, colorIndex, visible: true, offsetSecs: 0, report }];
      }
      activeId.value ??= loaded[0]?.info.id ?? null;
    });
  }

  /** Loads a recording that failed to load again, in its current revision. */
  async retry(failed: LoadingRecording): Promise<void> {
    const { info, report } = failed;
    await this.withErrorNotice(info.name, async () => {
      const { recordings } = await this.provider.viewerState();
      await this.show([recordings.find(({ id }) => id === info.id) ?? info], report);
    });
  }

  /** Forgets a recording that failed to load. */
  dismiss({ info }: LoadingRecording): void {
    this.store.loading.value = this.state.loading.value.filter((other) => other.info.id !== info.id);
  }

  /** Loads a recording while the page shows the progress. Returns `null` if that fails. */
  private async loadVisibly(recording: LoadingRecording): Promise<LoadedRecording | null> {
    const { loading } = this.store;
    const show = (change: Partial<LoadingRecording>) => {
      const isSame = ({ info }: LoadingRecording) => info.id === recording.info.id;
      loading.value = loading.value.map((other) => (isSame(other) ? { ...recording, ...change } : other));
    };
    this.dismiss(recording);
    loading.value = [...loading.value, recording];
    try {
      const loaded = await this.load(recording.info, (fraction) => show({ fraction }));
      this.dismiss(recording);
      return loaded;
    } catch (error) {
      show({ error: errorMessage(error) });
      return null;
    }
  }

  /** Most of the time is needed to decode the curves. */
  private async load(info: RecordingInfo, onProgress = (_: number) => {}): Promise<LoadedRecording> {
    const bytes = await this.provider.curves(info, (fraction) => onProgress(fraction / 2));
    const curves = await decodeCurvePack(bytes, (fraction) => onProgress((1 + fraction) / 2));
    return { info, curves, sampler: new Sampler(curves) };
  }

  /** Uploads files one after the other and shows them. Reports those that fail. */
  async open(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      await this.withErrorNotice(file.name, () => this.openOne(file));
    }
  }

  private async openOne(file: File): Promise<void> {
    if (this.server === null) {
      throw new Error("an exported page cannot open files; use holotape view");
    }
    const limit = this.state.viewer.upload_limit_bytes;
    if (file.size > limit) {
      throw new Error(`file is larger than ${Math.round(limit / 1e6)} MB; pass it to holotape view instead`);
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

  /** Shows a take that the server has saved. If it was watched or recorded here, hides the others and activates it. */
  async showSavedTake(id: number, isWatched: boolean): Promise<void> {
    const load = async () => {
      const infos = this.recordingById(id) === null ? (await this.provider.viewerState()).recordings : [];
      await this.show(infos.filter((info) => info.id === id));
    };
    // The recording page receives the message twice, as recorder and as watcher: the queue keeps it from loading the take twice.
    await this.withErrorNotice(null, () => this.queues.run(id, load));
    const shown = this.recordingById(id);
    if (shown !== null && isWatched) {
      batch(() => {
        const { recordings } = this.store;
        recordings.value = recordings.value.map((recording) => ({ ...recording, visible: recording.info.id === id }));
        this.activate(shown);
        this.playback.seek(shown.offsetSecs);
      });
    }
  }

  /** Adds a watched take to the scene with its first frame, and redraws it with every other. */
  showLiveFrame(take: SceneRecording): void {
    const { watchedTakes, liveFrames } = this.store;
    batch(() => {
      liveFrames.value += 1;
      if (!watchedTakes.value.includes(take)) {
        watchedTakes.value = [...watchedTakes.value, take];
      }
    });
  }

  removeLiveTake(take: SceneRecording): void {
    const { watchedTakes } = this.store;
    watchedTakes.value = watchedTakes.peek().filter((other) => other !== take);
  }

  async close(recording: OpenRecording): Promise<void> {
    await this.enqueueWithNotice(recording, async (server) => {
      await server.close(recording.info);
      this.remove(recording.info.id);
    });
  }

  private remove(id: number): void {
    const { recordings, activeId } = this.store;
    const original = this.recordingById(this.recordingById(id)?.info.preview_of ?? null);
    this.playback.refitAfter(() => {
      recordings.value = recordings.value.filter((recording) => recording.info.id !== id);
      if (activeId.value === id) {
        activeId.value = (original ?? recordings.value[0])?.info.id ?? null;
      }
    });
  }

  activate(recording: OpenRecording): void {
    this.store.activeId.value = recording.info.id;
  }

  setVisible(recording: OpenRecording, visible: boolean): void {
    this.update(recording.info.id, { visible });
  }

  /** Moves a recording in time relative to the others. */
  setOffset(recording: OpenRecording, offsetSecs: number): void {
    this.playback.refitAfter(() => this.update(recording.info.id, { offsetSecs }));
  }

  private update(id: number, change: Partial<OpenRecording>): void {
    const { recordings } = this.store;
    recordings.value = recordings.value.map((other) => (other.info.id === id ? { ...other, ...change } : other));
  }

  /** Applies an edit on the server. Returns the edited recording, or `null` if nothing was changed. */
  async edit(recording: OpenRecording, edit: Edit): Promise<OpenRecording | null> {
    return this.enqueueWithNotice(recording, async (server, current) => {
      const rebased = rebaseEdit(edit, recording.info, current.info);
      if (rebased === null) {
        return null;
      }
      const info = await server.edit(current.info, rebased);
      const isAlone = this.state.recordings.value.length === 1;
      await this.replace(current, info, this.trims.shift(rebased, current.info, info, isAlone));
      if (edit.op === "accept") {
        this.remove(edit.preview);
      }
      return this.recordingById(recording.info.id);
    });
  }

  /** Undoes or redoes the last edit of the active recording, if there is one. */
  stepHistory(op: "undo" | "redo"): void {
    const recording = this.state.active.value;
    if (recording !== null && (op === "undo" ? recording.info.can_undo : recording.info.can_redo)) {
      void this.edit(recording, { op });
    }
  }

  /** Adds a marker to the active recording and opens the marker panel. Returns whether a marker was added. */
  async addMarker(time: number, name?: string): Promise<boolean> {
    const recording = this.state.active.value;
    if (recording === null || !this.canEdit) {
      return false;
    }
    const given = name ?? `Marker ${recording.info.markers.length + 1}`;
    const edited = await this.edit(recording, { op: "add-marker", time: toLocalTime(recording, time), name: given });
    if (edited !== null) {
      this.view.openPanel("markers");
    }
    return edited !== null;
  }

  /** Opens a preview of a repair or an optimization, and shows how it differs from the recording. */
  async preview(recording: OpenRecording, request: PreviewRequest): Promise<void> {
    await this.enqueueWithNotice(recording, async (server, current) => {
      const { recording: info, report } = await server.preview(current.info, request);
      await this.show([info], report);
      if (this.recordingById(info.id) !== null) {
        this.playback.refitAfter(() => this.update(info.id, { offsetSecs: current.offsetSecs }));
        this.view.setDifference(true);
      }
    });
  }

  /** Accepts a preview, or closes it. Either way, the comparison that it switched on ends. */
  async resolvePreview(preview: OpenRecording, isAccepted: boolean): Promise<void> {
    const { id, preview_of } = preview.info;
    const original = this.recordingById(preview_of);
    if (isAccepted && original !== null) {
      await this.edit(original, { op: "accept", preview: id });
    } else {
      await this.close(preview);
    }
    if (this.recordingById(id) === null) {
      this.view.setDifference(false);
    }
  }

  /** Saves next to the source file. Throws `FileExistsError` if the file exists and `replace` is false. */
  async save(recording: OpenRecording, name: string, replace: boolean): Promise<SaveResult | null> {
    return this.enqueue(recording, async (server, current) => {
      const saved = await server.save(current.info, name, replace);
      // The queue holds back edits until this is done, so `current` is still current.
      this.update(current.info.id, { info: { ...current.info, modified: false } });
      return saved;
    });
  }

  /** Downloads the range of a recording, or all of it. */
  async download(recording: OpenRecording, format: DownloadFormat): Promise<void> {
    const { server } = this;
    const range = this.state.range.value;
    await this.withErrorNotice(null, async () => {
      const downloaded = await server?.download(recording.info, format, range && toLocalSpan(recording, range));
      if (downloaded) {
        saveBlob(downloaded.name, downloaded.blob);
        for (const loss of downloaded.losses) {
          this.notify(`${downloaded.name}: ${loss}`);
        }
      }
    });
  }

  /** Runs a task unless one of the same name is running. Reports errors. */
  async runExclusive(task: string, run: () => unknown): Promise<void> {
    const { runningTasks } = this.store;
    if (runningTasks.value.has(task)) {
      return;
    }
    runningTasks.value = new Set([...runningTasks.value, task]);
    await this.withErrorNotice(null, async () => run());
    runningTasks.value = new Set([...runningTasks.value].filter((other) => other !== task));
  }

  private async replace(recording: OpenRecording, info: RecordingInfo, shiftSecs: number): Promise<void> {
    const hasSameCurves = info.curves_revision === recording.info.curves_revision;
    const { curves, sampler } = hasSameCurves ? recording : await this.load(info);
    this.playback.refitAfter(() => {
      const { offsetSecs } = this.recordingById(recording.info.id) ?? recording;
      this.update(recording.info.id, { info, curves, sampler, offsetSecs: offsetSecs + shiftSecs });
      if (info.duration_secs !== recording.info.duration_secs) {
        this.playback.setRange(null);
      }
    });
  }

  private recordingById(id: number | null): OpenRecording | null {
    return this.state.recordings.value.find((recording) => recording.info.id === id) ?? null;
  }

  /** Runs a task after all earlier tasks of the recording; does nothing if the recording has been closed by then. */
  private enqueue<T>({ info }: OpenRecording, task: ServerTask<T>): Promise<T | null> {
    return this.queues.run(info.id, async () => {
      const current = this.recordingById(info.id);
      return this.server === null || current === null ? null : task(this.server, current);
    });
  }

  private enqueueWithNotice<T>(recording: OpenRecording, task: ServerTask<T>): Promise<T | null> {
    return this.withErrorNotice(null, () => this.enqueue(recording, task));
  }

  private async withErrorNotice<T>(subject: string | null, run: () => Promise<T>): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      this.notify(subject === null ? errorMessage(error) : `${subject}: ${errorMessage(error)}`, "error");
      return null;
    }
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
