import type { CommonFlags } from '../../cli/flags/output.js';
import type { Context } from '../../host/context.js';
import { openGiven } from '../../host/given.js';
import { note } from '../../host/notes.js';
import type { InputFile } from '../../inputs/input.js';
import { openInput } from '../../inputs/open.js';
import type { BulkFlags } from '../flags.js';

/** Opens the file of --file, or stdin, until the run ends. Throws `usage` for what has no form that is known. */
export async function openGivenInput(context: Context, flags: BulkFlags): Promise<InputFile> {
  const input = await openInput({
    file: flags.file ?? '-',
    form: flags['input-format'],
    delimiter: flags.delimiter,
    sheet: flags.sheet,
    stream: (file) => openGiven(context, file),
  });
  context.onClose(() => input.close());
  return input;
}

/** Says how many rows had no value, of the reading that ended last. */
export async function tellSkipped(context: Context, flags: CommonFlags, { name, skipped }: InputFile): Promise<void> {
  if (skipped === 0) return;
  const rows = skipped === 1 ? '1 row without any value was' : `${skipped} rows without any value were`;
  await note(context, flags, `${name}: ${rows} left out`);
}
