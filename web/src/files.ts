/** Choosing, naming and saving files. */

/** Shows the browser's file dialog. */
export function chooseFiles(onChosen: (files: readonly File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.addEventListener("change", () => onChosen([...(input.files ?? [])]));
  input.click();
}

/** Saves a file to the browser's download folder. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Removes the extension: "grasp" for "grasp.bin" and "grasp.bin.zst". */
export function stemOf(name: string): string {
  return name.replace(COMPRESSION, "").replace(/\.[^.]*$/, "");
}

/** The name to suggest for a changed recording: compressed if the original is. */
export function editedName(name: string): string {
  return `${stemOf(name)}-edited.bin${COMPRESSION.exec(name)?.[0].toLowerCase() ?? ""}`;
}

/** The extensions of compressed files. */
const COMPRESSION = /\.(gz|zst)$/i;
