/** Twenty times as fast as `Uint8Array.from`, which iterates over characters. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) {
    bytes[n] = text.charCodeAt(n);
  }
  return bytes;
}
