/** The 3D scene. */

import "./scene.css";
import { type App, errorMessage } from "../app";
import { element } from "../dom";
import type { SceneView } from "./scene-view";
import { ThreeSceneView } from "./three-scene-view";

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
  };
}
