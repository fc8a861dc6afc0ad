import { createReadStream } from 'node:fs';
import { unreadableInput } from '../../files/failure.js';
import type { Context } from '../../host/context.js';
import { openStdin } from '../../host/environment.js';
import { note } from '../../host/notes.js';
import { parseIds, type GivenId } from './parse.js';
import { usage } from '../../errors/usage.js';
import { readBounded } from '../../files/read-bounded.js';

/** Size of a file of ids at most, in bytes; an id and its line feed are 37. */
const mostBytes = 64 * 1024 * 1024;

async function textOf(chunks: AsyncIterable<Uint8Array>, source: string): Promise<string> {
  const bytes = await readBounded(chunks, mostBytes);
  if (bytes === undefined) throw usage('--ids', `${source} is larger than ${mostBytes / 1024 / 1024} MB`);
  return bytes.toString('utf8');
}

async function readText({ environment, signal }: Context, file: string): Promise<string> {
  const source = file === '-' ? 'stdin' : file;
  try {
    const path = environment.pathOf(file);
    const stream = file === '-' ? openStdin(environment, signal) : createReadStream(path, { signal });
    // A stream without an encoding gives bytes, which its type does not say.
    return await textOf(stream as AsyncIterable<Uint8Array>, source);
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
): Promise<readonly GivenId[]> {
  const source = file === '-' ? 'stdin' : file;
  const { ids, repeats } = parseIds(await readText(context, file), source);
  if (repeats > 0) await note(context, flags, `${source} repeats ids (lines: ${repeats}); each is asked for once`);
  return ids;
}
