/** Puts the scene together: what is in it, from where it is seen, and what is said about it. */

import { effect } from "@preact/signals-core";
import { type PerspectiveCamera, Vector3 } from "three";
import type { App } from "../app";
import { element } from "../dom";
import { ICONS } from "../icons";
import { VIEW } from "../shell/commands";
import { commandButton } from "../shell/controls";
import type { State } from "../state";
import { themeChanges } from "../theme";
import { CameraRig } from "./camera-rig";
import { Compass } from "./compass";
import { Hud } from "./hud";
import type { SceneView } from "./index";
import { Labels } from "./labels";
import { viewportSize } from "./line-batch";
import { RenderLoop } from "./render-loop";
import { SceneColors } from "./scene-colors";
import { SceneContents } from "./scene-contents";
import { followLight } from "./shading";
import { steerByKeys } from "./steering";

/** From where one first looks, in radians from where the people face: a little from the side and from above. */
const FIRST_VIEW = { side: 1.6, above: 0.36 };
/** Takes that stand side by side hide each other less from the front. */
const FIRST_VIEW_OF_MANY = { side: 0.15, above: 0.3 };

export class ThreeSceneView implements SceneView {
  private readonly stage: RenderLoop;
  private readonly world: SceneContents;
  private readonly viewpoint: CameraRig;
  private readonly hud: Hud;
  private readonly labels: Labels;
  private readonly compass: Compass;
  private readonly views = element("div", { class: "scene-views" });
  private palette = new SceneColors();
  private readonly state: State;
  private framedOn: string | null = null;

  /** Fails where there is no WebGL. */
  constructor(host: HTMLElement, app: App) {
    this.state = app.state;
    this.stage = new RenderLoop(host, (now, isLowQuality) => this.compose(now, isLowQuality));
    this.world = new SceneContents(app.state);
    this.stage.scene.add(this.world.group);
    const { canvas } = this.stage;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "Head, hands and gaze in 3D: arrows turn the view, + and - zoom");
    canvas.addEventListener("dblclick", () => VIEW.frame.act(app));
    this.viewpoint = new CameraRig(canvas, () => this.stage.request());
    steerByKeys(canvas, this.viewpoint);
    this.hud = new Hud(host);
    this.labels = new Labels(host);
    this.compass = new Compass(this.views, (from) => this.look(from));
    this.views.append(commandButton(app, ICONS.frame, VIEW.frame));
    host.append(this.views);
    this.follow();
  }

  get framesDrawn(): number {
    return this.stage.framesDrawn;
  }

  snapshot(): Promise<Blob> {
    return this.stage.snapshot();
  }

  drawn(recordingId: number, name: string): [number, number, number] | null {
    return this.world.drawn(recordingId, name);
  }

  /** Draws when something has changed. */
  private follow(): void {
    effect(() => {
      themeChanges.value;
      this.palette = new SceneColors();
      followLight(this.palette);
      this.world.paint(this.palette);
      this.stage.setBackground(this.palette.of("ground"));
      this.stage.request();
    });
    const { state } = this;
    const seen = [state.time, state.sceneRecordings, state.activeId, state.camera, state.arrangement, state.difference];
    effect(() => {
      for (const signal of [...seen, state.trails, state.highlightedSubject, state.liveFrames]) {
        signal.value;
      }
      this.stage.request();
    });
    effect(() => {
      if (state.frameRequests.value > 0) {
        this.look(null);
      }
    });
  }

  private compose(now: number, isLowQuality: boolean): PerspectiveCamera {
    this.frameOnce();
    this.world.arrange(this.palette, isLowQuality);
    const head = this.world.head();
    const mode = head === null ? "orbit" : this.state.camera.peek();
    const camera = this.viewpoint.camera(mode, head, this.aspect);
    this.views.hidden = mode === "head";
    if (this.world.pointOut(camera, this.palette, now)) {
      this.stage.request();
    }
    const { x: width, y: height } = viewportSize.value;
    this.hud.show(this.world.words());
    this.labels.show(this.world.labels(), camera, width, height);
    this.compass.show(camera);
    return camera;
  }

  /** When there is something to see, and again when it stands elsewhere. What one chose to look at stays otherwise. */
  private frameOnce(): void {
    const recordings = this.state.sceneRecordings.peek();
    const isSide = this.state.arrangement.peek() === "side" && recordings.length > 1;
    const isEmpty = this.state.recordings.peek().length === 0 && recordings.length === 0;
    const isLive = recordings[0]?.live !== undefined;
    const subject = isEmpty ? "" : `${isLive ? "live" : ""} ${isSide ? `side ${recordings.length}` : "overlay"}`;
    if (subject !== this.framedOn) {
      this.framedOn = subject;
      this.look(this.firstView(isSide));
    }
  }

  private firstView(isSide: boolean): Vector3 {
    const { side, above } = isSide ? FIRST_VIEW_OF_MANY : FIRST_VIEW;
    const direction = isSide ? new Vector3(0, 0, this.world.facing().z < 0 ? -1 : 1) : this.world.facing();
    direction.applyAxisAngle(new Vector3(0, 1, 0), side);
    return direction.setY(Math.tan(above));
  }

  private look(from: Vector3 | null): void {
    this.viewpoint.frame(this.world.box(), this.aspect, from);
    this.stage.request();
  }

  private get aspect(): number {
    return viewportSize.value.x / viewportSize.value.y;
  }
}
