/** The canvas and when it is drawn: once a frame at most, and only if something changed. */

import { type Color, type PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { Pace } from "./pace";
import { pictureSize, pixelSize } from "./strokes";

/** After so long without a change, the picture is drawn with all its pixels. */
const REST_MS = 160;
const FINEST = 2;

interface Graphics {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
  readonly isSoftware: boolean;
}

/** A canvas that hides what is behind it, so that the browser need not mix them; with smooth edges if there is a graphics card. */
function graphicsOf(canvas: HTMLCanvasElement): Graphics {
  const wished: WebGLContextAttributes = { alpha: false, stencil: false, powerPreference: "high-performance" };
  const quick = canvas.getContext("webgl2", { ...wished, antialias: true, failIfMajorPerformanceCaveat: true });
  const context = quick ?? canvas.getContext("webgl2", { ...wished, antialias: false });
  if (context === null) {
    throw new Error("WebGL 2 is not available");
  }
  return { canvas, context, isSoftware: quick === null };
}

export class Stage {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  framesDrawn = 0;
  private readonly graphics: Graphics;
  private readonly pace = new Pace();
  private isRequested = false;
  private rest: number | undefined;

  /**
   * Fails where there is no WebGL. `compose` puts everything in place and says through which camera it is seen; in haste if things
   * move and there is no graphics card.
   */
  constructor(
    private readonly host: HTMLElement,
    private readonly compose: (now: number, isHasty: boolean) => PerspectiveCamera,
  ) {
    this.graphics = graphicsOf(document.createElement("canvas"));
    this.renderer = new WebGLRenderer(this.graphics);
    host.append(this.canvas);
    new ResizeObserver(() => this.request()).observe(host);
    this.canvas.addEventListener("webglcontextrestored", () => this.request());
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  setBackground(colour: Color): void {
    this.renderer.setClearColor(colour);
  }

  /** Draws with the next frame of the browser. */
  request(): void {
    if (!this.isRequested) {
      this.isRequested = true;
      requestAnimationFrame((now) => this.frame(now));
    }
  }

  async picture(): Promise<Blob> {
    this.draw(performance.now(), this.finest);
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser gave no picture")) : resolve(blob)));
    });
  }

  private frame(now: number): void {
    this.isRequested = false;
    this.pace.frame(now);
    const ratio = this.pace.share * Math.min(window.devicePixelRatio, FINEST);
    this.draw(now, ratio);
    clearTimeout(this.rest);
    if (ratio < this.finest) {
      this.rest = window.setTimeout(() => this.draw(performance.now(), this.finest), REST_MS);
    }
  }

  /** What smooths edges on a graphics card takes too long without one: more pixels do the same for a picture that rests. */
  private get finest(): number {
    return this.graphics.isSoftware ? FINEST : Math.min(window.devicePixelRatio, FINEST);
  }

  private draw(now: number, ratio: number): void {
    this.fit(ratio);
    this.renderer.render(this.scene, this.compose(now, this.graphics.isSoftware && ratio < this.finest));
    this.framesDrawn += 1;
  }

  private fit(ratio: number): void {
    const { clientWidth, clientHeight } = this.host;
    const [width, height] = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    const { value: size } = pictureSize;
    if (this.renderer.getPixelRatio() !== ratio || size.x !== width || size.y !== height) {
      size.set(width, height);
      pixelSize.value = 1 / ratio;
      this.renderer.setDrawingBufferSize(width, height, ratio);
    }
  }
}
