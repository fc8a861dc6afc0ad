import { textOption } from '../cli/flags/kinds.js';
import { writeCallFlags } from '../cli/flags/shared.js';
import type { CommonFlags } from '../cli/flags/output.js';
import type { Values } from '../cli/flags/define.js';

import { basename } from 'node:path';
import { operations } from '../contract/service.js';
import type { StreamedContent } from '../soap/wire/streamed-request.js';
import { base64Length, base64Of, hashOf, openSource, type Source } from './source.js';
import type { Context } from '../host/context.js';

import { note } from '../host/notes.js';
import { runCall } from '../records/call.js';
import { openSession } from '../cli/session.js';
import { usage } from '../errors/usage.js';

/** Requests over this size are refused by .NET services as they are usually set up. */
const usualLimitBytes = 4 * 1024 * 1024;

/** A larger file is sent as it is read, and shown as size and hash. */
const wholeBytes = 64 * 1024;

/** Flags of `activity attach`. */
export const attachFlags = {
  name: textOption({ summary: 'Name to attach it under; the default is that of the file.', helpValue: 'NAME' }),
  ...writeCallFlags,
};

type AttachFlags = Values<typeof attachFlags> & CommonFlags;

function nameOf(file: string, given: string | undefined): string {
  const name = given ?? (file === '-' ? '' : basename(file));
  if (name !== '') return name;
  const message = given === undefined ? 'a file from stdin needs --name' : '--name is empty';
  throw usage('--name', message, '--name FILE');
}

/** What stands for the content in the input, and what goes out in its place. */
interface Content {
  readonly base64EncodedFile: string;
  readonly content?: StreamedContent;
}

function contentOf(source: Source, about: string): Content {
  if (source.size <= wholeBytes) {
    return { base64EncodedFile: Buffer.concat([...base64Of(source)]).toString('latin1') };
  }
  const length = base64Length(source.size);
  const content = { member: 'base64EncodedFile', length, open: () => base64Of(source) };
  return { base64EncodedFile: `[base64 of ${about}]`, content };
}

async function announce(context: Context, flags: AttachFlags, told: { what: string; size: number }): Promise<void> {
  if (context.streams.err.isTerminal) await note(context, flags, told.what);
  const bytes = base64Length(told.size);
  if (bytes <= usualLimitBytes) return;
  const size = (bytes / 1024 / 1024).toFixed(1);
  await note(context, flags, `the request has ${size} MB; such services usually refuse more than 4 MB`);
}

/**
 * Attaches a file (interface document, Endpoints, ActivityAddAttachment), which is read while it is sent. Throws `local`
 * and what the call throws.
 */
export async function attachFile(
  context: Context,
  args: { readonly id: string; readonly file: string },
  flags: AttachFlags,
): Promise<void> {
  const activityId = args.id;
  const fileName = nameOf(args.file, flags.name);
  const source = await openSource(context, args.file);
  const session = await openSession(context, flags);
  // To know the hash beforehand is to read the file twice: only where somebody is told.
  const isTold = context.streams.err.isTerminal || flags['dry-run'] || flags.trace !== undefined;
  const about = `${source.size} bytes${isTold ? `, sha256 ${hashOf(source)}` : ''}`;
  await announce(context, flags, { what: `${fileName}: ${about}`, size: source.size });
  const { base64EncodedFile, ...streamed } = contentOf(source, about);
  const what = `attach ${fileName} (${source.size} bytes) to activity ${activityId}`;
  const input = { activityId, fileName, base64EncodedFile };
  await runCall(
    { context, session, flags },
    {
      operation: operations.ActivityAddAttachment,
      input,
      shows: 'Attachment',
      what,
      ...streamed,
    },
  );
}
