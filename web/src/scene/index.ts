/** The scene: takes in 3D. */

import "./scene.css";
import { type App, errorMessage } from "../app";
import { element } from "../dom";
import { ThreeSceneView } from "./scene-view";

export interface SceneView {
  /** A picture of what is seen now. */
  snapshot(): Promise<Blob>;
  /** Where something of a take is drawn, back in Unity's space, for tests: "camera", "gaze", "left.IndexTip"; nothing if it is not drawn. */
  drawn(recordingId: number, name: string): [number, number, number] | null;
  /** How many frames were drawn so far. */
  readonly framesDrawn: number;
}

export function mountScene(host: HTMLElement, app: App): SceneView {
  try {
    return new ThreeSceneView(host, app);
  } catch (error) {
    return withoutGraphics(host, error);
  }
}

/** The rest of the page does without. */
function withoutGraphics(host: HTMLElement, error: unknown): SceneView {
  console.warn(errorMessage(error));
  const text =
    "This browser shows no 3D graphics. Turn on WebGL (hardware acceleration) in its settings, or try another browser.";
  host.append(element("p", { class: "scene-failure", role: "alert" }, text));
  return {
    snapshot: () => Promise.reject(new Error("there is no picture without 3D graphics")),
    drawn: () => null,
    framesDrawn: 0,
  };
}
