/** Runs the frames of the page's XR session under control of the recording. */

import { P_DEVICE, P_SESSION, P_SYSTEM, type XRDevice, type XRSession } from "iwer";
import { nextMacrotask } from "../../../../web/src/recording/macrotask";

/** How long `step` waits for a page that starts a session. */
const SESSION_TIMEOUT_MS = 10_000;
const POLL_MS = 4;

export interface LoopHost {
  readonly isPlaying: boolean;
  /** Called when a page starts a session. */
  attachSession(session: XRSession): void;
  /** Called with the elapsed real time: runs a frame. */
  onRealTime(realSecs: number): void;
}

export class FrameLoop {
  private session: XRSession | null = null;
  private runFrame = () => {};
  private lastMs: number | null = null;
  private isStopped = false;

  constructor(
    device: XRDevice,
    private readonly host: LoopHost,
  ) {
    const system = device[P_DEVICE].xrSystem?.[P_SYSTEM];
    if (system === undefined) {
      throw new Error("the device is not installed");
    }
    const { grantSession } = system;
    system.grantSession = (request) => {
      const resolve = (session: XRSession) => {
        this.attachSession(session);
        request.resolve(session);
      };
      grantSession({ ...request, resolve });
    };
  }

  /** Runs one frame of the page synchronously. */
  run(): void {
    const state = this.session?.[P_SESSION];
    if (state?.deviceFrameHandle !== undefined) {
      cancelAnimationFrame(state.deviceFrameHandle);
    }
    this.runFrame();
  }

  /** Waits until a frame would run a callback of the page, and until pending tasks of the page have run. */
  async ready(): Promise<void> {
    const since = performance.now();
    await nextMacrotask();
    for (let missing = this.missing(); missing !== null; missing = this.missing()) {
      if (this.isStopped) {
        throw new Error("the recording was uninstalled");
      }
      if (performance.now() - since > SESSION_TIMEOUT_MS) {
        throw new Error(`no frame ran within ${SESSION_TIMEOUT_MS / 1000} s: ${missing}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /** What the page has to do before a frame can run; `null` if nothing. */
  private missing(): string | null {
    const state = this.session?.[P_SESSION];
    if (this.isStopped) {
      return "the recording was uninstalled";
    }
    if (state === undefined || state.ended) {
      return "the page has no XR session; click the button that starts it";
    }
    if (!this.hasLayer) {
      return "the page's session has no base layer (XRSession.updateRenderState)";
    }
    return state.frameCallbacks.length === 0
      ? "the page has not requested a frame (XRSession.requestAnimationFrame)"
      : null;
  }

  private get hasLayer(): boolean {
    const state = this.session?.[P_SESSION];
    return Boolean(state?.pendingRenderState?.baseLayer ?? state?.renderState.baseLayer);
  }

  private attachSession(session: XRSession): void {
    this.session = session;
    this.lastMs = null;
    const state = session[P_SESSION];
    // `iwer` has already requested a frame for its own loop.
    cancelAnimationFrame(state.deviceFrameHandle ?? 0);
    this.runFrame = state.onDeviceFrame;
    // `iwer` requests the next frame with this function.
    state.onDeviceFrame = () => this.tick(session);
    this.host.attachSession(session);
    this.next(session);
  }

  private next(session: XRSession): void {
    const state = session[P_SESSION];
    state.deviceFrameHandle = requestAnimationFrame(state.onDeviceFrame);
  }

  private tick(session: XRSession): void {
    if (session[P_SESSION].ended) {
      return;
    }
    if (!this.host.isPlaying || !this.hasLayer) {
      this.lastMs = null;
      this.next(session);
      return;
    }
    const nowMs = performance.now();
    const realSecs = (nowMs - (this.lastMs ?? nowMs)) / 1000;
    this.lastMs = nowMs;
    this.host.onRealTime(realSecs);
  }
}
