/** What a file is that is no `.bin` recording, and how to make one of it. */

export const MAGIC = [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a];

interface ConvertibleFormat {
  readonly words: string;
  readonly extension: string;
}

/** Those that `holotape convert` reads. */
const CONVERTIBLE: readonly (readonly [start: string, kind: ConvertibleFormat])[] = [
  ["HL2SSV", { words: "an hl2ss stream, which uses .bin as well", extension: "bin" }],
  ["X38HL2SS", { words: "an hl2ss stream, which uses .bin as well", extension: "bin" }],
  ["PAR1", { words: "a Parquet table", extension: "parquet" }],
  ["glTF", { words: "a binary glTF scene", extension: "glb" }],
  ["{", { words: "JSON text", extension: "json" }],
];

const OTHER_FORMATS: readonly (readonly [start: string, words: string])[] = [
  ["ARROW1", "it is an Arrow table, from which no recording can be read; use the file that it was made from"],
  ["\x89MCAP", "it is an MCAP log, from which no recording can be read; use the file that it was made from"],
  ["HIERARCHY", "it is BVH motion, from which no recording can be read; use the file that it was made from"],
  ["PK", "it is a ZIP archive; unpack it first"],
  ["\x1f\x8b", "it is compressed with gzip; unpack it first"],
  ["\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"],
  ["\xfd7zXZ", "it is compressed with xz; unpack it first"],
  ["version https://git-lfs", "it is a Git LFS pointer; run `git lfs pull` to get the file itself"],
  ["\x08\0\0\0\x08\0\0\0", "it has no header; `holotape repair --headerless` reads it"],
  [String.fromCharCode(...[...MAGIC].reverse()), "its magic number is byte-swapped, which no known program writes"],
  ["<", "it is a web page or XML, perhaps what a server says about a file that it does not have"],
];

/** Words that follow a colon. The name is that of the file, where it has one. */
export function describe(bytes: Uint8Array, name: string | undefined): string {
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
    return advice({ words: "text, perhaps a table", extension: start.includes("\t") ? "txt" : "csv" }, name);
  }
  return "the first eight bytes are not the magic number c6 42 9e 0f 6e af 8f 6a";
}

function advice({ words, extension }: ConvertibleFormat, name = `take.${extension}`): string {
  const shown = /^[\w./\\:-]+$/.test(name) ? name : JSON.stringify(name);
  const made = name === "take.bin" ? "converted.bin" : "take.bin";
  return `it is ${words}; \`holotape convert ${shown} ${made}\` makes a recording of what it knows`;
}
