/** The text between the strings of a JSON text is rewritten by `rewrite`; strings stay to the byte. Latin1: one character, one byte. */
export function mapOutsideStrings(text: string, rewrite: (between: string) => string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[^"]+/gs, (piece) => (piece.startsWith('"') ? piece : rewrite(piece)));
}

export function latin1Of(payload: Uint8Array): string {
  return Buffer.from(payload).toString('latin1');
}

export function bytesOf(latin1: string): Uint8Array {
  return Buffer.from(latin1, 'latin1');
}

/** True for a body whose outermost value is an object: only there can a member be added. */
export function isJsonObject(text: string): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{[\s\S]*\}\s*$/.test(text);
}
