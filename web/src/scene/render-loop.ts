/** Draws the canvas at most once per frame, and only after a change. */

import { type PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { AdaptiveResolution } from "./adaptive-resolution";
import { pixelSize, viewportSize } from "./line-batch";

/** After this time without a change, the scene is drawn at full resolution. */
const IDLE_MS = 160;
/** Drawn pixels per screen pixel along a side, and its limits per CSS pixel. */
const OVERSAMPLING = 1.5;
const MIN_PIXEL_RATIO = 2;
const MAX_PIXEL_RATIO = 3;

/** Renderers that run on the CPU. */
const SOFTWARE_RENDERERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * An opaque canvas, which is cheaper to composite. Antialiasing is done by oversampling instead of MSAA, because the oversampling factor
 * can be changed at run time.
 */
function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  const context = canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "high-performance" });
  if (context === null) {
    throw new Error("WebGL 2 is not available");
  }
  return context;
}

function isSoftware(context: WebGL2RenderingContext): boolean {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  return info !== null && SOFTWARE_RENDERERS.test(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}

export class RenderLoop {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  framesDrawn = 0;
  private readonly resolution: AdaptiveResolution;
  private isRequested = false;
  private idleTimer: number | undefined;

  /**
   * Throws if WebGL is not available. `prepareFrame` updates the scene and returns the camera; with low quality if the scene moves and the
   * machine is slow.
   */
  constructor(
    private readonly host: HTMLElement,
    private readonly prepareFrame: (now: number, isLowQuality: boolean) => PerspectiveCamera,
  ) {
    const canvas = document.createElement("canvas");
    const context = contextOf(canvas);
    this.renderer = new WebGLRenderer({ canvas, context });
    this.resolution = new AdaptiveResolution(isSoftware(context));
    host.append(this.canvas);
    new ResizeObserver(() => this.request()).observe(host);
    this.canvas.addEventListener("webglcontextrestored", () => this.request());
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Whether the scene is drawn at full resolution and no redraw is requested. */
  get isIdle(): boolean {
    return !this.isRequested && this.idleTimer === undefined;
  }

  /** Requests a redraw with the next frame. */
  request(): void {
    if (!this.isRequested) {
      this.isRequested = true;
      requestAnimationFrame((now) => this.frame(now));
    }
  }

  async snapshot(): Promise<Blob> {
    this.draw(performance.now(), 1);
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) =>
        blob === null ? reject(new Error("image export failed: the browser returned no data")) : resolve(blob),
      );
    });
  }

  private frame(now: number): void {
    this.isRequested = false;
    this.resolution.frame(now);
    const { scale } = this.resolution;
    this.draw(now, scale);
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
    if (scale < 1) {
      this.idleTimer = window.setTimeout(() => {
        this.idleTimer = undefined;
        this.draw(performance.now(), 1);
      }, IDLE_MS);
    }
  }

  /** Draws with a fraction of the pixels per side. */
  private draw(now: number, scale: number): void {
    const maxRatio = Math.min(Math.max(OVERSAMPLING * window.devicePixelRatio, MIN_PIXEL_RATIO), MAX_PIXEL_RATIO);
    this.fit(scale * maxRatio);
    this.renderer.render(this.scene, this.prepareFrame(now, scale < 1));
    this.framesDrawn += 1;
  }

  private fit(ratio: number): void {
    const { clientWidth, clientHeight } = this.host;
    const [width, height] = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    const { value: size } = viewportSize;
    if (this.renderer.getPixelRatio() !== ratio || size.x !== width || size.y !== height) {
      size.set(width, height);
      pixelSize.value = 1 / ratio;
      this.renderer.setDrawingBufferSize(width, height, ratio);
    }
  }
}
