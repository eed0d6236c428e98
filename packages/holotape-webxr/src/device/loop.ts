/** The page's session, whose frames run when the recording says so. */

import { P_DEVICE, P_SESSION, P_SYSTEM, type XRDevice, type XRSession } from "iwer";

/** How long `step` waits for a page that starts a session. */
const SESSION_TIMEOUT_MS = 10_000;
const POLL_MS = 4;

export interface LoopHost {
  readonly isPlaying: boolean;
  /** A page started a session. */
  attachSession(session: XRSession): void;
  /** So many seconds passed in real time: runs a frame. */
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

  /** One frame of the page, at once. */
  run(): void {
    const state = this.session?.[P_SESSION];
    if (state?.deviceFrameHandle !== undefined) {
      cancelAnimationFrame(state.deviceFrameHandle);
    }
    this.runFrame();
  }

  /** Waits until a frame would run a callback of the page. What the page left for later, it did by then. */
  async ready(): Promise<void> {
    const since = performance.now();
    await nextMacrotask();
    for (let missing = this.missing(); missing !== null; missing = this.missing()) {
      if (this.isStopped) {
        throw new Error("the recording was uninstalled");
      }
      if (performance.now() - since > SESSION_TIMEOUT_MS) {
        throw new Error(`no frame could run in ${SESSION_TIMEOUT_MS / 1000} s: ${missing}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /** What the page still has to do before a frame can run. */
  private missing(): string | null {
    const state = this.session?.[P_SESSION];
    if (this.isStopped) {
      return "the recording was uninstalled";
    }
    if (state === undefined || state.ended) {
      return "the page has no XR session; does the test press the button that starts it?";
    }
    if (!this.hasLayer) {
      return "the page's session has no base layer (XRSession.updateRenderState)";
    }
    return state.frameCallbacks.length === 0 ? "the page asked for no frame (XRSession.requestAnimationFrame)" : null;
  }

  private get hasLayer(): boolean {
    const state = this.session?.[P_SESSION];
    return Boolean(state?.pendingRenderState?.baseLayer ?? state?.renderState.baseLayer);
  }

  private attachSession(session: XRSession): void {
    this.session = session;
    this.lastMs = null;
    const state = session[P_SESSION];
    // It has just asked for the first frame of a loop of its own.
    cancelAnimationFrame(state.deviceFrameHandle ?? 0);
    this.runFrame = state.onDeviceFrame;
    // A frame that runs asks for the next one by this name.
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

/** Behind everything that waits to run, but sooner than a timer. */
function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
