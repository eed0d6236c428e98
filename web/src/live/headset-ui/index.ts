/** What the headset shows while recording: a panel, the hands, and without passthrough a floor. */

import { Color, GridHelper, PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { HANDS, type Hand } from "../../recording/joints";
import type { FrameCapture } from "../capture";
import { HandDots } from "./dots";
import { Panel } from "./panel";
import type { PanelButton, PanelText } from "./panel-canvas";

const BACKGROUND = new Color("#1b1e24");
const COLOURS: Readonly<Record<Hand, string>> = { left: "#4cc9d8", right: "#ff9d5c" };
/** The first frame after a pause is long: the panel must not jump. */
const MAX_STEP_SECS = 0.1;

export type OnFrame = (timeSecs: number, frame: XRFrame) => void;

export class HeadsetUi {
  readonly panel: Panel;
  private readonly renderer = new WebGLRenderer({ alpha: true, antialias: true, powerPreference: "high-performance" });
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(70, 1, 0.02, 100);
  private readonly dots: Readonly<Record<Hand, HandDots>> = {
    left: new HandDots(COLOURS.left),
    right: new HandDots(COLOURS.right),
  };
  private readonly floor = new GridHelper(8, 16, "#566070", "#333944");
  private lastSecs = 0;

  /** Throws if WebGL is not available. */
  constructor(onPress: (button: PanelButton) => void) {
    this.panel = new Panel(onPress);
    this.renderer.xr.enabled = true;
    // Without an XR session, the renderer would continue with every frame of the page.
    this.renderer.xr.addEventListener("sessionend", () => this.renderer.setAnimationLoop(null));
    this.scene.add(this.panel.group, this.floor, ...HANDS.map((hand) => this.dots[hand].mesh));
  }

  /** For tests. */
  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Starts rendering and calls back with every XR frame. Returns the reference space. */
  async enter(session: XRSession, type: XRReferenceSpaceType, onFrame: OnFrame): Promise<XRReferenceSpace> {
    const { xr } = this.renderer;
    const hasPassthrough = session.environmentBlendMode !== "opaque";
    this.scene.background = hasPassthrough ? null : BACKGROUND;
    this.floor.visible = !hasPassthrough && type === "local-floor";
    this.panel.reset();
    this.renderer.setAnimationLoop((timeMs: number, frame?: XRFrame) => {
      if (frame !== undefined) {
        onFrame(timeMs / 1000, frame);
      }
    });
    xr.setReferenceSpaceType(type);
    await xr.setSession(session);
    const space = xr.getReferenceSpace();
    if (space === null) {
      throw new Error("no reference space available from the headset");
    }
    return space;
  }

  /** Renders in a space that is offset from that of the headset. */
  moveTo(space: XRReferenceSpace): void {
    this.renderer.xr.setReferenceSpace(space);
  }

  show(timeSecs: number, frame: XRFrame, space: XRReferenceSpace, capture: FrameCapture, text: PanelText): void {
    const secs = Math.min(Math.max(timeSecs - this.lastSecs, 0), MAX_STEP_SECS);
    this.lastSecs = timeSecs;
    for (const hand of HANDS) {
      this.dots[hand].update(capture.hands[hand]);
    }
    this.panel.update(frame, space, capture, text, timeSecs, secs);
    this.renderer.render(this.scene, this.camera);
  }
}
