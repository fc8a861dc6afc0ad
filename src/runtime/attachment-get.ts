import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { recordWithoutPresence, req } from '../contract/build.js';
import { Attachment } from '../contract/records/attachment.js';
import { int, string } from '../contract/scalars.js';
import { operations } from '../contract/service.js';
import { checkReplaceable, remember } from '../export/owned.js';
import type { Output } from '../contract/infer.js';
import { RelctlError } from '../errors/relctl-error.js';
import { base64Bytes, holdsBase64 } from '../lexical/base64.js';
import { safeFileName } from '../lexical/file-name.js';
import type { Context } from './context.js';
import { printEnvelope } from './dry-run.js';
import { openFileTarget } from './file-target.js';
import type { ConnectionFlags } from './flags/connection.js';
import { guidOf } from './flags/guid.js';
import type { OutputFlags } from './flags/output.js';
import { refuseWith } from './legacy.js';
import { note, warnOfNotes } from './notes.js';
import { formatOf } from './output-choice.js';
import { openOutput, tracesFolder } from './record-output.js';
import { openSession, type Session } from './session.js';

type Received = NonNullable<Output<typeof operations.AttachmentGet>['Attachment']>;

/** Flags of `attachment get`, as given. */
export type AttachmentFlags = ConnectionFlags & OutputFlags & { readonly 'out-dir'?: string | undefined };

const { Base64EncodedFile, ...shownFields } = Attachment.fields;

const Shown = recordWithoutPresence('Attachment', Attachment.doc, {
  ...shownFields,
  Size: req(int, 'Bytes of the file.'),
  Sha256: req(string, 'Hash of the file.'),
  Base64EncodedFile,
});

const Saved = recordWithoutPresence('SavedFile', 'A file that was saved.', {
  File: req(string, 'Where it was saved.'),
  FileName: req(string, 'Name that the service gave.'),
  Size: req(int, 'Bytes of the file.'),
  Sha256: req(string, 'Hash of the file.'),
});

interface Content {
  readonly text: string;
  readonly size: number;
  readonly sha256: string;
}

function contentOf(attachment: Received): Content {
  const text = attachment.Base64EncodedFile ?? '';
  if (!holdsBase64(text)) {
    throw new RelctlError('bad-answer', 'the content of the attachment is not base64; nothing was saved', {
      facts: { code: 'base64' },
    });
  }
  const hash = createHash('sha256');
  let size = 0;
  for (const piece of base64Bytes(text)) {
    hash.update(piece);
    size += piece.length;
  }
  return { text, size, sha256: hash.digest('hex') };
}

function checkFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  throw new RelctlError('local', `${path} is no folder`, { facts: { code: 'ENOTDIR', path } });
}

async function save(
  context: Context,
  file: string,
  { content, force }: { content: Content; force: boolean },
): Promise<void> {
  checkReplaceable(file, { folder: tracesFolder(context), force });
  const target = openFileTarget(context, file);
  for (const piece of base64Bytes(content.text)) await target.writeBytes(piece);
  await target.finish();
  remember(tracesFolder(context), file);
}

/** Where to save: the file that was named, or one in the folder that was named. */
function placeOf(flags: AttachmentFlags, attachment: Received, attachmentId: string): string | undefined {
  const folder = flags['out-dir'];
  if (folder === undefined) return flags['output-file'];
  // The Id that was asked for: the one in the answer may be any text.
  return join(folder, safeFileName(attachment.FileName ?? '', `attachment-${attachmentId}`));
}

async function show(
  context: Context,
  session: Session,
  { flags, attachment, content }: { flags: AttachmentFlags; attachment: Received; content: Content },
): Promise<void> {
  const isWhole = flags.json === true || !['table', 'card', undefined].includes(flags.output);
  const output = await openOutput(context, session, { flags, record: Shown, shape: 'single' });
  const { Base64EncodedFile: text = null, ...rest } = attachment;
  const bytes = { Size: content.size, Sha256: content.sha256 };
  await output.write([{ ...rest, ...bytes, ...(isWhole ? { Base64EncodedFile: text } : {}) }]);
  await output.finish();
}

async function tellSaved(
  context: Context,
  session: Session,
  told: { flags: AttachmentFlags; file: string; attachment: Received; content: Content },
): Promise<void> {
  const { flags, file, attachment, content } = told;
  const isAsked = flags.json === true || flags.output !== undefined;
  if (!isAsked) {
    if (context.streams.err.isTerminal)
      await note(context, flags, `${file}: ${content.size} bytes, sha256 ${content.sha256}`);
    return;
  }
  const output = await openOutput(context, session, {
    flags: { ...flags, 'output-file': undefined },
    record: Saved,
    shape: 'single',
  });
  await output.write([{ File: file, FileName: attachment.FileName ?? '', Size: content.size, Sha256: content.sha256 }]);
  await output.finish();
}

/** Shows an attachment or saves its file (interface document, Endpoints, AttachmentGet). Throws `not-found` and `local`. */
export async function getAttachment(context: Context, id: string, flags: AttachmentFlags): Promise<void> {
  const attachmentId = guidOf(id, 'ID');
  formatOf(flags, undefined);
  if (flags['out-dir'] !== undefined) {
    refuseWith('--out-dir', { '--output-file': flags['output-file'] });
    checkFolder(flags['out-dir']);
  }
  const session = await openSession(context, flags);
  const operation = operations.AttachmentGet;
  if (flags['dry-run'] === true)
    return printEnvelope(context, session.connection, { operation, input: { attachmentId } });
  const reply = await session.client.call(operation, { attachmentId });
  const attachment = reply.result.Attachment ?? undefined;
  if (attachment === undefined) {
    throw new RelctlError('not-found', `there is no attachment ${attachmentId}`, {
      facts: { operation: operation.name, profile: session.profile.name },
    });
  }
  const content = contentOf(attachment);
  const file = placeOf(flags, attachment, attachmentId);
  if (file === undefined) await show(context, session, { flags, attachment, content });
  else if (file === '-') await toStdout(context, content);
  else {
    await save(context, file, { content, force: flags.force === true });
    await tellSaved(context, session, { flags, file, attachment, content });
  }
  await warnOfNotes(context, flags, reply.notes);
}

async function toStdout(context: Context, content: Content): Promise<void> {
  for (const piece of base64Bytes(content.text)) await context.streams.out.writeBytes(piece);
}
