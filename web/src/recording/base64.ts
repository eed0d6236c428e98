/** `Uint8Array.fromBase64` is missing in some browsers, and in the types of TypeScript. */
interface WithFromBase64 {
  readonly fromBase64?: (base64: string) => Uint8Array<ArrayBuffer>;
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return (Uint8Array as WithFromBase64).fromBase64?.(base64) ?? decodeBinaryString(base64);
}

/** Twenty times as fast as `Uint8Array.from`, which iterates over characters. */
function decodeBinaryString(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) {
    bytes[n] = text.charCodeAt(n);
  }
  return bytes;
}
