/**
 * All bytes of a stream, which is bounded before they are there; undefined when there are more than allowed, of which no
 * more is read then. Throws what the stream throws.
 */
export async function readBounded(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | undefined> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    all.push(chunk);
  }
  return Buffer.concat(all, length);
}
