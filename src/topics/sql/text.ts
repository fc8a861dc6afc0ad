import { usage } from '../../errors/usage.js';
import { readBounded } from '../../files/read-bounded.js';
import type { Context } from '../../host/context.js';
import { givenName, openGiven } from '../../host/given.js';
import type { Given } from '../../query/mistake.js';

/** Bytes of a statement: no letter takes more than four. */
const mostBytes = 4 * 1024 * 1024;

async function bytesOf(context: Context, file: string): Promise<Buffer> {
  const bytes = await readBounded(openGiven(context, file), mostBytes);
  if (bytes === undefined) throw usage('--file', `${givenName(file)} is larger than 4 MiB`);
  return bytes;
}

function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage('--file', `${name} is not text in UTF-8`);
  }
}

/**
 * The statement that was given: as the argument, by --file, or on stdin for `-`; undefined when there is none. Throws
 * `usage` for both, and for a file that cannot be read.
 */
export async function givenStatement(
  context: Context,
  query: string | undefined,
  file: string | undefined,
): Promise<Given | undefined> {
  if (query !== undefined && file !== undefined) {
    throw usage('--file', 'the statement is given twice: as QUERY and by --file', { advice: 'Leave one of them out.' });
  }
  if (query !== undefined && query !== '-') return { path: 'QUERY', text: query };
  const source = query ?? file;
  if (source === undefined) return undefined;
  const name = givenName(source);
  return { path: name, text: textOf(await bytesOf(context, source), name) };
}
