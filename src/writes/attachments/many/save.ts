import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../kit/session/session.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { attempt } from '../../../state/own-file.js';
import type { Context } from '../../../kit/host/context.js';
import { safeFileName } from '../../../core/text/file-name.js';
import type { Note } from '../../../soap/codec/notes.js';
import { fetched, type AttachmentFlags } from '../get.js';
import { knownFile } from '../sent-file.js';
import { createAttachmentSink, toFile, type FileDestination } from '../sink.js';
import type { OpenResults, SavedFile, Told } from './results.js';

/** Where attachments are saved. */
export interface Saving {
  readonly context: Context;
  readonly session: Session;
  readonly flags: Pick<AttachmentFlags, 'force' | 'only-missing'>;
  readonly folder: string;
  readonly results: OpenResults;
  readonly onNotes: (notes: readonly Note[]) => void;
}

/** An attachment, and the file that an earlier run says it saved. */
export interface Asked {
  readonly id: string;
  readonly earlier: SavedFile | undefined;
}

const lookAt = (path: string): Stats | undefined => attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));

/** True for a file with this content. A file that cannot be read is another one. */
async function holds(path: string, content: Pick<SavedFile, 'size' | 'sha256'>, signal: AbortSignal): Promise<boolean> {
  const found = lookAt(path);
  if (found?.isFile() !== true || found.size !== content.size) return false;
  try {
    return (await knownFile(path, signal)).sha256 === content.sha256;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The name of a file: with the Id, so that no two attachments ever have the same one, in any case of letters. */
const nameOf = (id: string, given: string): string => `${id}_${safeFileName(given, 'attachment')}`;

async function checkPlace(
  { context, flags, folder }: Saving,
  name: string,
  earlier: SavedFile | undefined,
): Promise<void> {
  const path = join(folder, name);
  const found = lookAt(path);
  if (found === undefined) return;
  const isEarlier = earlier?.file === name && (await holds(path, earlier, context.signal));
  if (isEarlier || (flags.force && !found.isDirectory())) return;
  throw new RelctlError('local', `${path} exists already, and is not what relctl saved: --force replaces it`, {
    facts: { code: 'EEXIST', path },
  });
}

async function save(saving: Saving, { id, earlier }: Asked, destination: FileDestination): Promise<Told> {
  const { context, session, folder, results } = saving;
  const { signal } = context;
  const sink = createAttachmentSink(destination);
  const { attachment, notes } = await fetched({ session, attachmentId: id }, sink, signal);
  saving.onNotes(notes);
  const file = nameOf(id, attachment.FileName ?? '');
  const content = sink.content();
  const told = (outcome: Told['outcome']): Told => {
    const at = context.clock.date().toISOString();
    return { id, file, ...content, outcome, at };
  };
  if (await holds(join(folder, file), content, signal)) return told('there');
  await checkPlace(saving, file, earlier);
  // When the run is killed behind the rename, the results know the file all the same.
  await results.add(told('saving'));
  destination.putAs(join(folder, file));
  return told('saved');
}

/**
 * Saves the file of an attachment, unless it is there. Gives what became of it, which the results do not tell yet. Throws what
 * the call throws, and `local`.
 */
export async function saveOne(saving: Saving, asked: Asked): Promise<Told> {
  const { context, flags, folder } = saving;
  const { id, earlier } = asked;
  if (flags['only-missing'] && earlier && (await holds(join(folder, earlier.file), earlier, context.signal)))
    return { ...earlier, outcome: 'there', at: context.clock.date().toISOString() };
  const destination = toFile(join(folder, `attachment-${id}`), () => undefined, false);
  try {
    return await save(saving, asked, destination);
  } finally {
    destination.discard();
  }
}
