/** Saves under a name beside the file that a take came from. What is there already is replaced only if somebody says so. */

import type { App } from "../app";
import { element } from "../dom";
import { stemOf } from "../files";
import { FileExists } from "../source";
import type { OpenRecording } from "../state";
import { heading, isRunning, paragraph, runExclusive } from "./panel";

const TASK = "save";
const NAME_ID = "save-name";

/** Goes to where the name is typed, with the panel that it is in. */
export function nameFile({ state }: App): void {
  state.panel.value = "edit";
  const field = document.getElementById(NAME_ID);
  if (field instanceof HTMLInputElement) {
    field.select();
  }
}

export class SaveForm {
  readonly view: HTMLElement;
  private readonly name = element("input", {
    id: NAME_ID,
    type: "text",
    required: true,
    "aria-label": "Name of the file",
  });
  private readonly button = element("button", { type: "submit" }, "Save as");
  private readonly where = paragraph("");
  private readonly question = element("div", { class: "question", role: "alert" });
  private recording: OpenRecording | null = null;

  constructor(private readonly app: App) {
    const form = element("form", { class: "save-form" }, this.name, this.button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void runExclusive(app, TASK, () => this.save(false));
    });
    this.name.addEventListener("input", () => this.question.replaceChildren());
    this.view = element("section", { class: "saving" }, heading("Save"), this.where, form, this.question);
  }

  /** Offers another name only for another take: what somebody has typed stays. */
  show(recording: OpenRecording | null): void {
    if (recording !== null && recording.info.id !== this.recording?.info.id) {
      this.name.value = defaultName(recording);
      this.where.textContent = folderText(recording);
      this.question.replaceChildren();
    }
    this.recording = recording;
    this.button.ariaBusy = isRunning(TASK) ? "true" : null;
    this.view.hidden = recording === null;
  }

  private async save(replace: boolean): Promise<void> {
    const { app, recording } = this;
    const name = this.name.value.trim();
    this.question.replaceChildren();
    try {
      const saved = recording && (await app.save(recording, name, replace));
      for (const words of saved === null ? [] : [`Saved as ${saved.path}`, ...saved.losses]) {
        app.notify(words);
      }
    } catch (error) {
      if (!(error instanceof FileExists)) {
        throw error;
      }
      this.ask(name);
    }
  }

  private ask(name: string): void {
    const replace = element("button", { type: "button" }, "Replace");
    const cancel = element("button", { type: "button" }, "Cancel");
    replace.addEventListener("click", () => void runExclusive(this.app, TASK, () => this.save(true)));
    cancel.addEventListener("click", () => {
      this.question.replaceChildren();
      this.name.focus();
    });
    const words = paragraph(`There is already ${name}. Replace it?`, "");
    this.question.replaceChildren(words, element("div", { class: "decision" }, replace, cancel));
    // Enter once too often must not cost a file.
    cancel.focus();
  }
}

function folderText({ info }: OpenRecording): string {
  return info.origin === "file" || info.origin === "recorded"
    ? `Into the folder of ${info.name}.`
    : "Into the folder in which holotape view was started.";
}

/** "take.bin" becomes "take-edited.bin"; so does "take.csv", for recordings are what is saved. */
function defaultName({ info }: OpenRecording): string {
  return `${stemOf(info.name)}-edited.bin`;
}
