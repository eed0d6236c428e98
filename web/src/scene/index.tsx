/** The 3D scene: redraws on changes of the state, and moves the camera. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { type PerspectiveCamera, Vector3 } from "three";
import "./scene.css";
import type { App } from "../app";
import { element } from "../dom";
import { errorMessage } from "../error-message";
import { themeChanges } from "../theme";
import { CameraRig } from "./camera-rig";
import { viewportSize } from "./line-batch";
import { Overlay } from "./overlay";
import { RenderLoop } from "./render-loop";
import { SceneColors } from "./scene-colors";
import { SceneContents } from "./scene-contents";
import { followLight } from "./shading";
import { steerByKeys } from "./steering";

/** The interface of the scene for the other parts of the page. */
export interface SceneView {
  /** An image of the current view. */
  snapshot(): Promise<Blob>;
  /**
   * The drawn position of `camera`, `gaze` or a joint such as `left.IndexTip`, in Unity's coordinates, for tests; `null` if it is not
   * drawn.
   */
  drawn(recordingId: number, name: string): [number, number, number] | null;
  readonly framesDrawn: number;
  /** Whether the scene is drawn at full resolution and no redraw is requested, for tests. */
  readonly isIdle: boolean;
}

/** Radians from the direction that users face: from the side and slightly above. */
const INITIAL_VIEW = { side: 1.6, above: 0.36 };
/** From the front, recordings side by side hide each other less. */
const INITIAL_VIEW_SIDE_BY_SIDE = { side: 0.15, above: 0.3 };

export function mountScene(host: HTMLElement, app: App): SceneView {
  try {
    return new ThreeSceneView(host, app);
  } catch (error) {
    return withoutGraphics(host, error);
  }
}

/** The rest of the page works without WebGL. */
function withoutGraphics(host: HTMLElement, error: unknown): SceneView {
  console.warn(errorMessage(error));
  const text =
    "3D graphics are not available. Turn on WebGL (hardware acceleration) in the browser's settings, or use another browser.";
  host.append(element("p", { class: "scene-failure", role: "alert" }, text));
  return {
    snapshot: () => Promise.reject(new Error("image export needs 3D graphics")),
    drawn: () => null,
    framesDrawn: 0,
    isIdle: true,
  };
}

class ThreeSceneView implements SceneView {
  private readonly renderLoop: RenderLoop;
  private readonly contents: SceneContents;
  private readonly cameraRig: CameraRig;
  private readonly overlay = element("div");
  private colors = new SceneColors();
  private framedSubject: string | null = null;

  /** Throws if WebGL is not available. */
  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.renderLoop = new RenderLoop(host, (now, isLowQuality) => this.prepareFrame(now, isLowQuality));
    this.contents = new SceneContents(app.state);
    this.renderLoop.scene.add(this.contents.group);
    const { canvas } = this.renderLoop;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "Head, hands and gaze in 3D: arrows rotate the view, + and - zoom");
    canvas.addEventListener("dblclick", () => app.view.frameAll());
    this.cameraRig = new CameraRig(canvas, () => this.renderLoop.request());
    steerByKeys(canvas, this.cameraRig.controls);
    host.append(this.overlay);
    this.redrawOnChange();
  }

  get framesDrawn(): number {
    return this.renderLoop.framesDrawn;
  }

  get isIdle(): boolean {
    return this.renderLoop.isIdle;
  }

  snapshot(): Promise<Blob> {
    return this.renderLoop.snapshot();
  }

  drawn(recordingId: number, name: string): [number, number, number] | null {
    return this.contents.drawn(recordingId, name);
  }

  private redrawOnChange(): void {
    effect(() => {
      themeChanges.value;
      this.colors = new SceneColors();
      followLight(this.colors);
      this.contents.floor.paint(this.colors);
      this.renderLoop.scene.background = this.colors.of("ground");
      this.renderLoop.request();
    });
    const { state } = this.app;
    const seen = [state.time, state.sceneRecordings, state.activeId, state.camera, state.arrangement, state.difference];
    effect(() => {
      for (const signal of [...seen, state.trails, state.highlightedSubject, state.liveFrames]) {
        signal.value;
      }
      this.renderLoop.request();
    });
    effect(() => {
      if (state.frameRequests.value > 0) {
        this.frame(null);
      }
    });
  }

  private prepareFrame(now: number, isLowQuality: boolean): PerspectiveCamera {
    this.frameNewSubject();
    this.contents.arrange(this.colors, isLowQuality);
    const head = this.contents.head();
    const mode = head === null ? "orbit" : this.app.state.camera.peek();
    const camera = this.cameraRig.camera(mode, head, this.aspect);
    if (this.contents.updateHighlight(camera, this.colors, now)) {
      this.renderLoop.request();
    }
    render(
      <Overlay
        app={this.app}
        hud={this.contents.hudContent()}
        labels={this.contents.labels()}
        camera={camera}
        isFirstPerson={mode === "head"}
        onPick={(from) => this.frame(from)}
      />,
      this.overlay,
    );
    return camera;
  }

  /** Frames the motion when it first appears and when the arrangement changes. Otherwise the user's view is kept. */
  private frameNewSubject(): void {
    const { state } = this.app;
    const recordings = state.sceneRecordings.peek();
    const isSide = state.arrangement.peek() === "side" && recordings.length > 1;
    const isEmpty = state.recordings.peek().length === 0 && recordings.length === 0;
    const isLive = recordings[0]?.live !== undefined;
    const subject = isEmpty ? "" : `${isLive ? "live" : ""} ${isSide ? `side ${recordings.length}` : "overlay"}`;
    if (subject !== this.framedSubject) {
      this.framedSubject = subject;
      this.frame(this.initialView(isSide));
    }
  }

  private initialView(isSide: boolean): Vector3 {
    const { side, above } = isSide ? INITIAL_VIEW_SIDE_BY_SIDE : INITIAL_VIEW;
    const direction = isSide ? new Vector3(0, 0, this.contents.facing().z < 0 ? -1 : 1) : this.contents.facing();
    direction.applyAxisAngle(new Vector3(0, 1, 0), side);
    return direction.setY(Math.tan(above));
  }

  private frame(from: Vector3 | null): void {
    this.cameraRig.frame(this.contents.box(), this.aspect, from);
    this.renderLoop.request();
  }

  private get aspect(): number {
    return viewportSize.value.x / viewportSize.value.y;
  }
}
