export type BodyStart = { readonly add: (chunk: Buffer) => void; readonly bytes: () => Buffer };

/** Keeps the first bytes of a body and drops the rest. Copies, so that no socket's whole buffer stays in memory for a few bytes of it. */
export function bodyStart(maxBytes: number): BodyStart {
  const chunks: Buffer[] = [];
  let kept = 0;
  return {
    add: (chunk) => {
      if (kept >= maxBytes || chunk.length === 0) return;
      const part = Buffer.from(chunk.subarray(0, maxBytes - kept));
      kept += part.length;
      chunks.push(part);
    },
    bytes: () => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  };
}
