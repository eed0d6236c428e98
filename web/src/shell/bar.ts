import type { App } from "../app"; export function mountBar(_host: HTMLElement, _app: App): void {}
