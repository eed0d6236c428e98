/**
 * The actions of the page. Buttons, keys and gestures call methods of `App`, of its `playback` and of its `view`; these alone change
 * the state. Here are those on recordings: open, close, edit, save, download.
 */

import { batch } from "@preact/signals";
import type { DownloadFormat, Edit, PreviewRequest, RecordingInfo, SaveResult } from "./api";
import { EditQueues, rebaseEdit, TrimOffsets } from "./edits";
import { errorMessage } from "./error-message";
import { saveBlob } from "./files";
import { Playback } from "./playback";
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

type LoadedRecording = Pick<OpenRecording, "info" | "curves" | "sampler" | "hasAllKeys">;

/** An action on a recording in its current state. */
type ServerTask<T> = (server: ServerSource, current: OpenRecording) => Promise<T>;

export class App {
  readonly state: State;
  readonly playback: Playback;
  readonly view: View;
  private readonly queues = new EditQueues();
  private readonly trims = new TrimOffsets();
  /** The last load of each recording. */
  private readonly loads = new Map<number, AbortController>();

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

  /** Loads recordings and shows them, long ones first as overview. Those that fail to load stay in `State.loading`. */
  async show(infos: readonly RecordingInfo[], report: readonly string[] = []): Promise<void> {
    const loading = infos.map((info) => this.loadFirst(info, report));
    const loaded = (await Promise.all(loading)).filter((recording) => recording !== null);
    const { recordings, activeId } = this.store;
    this.playback.refitAfter(() => {
      for (const recording of loaded) {
        const colorIndex = lowestUnused(recordings.value.map((other) => other.colorIndex));
        recordings.value = [...recordings.value, { ...recording, colorIndex, visible: true, offsetSecs: 0, report }];
      }
      activeId.value ??= loaded[0]?.info.id ?? null;
    });
    for (const { info } of loaded.filter(({ hasAllKeys }) => !hasAllKeys)) {
      void this.loadAllKeys(info, report);
    }
  }

  /** Loads a recording that failed to load again, in its current revision. */
  async retry({ info, report }: LoadingRecording): Promise<void> {
    await this.withErrorNotice(info.name, async () => {
      const { recordings } = await this.provider.viewerState();
      const latest = recordings.find(({ id }) => id === info.id) ?? info;
      const overview = this.recordingById(info.id);
      if (overview === null) {
        await this.show([latest], report);
      } else if (overview.info.curves_revision === latest.curves_revision) {
        await this.loadAllKeys(overview.info, report);
      } else {
        await this.enqueue(overview, (_, current) => this.replace(current, latest, 0));
      }
    });
  }

  /** Ends loading a recording, or forgets that it failed. If its overview is on screen, it stays. */
  dismiss({ info: { id } }: { readonly info: Pick<RecordingInfo, "id"> }): void {
    this.loads.get(id)?.abort();
    this.loads.delete(id);
    this.store.loading.value = this.state.loading.value.filter(({ info }) => info.id !== id);
  }

  /** Loads what is shown first: the overview of a long recording, all keys of another one. */
  private async loadFirst(info: RecordingInfo, report: readonly string[]): Promise<LoadedRecording | null> {
    const loaded = await this.loadVisibly(info, report, info.has_overview);
    if (loaded?.hasAllKeys) {
      this.dismiss({ info });
    }
    return loaded;
  }

  /** Replaces the overview of a recording by all keys, unless its curves have changed or it was closed by then. */
  private async loadAllKeys(info: RecordingInfo, report: readonly string[]): Promise<void> {
    const loaded = await this.loadVisibly(info, report, false);
    if (loaded !== null) {
      const { curves, sampler, hasAllKeys } = loaded;
      this.update(info.id, { curves, sampler, hasAllKeys });
      this.dismiss({ info });
    }
  }

  /** Loads all keys or an overview while the page shows the progress. Returns `null` if that fails, or if it is aborted. */
  private async loadVisibly(
    info: RecordingInfo,
    report: readonly string[],
    isOverview: boolean,
  ): Promise<LoadedRecording | null> {
    const { loading } = this.store;
    const entry: LoadingRecording = { info, report, fraction: null, error: null };
    const controller = new AbortController();
    const { signal } = controller;
    this.loads.get(info.id)?.abort();
    this.loads.set(info.id, controller);
    loading.value = [...loading.value.filter((other) => other.info.id !== info.id), entry];
    const show = (change: Partial<LoadingRecording>) => {
      const isSame = (other: LoadingRecording) => other.info.id === info.id && !signal.aborted;
      loading.value = loading.value.map((other) => (isSame(other) ? { ...entry, ...change } : other));
    };
    try {
      const loaded = await this.load(info, isOverview, (fraction) => show({ fraction }), signal);
      return signal.aborted ? null : loaded;
    } catch (error) {
      show({ error: errorMessage(error) });
      return null;
    }
  }

  private async load(
    info: RecordingInfo,
    isOverview: boolean,
    onProgress = (_: number) => {},
    signal = new AbortController().signal,
  ): Promise<LoadedRecording> {
    const curves = await (isOverview ? this.provider.overview(info) : this.provider.curves(info, onProgress, signal));
    return { info, curves, sampler: new Sampler(curves), hasAllKeys: !isOverview };
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
    this.dismiss({ info: { id } });
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
    const { id } = info;
    const hasSameCurves = info.curves_revision === recording.info.curves_revision;
    const loaded = hasSameCurves ? null : await this.load(info, info.has_overview);
    this.playback.refitAfter(() => {
      const { offsetSecs } = this.recordingById(id) ?? recording;
      this.update(id, { ...loaded, info, offsetSecs: offsetSecs + shiftSecs });
      if (info.duration_secs !== recording.info.duration_secs) {
        this.playback.setRange(null);
      }
    });
    if (loaded?.hasAllKeys === true) {
      this.dismiss({ info });
    } else if (loaded !== null) {
      void this.loadAllKeys(info, recording.report);
    }
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
