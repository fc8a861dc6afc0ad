import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { operations } from '../contract/service.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Context } from './context.js';
import { readStdinBytes } from './environment.js';
import { guidOf } from './flags/guid.js';
import { note } from './notes.js';
import { formatOf } from './output-choice.js';
import { runCall, type CallFlags } from './run-call.js';
import { openSession } from './session.js';

/** Requests over this size are refused by .NET services as they are usually set up. */
const usualLimitBytes = 4 * 1024 * 1024;

/** What we take at all: base64 of it is one text in memory. */
const mostBytes = 256 * 1024 * 1024;

function unreadable(file: string, thrown: unknown): RelctlError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown reason';
  return new RelctlError('local', `${file} cannot be read (${code})`, { facts: { code, path: file } });
}

function contentOf(file: string): Buffer {
  if (file === '-') return readStdinBytes();
  try {
    const { size } = statSync(file);
    if (size > mostBytes) {
      throw new RelctlError('usage', `${file} is larger than ${mostBytes / 1024 / 1024} MB`, {
        facts: { path: 'FILE' },
      });
    }
    return readFileSync(file);
  } catch (thrown) {
    throw thrown instanceof RelctlError ? thrown : unreadable(file, thrown);
  }
}

function nameOf(file: string, given: string | undefined): string {
  const name = given ?? (file === '-' ? '' : basename(file));
  if (name !== '') return name;
  const message = given === undefined ? 'a file from stdin needs --name' : '--name is empty';
  throw new RelctlError('usage', message, { facts: { path: '--name' }, hint: '--name FILE' });
}

/** Attaches a file (interface document, Endpoints, ActivityAddAttachment). Throws `local` and what the call throws. */
export async function attachFile(
  context: Context,
  args: { readonly id: string; readonly file: string },
  flags: CallFlags & { readonly name?: string | undefined; readonly quiet?: boolean | undefined },
): Promise<void> {
  const activityId = guidOf(args.id, 'ID');
  const fileName = nameOf(args.file, flags.name);
  formatOf(flags, undefined);
  const bytes = contentOf(args.file);
  const session = await openSession(context, flags);
  const base64EncodedFile = bytes.toString('base64');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (context.streams.err.isTerminal)
    await note(context, flags, `${fileName}: ${bytes.length} bytes, sha256 ${sha256}`);
  if (base64EncodedFile.length > usualLimitBytes) {
    const size = (base64EncodedFile.length / 1024 / 1024).toFixed(1);
    await note(context, flags, `the request has ${size} MB; such services usually refuse more than 4 MB`);
  }
  const what = `attach ${fileName} (${bytes.length} bytes) to activity ${activityId}`;
  const input = { activityId, fileName, base64EncodedFile };
  await runCall(
    { context, session, flags },
    { operation: operations.ActivityAddAttachment, input, shows: 'Attachment', what },
  );
}
