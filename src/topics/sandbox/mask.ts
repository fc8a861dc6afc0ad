import { randomBytes } from 'node:crypto';
import { opt, recordWithoutPresence, req, list } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { openOutput } from '../../kit/output/open-output.js';
import type { CommonFlags, outputFlags } from '../../kit/flags/common.js';
import type { Values } from '../../kit/flags/define.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { maskRecording } from '../../sandbox/recordings/mask.js';

/** What `recording mask` prints. */
export const MaskedRecord = recordWithoutPresence('MaskedRecording', 'A masked recording.', {
  Folder: req(string, 'The folder of the copy.'),
  Calls: req(int, 'Number of calls.'),
  LeftOut: opt(list(string), 'Omitted calls of the recording, with the reason.'),
});

/** Copies a recording with invented values, and tells what was left out. Throws `usage` and `local`. */
export async function maskFolder(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
  flags: Values<typeof outputFlags> & CommonFlags,
): Promise<void> {
  const output = await openOutput(context, undefined, { flags, record: MaskedRecord, shape: 'single' });
  const { pathOf } = context.environment;
  const { calls, leftOut: omitted } = maskRecording(pathOf(from), pathOf(to), randomBytes(32));
  const omittedWords = omitted.map(({ number, operation, why }) => `call ${number}, ${operation}, ${why}`);
  await output.write([
    { Folder: to, Calls: calls - omitted.length, ...(omittedWords.length === 0 ? {} : { LeftOut: omittedWords }) },
  ]);
  await output.finish();
  for (const words of omittedWords) await note(context, flags, `left out: ${words}`);
}
