/** Detects other file formats, and how to convert them. */

export const MAGIC = [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a];

interface ConvertibleFormat {
  readonly description: string;
  readonly extension: string;
}

/** Formats that `holotape convert` reads. */
const CONVERTIBLE: readonly (readonly [start: string, kind: ConvertibleFormat])[] = [
  ["HL2SSV", { description: "an hl2ss stream, which also uses .bin", extension: "bin" }],
  ["X38HL2SS", { description: "an hl2ss stream, which also uses .bin", extension: "bin" }],
  ["PAR1", { description: "a Parquet table", extension: "parquet" }],
  ["glTF", { description: "a binary glTF scene", extension: "glb" }],
  ["\x01\0\0\0", { description: "perhaps a Unity hand capture", extension: "handsbin" }],
  ["\x02\0\0\0", { description: "perhaps a Unity hand capture", extension: "handsbin" }],
  ["{", { description: "JSON text", extension: "json" }],
];

const OTHER_FORMATS: readonly (readonly [start: string, words: string])[] = [
  ["ARROW1", "it is an Arrow table, which cannot be read; use its source file"],
  ["\x89MCAP", "it is an MCAP log, which cannot be read; use its source file"],
  ["HIERARCHY", "it is BVH motion, which cannot be read; use its source file"],
  ["PK", "it is a ZIP archive; unpack it first"],
  ["\x1f\x8b", "it is compressed with gzip; unpack it first"],
  ["\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"],
  ["\xfd7zXZ", "it is compressed with xz; unpack it first"],
  ["version https://git-lfs", "it is a Git LFS pointer; run `git lfs pull` to get the file itself"],
  ["\x08\0\0\0\x08\0\0\0", "it has no header; `holotape repair --headerless` reads it"],
  [String.fromCharCode(...[...MAGIC].reverse()), "its magic number is byte-swapped, which no known program writes"],
  ["<", "it is a web page or XML, perhaps the error page of a server"],
];

/** Describes a file for an error message. */
export function describeFile(bytes: Uint8Array, name: string | undefined): string {
  const start = String.fromCharCode(...bytes.subarray(0, 64)).replace(/^\xef\xbb\xbf/, "");
  const text = start.trimStart();
  const convertible = CONVERTIBLE.find(([magic]) => text.startsWith(magic))?.[1];
  if (convertible !== undefined) {
    return advice(convertible, name);
  }
  const other = OTHER_FORMATS.find(([magic]) => start.startsWith(magic))?.[1];
  if (other !== undefined) {
    return other;
  }
  if (/^[\t\r\n\x20-\x7e]+$/.test(start)) {
    return advice({ description: "text, perhaps a table", extension: start.includes("\t") ? "txt" : "csv" }, name);
  }
  return "the first eight bytes are not the magic number c6 42 9e 0f 6e af 8f 6a";
}

function advice({ description, extension }: ConvertibleFormat, name = `recording.${extension}`): string {
  const argument = /^[\w./\\:-]+$/.test(name) ? name : JSON.stringify(name);
  const output = name === "recording.bin" ? "converted.bin" : "recording.bin";
  return `it is ${description}; convert it with \`holotape convert ${argument} ${output}\``;
}
