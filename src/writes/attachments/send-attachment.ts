import { isWatched } from '../../formats/streams.js';
import { textOption } from '../../kit/flags/kinds.js';
import type { CommonFlags, writeCallFlags } from '../../kit/flags/common.js';
import { neutralGroup, switchFlag, type Values } from '../../kit/flags/define.js';
import { basename } from 'node:path';
import type { operations } from '../../contract/service.js';
import type { StreamedContent } from '../../soap/wire/content.js';
import { base64Length, base64Of, hashOf, openSource, type Source } from './source.js';
import type { Context } from '../../kit/host/context.js';
import { note, noteInTerminal } from '../../kit/host/notes.js';
import type { WritePlan } from '../../lists/record/call.js';
import { usage } from '../../core/errors/relctl-error.js';

/** Size in bytes above which .NET services with usual settings refuse a request. */
const usualLimitBytes = 4 * 1024 * 1024;

/** Size in bytes above which a file is sent while it is read, and shown as size and hash. */
const wholeBytes = 64 * 1024;

/** Flags of `activity attach` for many files. */
export const folderFlags = neutralGroup('ROWS OF A FILE', {
  dir: textOption({
    summary: 'Attach the files of this folder whose paths match --pattern.',
    helpValue: 'DIR',
    offers: 'folders',
  }),
  pattern: textOption({
    summary: 'Pattern of the paths, with {id} for the Id of the activity, as in {id}_{name}; the default is {id}/*.',
    helpValue: 'PATTERN',
  }),
  'allow-outside': switchFlag({ summary: 'Allow files outside the folder, by path or by link.' }),
});

/** Flags of `activity attach`. */
export const uploadFlags = {
  name: textOption({ summary: 'Name of the attachment; the default is the name of the file.', helpValue: 'NAME' }),
};

function nameOf(file: string, typedName: string | undefined): string {
  const name = typedName ?? (file === '-' ? '' : basename(file));
  if (name !== '') return name;
  const message = typedName === undefined ? 'a file from stdin needs --name' : '--name is empty';
  throw usage('--name', message, '--name FILE');
}

function contentOf(
  source: Source,
  about: string,
): { readonly base64EncodedFile: string; readonly content?: StreamedContent } {
  if (source.size <= wholeBytes) {
    return { base64EncodedFile: Buffer.concat([...base64Of(source)]).toString('latin1') };
  }
  const length = base64Length(source.size);
  const content = { member: 'base64EncodedFile', length, open: () => base64Of(source) };
  return { base64EncodedFile: `[base64 of ${about}]`, content };
}

/** What is said of a file whose request services usually refuse, in bytes of the file; undefined for a smaller one. */
export function requestNote(size: number): string | undefined {
  const bytes = base64Length(size);
  if (bytes <= usualLimitBytes) return undefined;
  return `the request has ${(bytes / 1024 / 1024).toFixed(1)} MB; such services usually refuse more than 4 MB`;
}

async function announce(context: Context, flags: UploadFlags, file: { what: string; size: number }): Promise<void> {
  await noteInTerminal(context, flags, file.what);
  const words = requestNote(file.size);
  if (words !== undefined) await note(context, flags, words);
}

type UploadFlags = Values<typeof uploadFlags & typeof writeCallFlags> & CommonFlags;

interface UploadInput {
  readonly args: { readonly id: string; readonly file: string };
  readonly flags: UploadFlags;
  readonly context: Context;
}

interface Upload {
  readonly fileName: string;
  readonly source: Source;
}

/** Opens the file to attach. Throws `usage` for a file without a name, and for one that cannot be read or is too large. */
export async function openUpload({ args, flags, context }: UploadInput): Promise<Upload> {
  return { fileName: nameOf(args.file, flags.name), source: await openSource(context, args.file) };
}

/**
 * The call that attaches a file (interface document, Endpoints, ActivityAddAttachment), which is read while it is sent.
 * Throws `local` for a file that changes while it is read.
 */
export async function planUpload(
  { args, flags, context }: UploadInput,
  { fileName, source }: Upload,
): Promise<WritePlan<typeof operations.ActivityAddAttachment>> {
  // For the hash the file is read twice: only where it is printed.
  const isPrinted = isWatched(context.streams.err) || flags.envelope || flags['dry-run'] || flags.trace !== undefined;
  const about = `${source.size} bytes${isPrinted ? `, sha256 ${hashOf(source)}` : ''}`;
  await announce(context, flags, { what: `${fileName}: ${about}`, size: source.size });
  const { base64EncodedFile, ...streamed } = contentOf(source, about);
  return {
    what: `attach ${fileName} (${source.size} bytes) to activity ${args.id}`,
    input: { activityId: args.id, fileName, base64EncodedFile },
    changes: [
      { name: 'fileName', to: fileName },
      { name: 'size', to: source.size },
      ...(isPrinted ? [{ name: 'sha256', to: hashOf(source) }] : []),
    ],
    ...streamed,
  };
}
