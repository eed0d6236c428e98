import type { App } from "../app"; import type { SceneView } from "../scene"; export function mountPanels(_host: HTMLElement, _app: App, _scene: SceneView): void {}
