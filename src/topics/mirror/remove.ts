import type { Values } from '../../cli/flags/define.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { nearest } from '../../lexical/nearest.js';
import type { addFlags } from './add/sources.js';
import { openToWrite } from './open.js';
import { openToRead } from './read.js';
import { placeOfMirror } from '../../cli/mirror/place.js';

/** Removes a source from what a mirror reads, with its rows. Throws `usage` for an unknown one, and what opening throws. */
export async function removeSource(
  context: Context,
  flags: Values<typeof addFlags> & CommonFlags,
  name: string,
): Promise<void> {
  // There is nothing to remove where there is no mirror.
  openToRead(context, placeOfMirror(context, flags));
  const { mirror } = await openToWrite(context, flags);
  const names = (await mirror.sources()).map((source) => source.name);
  if (!names.includes(name)) {
    throw usage('SOURCE', `the mirror has no source '${name}'`, {
      hint: 'relctl mirror status',
      ...perhaps(name, nearest(name, names)),
    });
  }
  await mirror.remove(name);
  if (context.streams.err.isTerminal)
    await note(context, flags, `Done: removed ${name} from the mirror, with its rows`);
}
