/** The scene: takes in 3D. */

import "./scene.css";
import { type App, wordsOf } from "../app";
import { element } from "../dom";
import { Scenery } from "./scenery";

export interface SceneView {
  /** A picture of what is seen now. */
  picture(): Promise<Blob>;
  /** Where something of a take is drawn, back in Unity's space, for tests: "camera", "gaze", "left.IndexTip"; nothing if it is not drawn. */
  drawn(takeId: number, name: string): [number, number, number] | null;
  /** How many frames were drawn so far. */
  readonly framesDrawn: number;
}

export function mountScene(host: HTMLElement, app: App): SceneView {
  try {
    return new Scenery(host, app);
  } catch (error) {
    return withoutGraphics(host, error);
  }
}

/** The rest of the page does without. */
function withoutGraphics(host: HTMLElement, error: unknown): SceneView {
  console.warn(wordsOf(error));
  const words =
    "This browser shows no 3D graphics. Turn on WebGL (hardware acceleration) in its settings, or try another browser.";
  host.append(element("p", { class: "scene-failure", role: "alert" }, words));
  return {
    picture: () => Promise.reject(new Error("there is no picture without 3D graphics")),
    drawn: () => null,
    framesDrawn: 0,
  };
}
