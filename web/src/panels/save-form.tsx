/** Saves a recording under a name. Asks before it replaces a file. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Form, type RecordingProperties, TextInput } from "../components";
import { editedName } from "../files";
import { FileExistsError } from "../source/fetch-api";
import type { OpenRecording } from "../state";
import { Muted, TaskButton } from "./panel";

const TASK = "save";

export function SaveForm({ app, recording }: RecordingProperties) {
  const [name, setName] = useState(editedName(recording.info.name));
  const [existingName, setExistingName] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useFileNameRequests(app.state.fileNameRequests.value, () => input.current?.select());

  const save = (replace: boolean) =>
    app.runExclusive(TASK, async () => {
      const file = name.trim();
      setExistingName(null);
      try {
        const saved = await app.save(recording, file, replace);
        for (const message of saved === null ? [] : [`Saved as ${saved.path}`, ...saved.losses]) {
          app.notify(message);
        }
      } catch (error) {
        if (!(error instanceof FileExistsError)) {
          throw error;
        }
        setExistingName(file);
      }
    });
  const rename = (typed: string) => {
    setName(typed);
    setExistingName(null);
  };
  const cancel = () => {
    setExistingName(null);
    input.current?.focus();
  };
  return (
    <section class="saving">
      <h3>Save</h3>
      <Muted>{folderText(recording)}</Muted>
      <Form class="save-form" onSubmit={() => void save(false)}>
        <TextInput inputRef={input} required label="File name" value={name} onInput={rename} />
        <TaskButton app={app} task={TASK} type="submit">
          Save as
        </TaskButton>
      </Form>
      <div class="question" role="alert">
        {existingName && <ReplaceQuestion name={existingName} onReplace={() => void save(true)} onCancel={cancel} />}
      </div>
    </section>
  );
}

interface ReplaceQuestionProperties {
  readonly name: string;
  readonly onReplace: () => void;
  readonly onCancel: () => void;
}

function ReplaceQuestion({ name, onReplace, onCancel }: ReplaceQuestionProperties) {
  return (
    <>
      <p>{`${name} already exists. Replace it?`}</p>
      <div class="decision">
        <button type="button" onClick={onReplace}>
          Replace
        </button>
        {/* Focused, so that pressing Enter twice does not replace the file. */}
        <button type="button" ref={(button) => button?.focus()} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

/** Calls back when the request count changes, but not when the component is mounted. */
function useFileNameRequests(count: number, onRequest: () => void): void {
  const handled = useRef(count);
  useEffect(() => {
    if (handled.current !== count) {
      handled.current = count;
      onRequest();
    }
  });
}

function folderText({ info }: OpenRecording): string {
  return info.origin === "file" || info.origin === "recorded"
    ? `Saves to the folder of ${info.name}.`
    : "Saves to the folder in which holotape view was started.";
}
