import { inputFileOption, rereadFileOption, outputFileOption, textOption } from '../../kit/flags/kinds.js';
import { inGroup, switchFlag, type Values, refuseWith } from '../../kit/flags/define.js';
import { idsFlags } from '../../lists/list-flags.js';
import { flaggedFormat } from '../../kit/output/output-choice.js';
import { isRecord, type Value, defined } from '../../core/values/value.js';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { recordWithoutPresence, req } from '../../contract/build.js';
import { Attachment } from '../../contract/records/activity.js';
import { int, string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import { checkReplaceable, targetOf } from '../../state/output-registry.js';
import type { Output } from '../../contract/infer.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { attempt } from '../../state/own-file.js';
import { safeFileName, shellCommand, shellWord } from '../../core/text/text.js';
import type { ContentSink } from '../../soap/codec/leaf.js';
import { type Note } from '../../soap/codec/notes.js';
import { createAttachmentSink, nowhere, toFile, toStream } from './sink.js';
import type { Context } from '../../kit/host/context.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { connectionFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { warnOfNotes, noteInTerminal } from '../../kit/host/notes.js';
import { openOutput } from '../../kit/output/open-output.js';
import { ownFiles, registryFolder } from '../../kit/output/own-files.js';
import type { RecordOutput } from '../../kit/output/record-output.js';
import { picked } from '../../lists/record/call.js';
import { missingMember, type AnswerResult } from '../../lists/record/missing.js';
import { openSession, type Session } from '../../kit/session/session.js';
import { formats, usualFormats } from '../../formats/writers/index.js';

type Received = NonNullable<Output<typeof operations.AttachmentGet>['Attachment']>;

/** Flags of `attachment get`. */
export const attachmentFlags = {
  ...connectionFlags,
  ...outputFlags,
  'output-file': outputFileOption({ summary: 'Save the file here; - is stdout.' }),
  'output-dir': textOption({
    offers: 'folders',
    summary: 'Save the file in this folder, under its own name; with --ids, as ID_NAME.',
    helpValue: 'DIR',
  }),
  ...inGroup('IDS', {
    ids: inputFileOption({
      summary: 'Read the Ids from this file (- is stdin): one Id per line, or the column Id of CSV or JSON.',
    }),
    results: rereadFileOption({
      summary: 'CSV file for the outcome of each; the default is next to the file of --ids.',
    }),
    'only-missing': switchFlag({
      summary: 'Skip files that exist with the size and hash that the results of earlier runs report.',
    }),
  }),
  concurrency: idsFlags.concurrency,
};

/** Values of those flags. */
export type AttachmentFlags = Values<typeof attachmentFlags> & CommonFlags;

const { Base64EncodedFile, ...printedFields } = Attachment.fields;

const PrintedAttachment = recordWithoutPresence('Attachment', Attachment.doc, {
  ...printedFields,
  Size: req(int, 'Bytes of the file.'),
  Sha256: req(string, 'Hash of the file.'),
  Base64EncodedFile,
});

const Saved = recordWithoutPresence('SavedFile', 'A saved file.', {
  File: req(string, 'Path of the file.'),
  FileName: req(string, 'Name that the service sent.'),
  Size: req(int, 'Bytes of the file.'),
  Sha256: req(string, 'Hash of the file.'),
});

function contentOf(text: string) {
  const sink = createAttachmentSink(nowhere);
  sink.text(text);
  sink.end();
  return sink.content();
}

/** Throws `local` for a folder that does not exist, or is none. */
export function checkFolder({ environment }: Context, path: string): void {
  const stats = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined)
    throw new RelctlError('local', `${path} is no folder`, { facts: { foreignCode: 'ENOTDIR', path } });
  const hint = `mkdir -p ${shellWord(path)} && ${shellCommand(environment.argv)}`;
  throw new RelctlError('local', `the folder ${path} does not exist`, { facts: { foreignCode: 'ENOENT', path }, hint });
}

interface DownloadRequest {
  readonly context: Context;
  readonly session: Session;
  readonly flags: AttachmentFlags;
  readonly attachmentId: string;
}

interface Got {
  readonly attachment: Received;
  readonly notes: readonly Note[];
}

/**
 * Throws `bad-answer` for an attachment without its content, or with elements in it. An empty file is an element without
 * text, or a nil one; a missing element says nothing about the file.
 */
function checkContent(reply: AnswerResult, attachment: Received, profile: string): void {
  const path = 'Attachment.Base64EncodedFile';
  const content: Value | undefined = attachment.Base64EncodedFile;
  // The decoder keeps a text with elements as a tree; a sink refuses it earlier.
  if (isRecord(content)) {
    const facts = { operation: 'AttachmentGet', code: 'base64', path, profile } as const;
    throw new RelctlError('bad-answer', `${path} holds an element`, { facts });
  }
  if (content !== undefined) return;
  const member = {
    operation: operations.AttachmentGet,
    member: 'Attachment',
    words: 'the answer has no content of the file',
  };
  throw missingMember(reply, member, 'Base64EncodedFile').with({ profile });
}

/** Makes the call. Throws `not-found`, `bad-answer` for content that is missing or is not text, and what the call throws. */
export async function fetched(
  { session, attachmentId }: Pick<DownloadRequest, 'session' | 'attachmentId'>,
  sink?: ContentSink,
  signal?: AbortSignal,
): Promise<Got> {
  const operation = operations.AttachmentGet;
  const input = { attachmentId };
  const reply = await session.client.callUntyped(operation, input, defined({ sink, signal }));
  const plan = { operation, input, shows: 'Attachment', missing: `there is no attachment ${attachmentId}` };
  const attachment = await picked(reply, plan, session.profile.name);
  checkContent(reply, attachment, session.profile.name);
  return { attachment, notes: reply.notes };
}

/** Which files may be replaced: those that relctl wrote; with --output-dir only those of the same attachment. */
function registryOf({ context, flags, attachmentId }: DownloadRequest): {
  readonly folder: string;
  readonly writer?: string;
} {
  const folder = registryFolder(context);
  if (flags['output-dir'] === undefined) return { folder };
  return { folder: join(folder, attachmentId.toLowerCase()), writer: `attachment get ${attachmentId}` };
}

async function save(downloadRequest: DownloadRequest): Promise<Got> {
  const { context, flags, attachmentId } = downloadRequest;
  const own = registryOf(downloadRequest);
  const check = (file: string): void => void checkReplaceable(file, { ...own, force: flags.force });
  const named = flags['output-file'] && targetOf(flags['output-file']);
  const folder = flags['output-dir'] ?? '.';
  const fallback = `attachment-${attachmentId}`;
  // A name that is none becomes the Id of the command line: the Id in the answer may be any text.
  const pathFor = (fileName: string): string => named ?? join(folder, safeFileName(fileName, fallback));
  // Its own name may come after the content.
  const beside = named ?? join(folder, fallback);
  if (named !== undefined) check(named);
  const destination = toFile(beside, ({ FileName }) => {
    if (typeof FileName === 'string') check(pathFor(FileName));
  });
  context.onClose(() => destination.discard());
  const sink = createAttachmentSink(destination);
  const recordOutput = await openReport(downloadRequest);
  const reply = await fetched(downloadRequest, sink);
  const file = pathFor(reply.attachment.FileName ?? '');
  check(file);
  const noted = ownFiles(context, flags, own.folder);
  destination.putAs(file, (part) => noted.add(file, { part }));
  await noted.report();
  await reportSaved(downloadRequest, recordOutput, { file, attachment: reply.attachment, content: sink.content() });
  return reply;
}

async function toStdout(downloadRequest: DownloadRequest): Promise<Got> {
  const destination = toStream(downloadRequest.context.streams.out);
  try {
    const reply = await fetched(downloadRequest, createAttachmentSink(destination));
    await destination.finish();
    return reply;
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (destination.sent === 0) throw error;
    throw error.but({ advice: `Discard the output: it has ${destination.sent} bytes, not the whole file.` });
  }
}

async function show(downloadRequest: DownloadRequest): Promise<Got> {
  const { context, session, flags } = downloadRequest;
  const request = { flags, record: PrintedAttachment, shape: 'single' } as const;
  // Content is printed only where the command line asks for a machine format, not where the profile does.
  const isWhole = formats[flaggedFormat(flags) ?? usualFormats.single].audience === 'programs';
  const sink = createAttachmentSink(nowhere);
  const output = await openOutput(context, session, request);
  const reply = await (isWhole ? fetched(downloadRequest) : fetched(downloadRequest, sink));
  const { Base64EncodedFile: text = null, ...rest } = reply.attachment;
  const content = isWhole ? contentOf(text ?? '') : sink.content();
  const bytes = { Size: content.size, Sha256: content.sha256 };
  await output.write([{ ...rest, ...bytes, ...(isWhole ? { Base64EncodedFile: text } : {}) }]);
  await output.finish();
  return reply;
}

async function openReport({ context, session, flags }: DownloadRequest): Promise<RecordOutput | undefined> {
  if (!flags.json && flags.output === undefined) return undefined;
  return openOutput(context, session, {
    flags: { ...flags, 'output-file': undefined },
    record: Saved,
    shape: 'single',
  });
}

async function reportSaved(
  { context, flags }: DownloadRequest,
  output: RecordOutput | undefined,
  { file, attachment, content }: { file: string; attachment: Received; content: ReturnType<typeof contentOf> },
): Promise<void> {
  if (output === undefined) {
    await noteInTerminal(context, flags, `${file}: ${content.size} bytes, sha256 ${content.sha256}`);
    return;
  }
  await output.write([{ File: file, FileName: attachment.FileName ?? '', Size: content.size, Sha256: content.sha256 }]);
  await output.finish();
}

/**
 * Shows an attachment or saves its file (interface document, Endpoints, AttachmentGet). Throws `usage`, `local`, `not-found`
 * and `bad-answer`, and what the call throws.
 */
export async function getAttachment(context: Context, attachmentId: string, flags: AttachmentFlags): Promise<void> {
  const ofMany = (['results', 'only-missing'] as const).find(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (ofMany !== undefined) throw usage(`--${ofMany}`, `--${ofMany} needs --ids`, '--ids FILE');
  if (flags['output-dir'] !== undefined) {
    refuseWith('--output-dir', { '--output-file': flags['output-file'] });
    checkFolder(context, flags['output-dir']);
  }
  const session = await openSession(context, flags);
  const operation = operations.AttachmentGet;
  if (flags.envelope) return printEnvelope({ context, session, flags }, { operation, input: { attachmentId } });
  const downloadRequest = { context, session, flags, attachmentId };
  const { notes } = await download(downloadRequest);
  await warnOfNotes(context, flags, notes);
}

function download(downloadRequest: DownloadRequest): Promise<Got> {
  const { 'output-file': file, 'output-dir': folder } = downloadRequest.flags;
  if (file === '-') return toStdout(downloadRequest);
  return file === undefined && folder === undefined ? show(downloadRequest) : save(downloadRequest);
}
