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
}
