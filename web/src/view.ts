/** Actions on how the page shows the recordings: camera, panels, curves in the chart, theme. */

import type { AppState, Arrangement, CameraMode, PanelName, Theme } from "./state";

export class View {
  /** The panel that `togglePanel` opens again. */
  private lastPanel: PanelName = "recordings";

  constructor(private readonly state: AppState) {}

  setCamera(mode: CameraMode): void {
    this.state.camera.value = mode;
  }

  setArrangement(arrangement: Arrangement): void {
    this.state.arrangement.value = arrangement;
  }

  toggleArrangement(): void {
    this.setArrangement(this.state.arrangement.value === "overlay" ? "side" : "overlay");
  }

  setDifference(isShown: boolean): void {
    this.state.difference.value = isShown;
  }

  toggleDifference(): void {
    this.setDifference(!this.state.difference.value);
  }

  toggleTrails(): void {
    this.state.trails.value = !this.state.trails.value;
  }

  /** Moves the camera so that it shows all motion. */
  frameAll(): void {
    this.state.frameRequests.value += 1;
  }

  /** Highlights a body part or a joint in the scene. */
  highlight(subject: string | null): void {
    this.state.highlightedSubject.value = subject;
  }

  setTheme(theme: Theme): void {
    this.state.theme.value = theme;
  }

  openPanel(panel: PanelName): void {
    this.lastPanel = panel;
    this.state.panel.value = panel;
  }

  closePanel(): void {
    this.state.panel.value = null;
  }

  togglePanel(): void {
    if (this.state.panel.value === null) {
      this.openPanel(this.lastPanel);
    } else {
      this.closePanel();
    }
  }

  setHelpOpen(isOpen: boolean): void {
    this.state.helpOpen.value = isOpen;
  }

  /** Opens the edit panel and focuses the file name. */
  editFileName(): void {
    this.openPanel("edit");
    this.state.fileNameRequests.value += 1;
  }

  /** Adds curves to the chart, or removes them. */
  showCurves(names: readonly string[], isShown: boolean): void {
    const { drawnCurves } = this.state;
    const others = drawnCurves.value.filter((name) => !names.includes(name));
    const added = names.filter((name) => !drawnCurves.value.includes(name));
    drawnCurves.value = isShown ? [...drawnCurves.value, ...added] : others;
  }
}
