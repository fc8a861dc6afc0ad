import { createReadStream } from 'node:fs';
import { unreadableInput } from '../../files/failure.js';
import type { Context } from '../../host/context.js';
import { openStdin } from '../../host/environment.js';
import { note } from '../../host/notes.js';
import { usage } from '../../errors/usage.js';
import type { IdList } from './id-list.js';
import { IdReader, type GivenIds } from './parse.js';

/** Size of a file of ids at most, in bytes; an id and its line feed are 37. */
const mostBytes = 64 * 1024 * 1024;

/** Size of a file with about ten ids, in bytes. The memory of more calls than that matters. */
const manyBytes = 370;

async function idsOf(context: Context, chunks: AsyncIterable<Uint8Array>, source: string): Promise<GivenIds> {
  const reader = new IdReader(source);
  // The reader takes the byte order mark away.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    // Before the ids are read: V8 keeps the room for young objects that it took for them.
    if (length >= manyBytes) context.collectGarbage();
    if (length > mostBytes) throw usage('--ids', `${source} is larger than ${mostBytes / 1024 / 1024} MB`);
    reader.push(decoder.decode(chunk, { stream: true }));
  }
  reader.push(decoder.decode());
  return reader.end();
}

async function readFile(context: Context, file: string, source: string): Promise<GivenIds> {
  const { environment, signal } = context;
  try {
    const path = environment.pathOf(file);
    const stream = file === '-' ? openStdin(environment, signal) : createReadStream(path, { signal });
    // A stream without an encoding gives bytes, which its type does not say.
    return await idsOf(context, stream as AsyncIterable<Uint8Array>, source);
  } catch (thrown) {
    signal.throwIfAborted();
    throw unreadableInput(source, thrown);
  }
}

/**
 * The ids of a file, or of stdin by `-`, each once. Nothing is called before all of them are known to be GUIDs. Throws
 * `usage` for what is no GUID, and for a file that cannot be read or is too large.
 */
export async function readIds(
  context: Context,
  flags: { readonly quiet?: boolean | undefined },
  file: string,
): Promise<IdList> {
  const source = file === '-' ? 'stdin' : file;
  const { ids, repeats } = await readFile(context, file, source);
  if (repeats > 0) await note(context, flags, `${source} repeats ids (lines: ${repeats}); each is asked for once`);
  return ids;
}
