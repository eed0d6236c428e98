/** Connects the scene with the state: redraws on changes, and moves the camera. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { type PerspectiveCamera, Vector3 } from "three";
import type { App } from "../app";
import { VIEW } from "../commands/commands";
import { CommandButton } from "../commands/controls";
import { element } from "../dom";
import { ICONS } from "../icons";
import type { State } from "../state";
import { themeChanges } from "../theme";
import { CameraRig } from "./camera-rig";
import { Compass } from "./compass";
import { Hud } from "./hud";
import { Labels } from "./labels";
import { viewportSize } from "./line-batch";
import { RenderLoop } from "./render-loop";
import { SceneColors } from "./scene-colors";
import { SceneContents } from "./scene-contents";
import type { SceneView } from "./scene-view";
import { followLight } from "./shading";
import { steerByKeys } from "./steering";

/** Radians from the direction that users face: from the side and slightly above. */
const INITIAL_VIEW = { side: 1.6, above: 0.36 };
/** From the front, recordings side by side hide each other less. */
const INITIAL_VIEW_SIDE_BY_SIDE = { side: 0.15, above: 0.3 };

export class ThreeSceneView implements SceneView {
  private readonly renderLoop: RenderLoop;
  private readonly contents: SceneContents;
  private readonly cameraRig: CameraRig;
  private readonly hud: Hud;
  private readonly labels: Labels;
  private readonly compass: Compass;
  private readonly views = element("div", { class: "scene-views" });
  private colors = new SceneColors();
  private readonly state: State;
  private framedSubject: string | null = null;

  /** Throws if WebGL is not available. */
  constructor(host: HTMLElement, app: App) {
    this.state = app.state;
    this.renderLoop = new RenderLoop(host, (now, isLowQuality) => this.prepareFrame(now, isLowQuality));
    this.contents = new SceneContents(app.state);
    this.renderLoop.scene.add(this.contents.group);
    const { canvas } = this.renderLoop;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "Head, hands and gaze in 3D: arrows rotate the view, + and - zoom");
    canvas.addEventListener("dblclick", () => app.view.frameAll());
    this.cameraRig = new CameraRig(canvas, () => this.renderLoop.request());
    steerByKeys(canvas, this.cameraRig);
    this.hud = new Hud(host);
    this.labels = new Labels(host);
    this.compass = new Compass(this.views, (from) => this.frame(from));
    const frameButton = element("div");
    render(<CommandButton app={app} icon={ICONS.frame} command={VIEW.frame} />, frameButton);
    this.views.append(frameButton);
    host.append(this.views);
    this.redrawOnChange();
  }

  get framesDrawn(): number {
    return this.renderLoop.framesDrawn;
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
      this.contents.paint(this.colors);
      this.renderLoop.setBackground(this.colors.of("ground"));
      this.renderLoop.request();
    });
    const { state } = this;
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
    const mode = head === null ? "orbit" : this.state.camera.peek();
    const camera = this.cameraRig.camera(mode, head, this.aspect);
    this.views.hidden = mode === "head";
    if (this.contents.updateHighlight(camera, this.colors, now)) {
      this.renderLoop.request();
    }
    const { x: width, y: height } = viewportSize.value;
    this.hud.show(this.contents.hudContent());
    this.labels.show(this.contents.labels(), camera, width, height);
    this.compass.show(camera);
    return camera;
  }

  /** Frames the motion when it first appears and when the arrangement changes. Otherwise the user's view is kept. */
  private frameNewSubject(): void {
    const recordings = this.state.sceneRecordings.peek();
    const isSide = this.state.arrangement.peek() === "side" && recordings.length > 1;
    const isEmpty = this.state.recordings.peek().length === 0 && recordings.length === 0;
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
