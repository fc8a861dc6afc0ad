import type { Values } from '../../cli/flags/define.js';
import { switchFlag } from '../../cli/flags/define.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { placeOfMirror } from '../../cli/mirror/place.js';
import { declined, perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { canAsk } from '../../host/may-ask.js';
import { note } from '../../host/notes.js';
import { confirm } from '../../host/prompt.js';
import { nearest } from '../../lexical/nearest.js';
import { removeMirrorFile } from '../../mirror/remove.js';
import { addFlags } from './add/sources.js';
import { lockMirror, openToWrite } from './open.js';
import { noMirror, readMirror } from '../../cli/mirror/open.js';

/** Flags of `mirror remove`. */
export const removeFlags = {
  all: switchFlag({ summary: 'Remove the mirror: its file, its journal, and all that is in them.' }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask.' }),
  ...addFlags,
};

type Flags = Values<typeof removeFlags> & CommonFlags;

/** Removes the mirror. Throws `not-found` when there is none, `locked`, `usage` where the answer is no, and `local`. */
async function removeAll(context: Context, flags: Flags): Promise<void> {
  const place = placeOfMirror(context, flags);
  const { file } = place;
  if (!flags.yes && canAsk(context, flags) && !(await confirm(context, `Really remove the mirror ${file}?`)))
    throw declined('nothing was removed');
  await lockMirror(context, file, flags);
  if (removeMirrorFile(file).length === 0) throw noMirror(place);
  if (context.streams.err.isTerminal) await note(context, flags, `Done: removed ${file}`);
}

/** Removes a source with its rows. Throws `usage` for an unknown one, and what opening throws. */
async function removeSource(context: Context, flags: Flags, name: string): Promise<void> {
  // There is nothing to remove where there is no mirror.
  readMirror(context, flags);
  const { mirror } = await openToWrite(context, flags);
  const names = mirror.sources().map((source) => source.name);
  if (!names.includes(name)) {
    throw usage('SOURCE', `the mirror has no source '${name}'`, {
      hint: 'relctl mirror status',
      ...perhaps(name, nearest(name, names)),
    });
  }
  mirror.remove(name);
  if (context.streams.err.isTerminal)
    await note(context, flags, `Done: removed ${name} from the mirror, with its rows`);
}

/** Removes a source of a mirror, or the mirror. Throws `usage` for both or neither, and what removing throws. */
export async function removeMirrored(context: Context, source: string | undefined, flags: Flags): Promise<void> {
  if (source !== undefined && flags.all) throw usage('--all', '--all removes the whole mirror, and SOURCE one list');
  if (flags.all) return removeAll(context, flags);
  if (source !== undefined) return removeSource(context, flags, source);
  throw usage(
    'SOURCE',
    'SOURCE is missing: the list to remove; --all removes the whole mirror',
    'relctl mirror status',
  );
}
