/** Reports from a page to the test process. */

import type { RecordingEvent } from "./types";

export interface Report {
  /** Identifies the document: numbers restart in each. */
  readonly document: number;
  readonly number: number;
  readonly time: number;
  readonly events: readonly RecordingEvent[];
}

/** Methods of the controller that run in the page. */
export type Method = "play" | "pause" | "seek" | "step" | "uninstall";

/** The symbol of the page's function that executes a method and returns a report. */
export const REMOTE_SYMBOL = "holotape-webxr.remote";

/** Orders reports: those of played frames use another channel than replies, and can overtake them. */
export class ReportQueue {
  private document: number | null = null;
  private next = 0;
  private readonly early = new Map<number, Report>();
  private readonly waiting = new Map<number, () => void>();

  constructor(private readonly applyReport: (report: Report) => void) {}

  add(report: Report): void {
    if (report.document !== this.document) {
      if (this.document !== null && report.document < this.document) {
        return;
      }
      this.document = report.document;
      this.next = 0;
      this.early.clear();
      this.release();
    }
    this.early.set(report.number, report);
    for (let due = this.early.get(this.next); due !== undefined; due = this.early.get(this.next)) {
      this.early.delete(this.next);
      this.next += 1;
      this.applyReport(due);
    }
    this.release();
  }

  /** Waits until all reports up to this one are applied. */
  async processed({ document, number }: Report): Promise<void> {
    if (document === this.document && number >= this.next) {
      await new Promise<void>((resolve) => this.waiting.set(number, resolve));
    }
  }

  private release(): void {
    for (const [number, resolve] of [...this.waiting]) {
      if (number < this.next || this.next === 0) {
        this.waiting.delete(number);
        resolve();
      }
    }
  }
}
