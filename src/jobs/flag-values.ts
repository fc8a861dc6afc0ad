import { formatNamed } from '../cli/flags/output.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { FlagFacts } from './job-commands.js';

/** True for a text with control characters, which a command line cannot or should not hold. */
export const isUnfit = (text: string): boolean => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);

/** Why a reader does not take a text, in words; undefined when it does, and where there is no reader. */
export function refusal(reader: FlagFacts['reader'], text: string, name: string): string | undefined {
  try {
    reader?.(text, name);
    return undefined;
  } catch (thrown) {
    const { message, hint, instead, kind } = RelctlError.from(thrown);
    if (kind === 'bug') throw thrown;
    const remedy = instead === undefined ? hint : `did you mean ${instead.meant}?`;
    return remedy === undefined ? message : `${message} (${remedy})`;
  }
}

/** What is wrong with a value of a flag, in words, by the reader of its command; undefined when nothing is. */
export function wrongValue({ name, reader }: FlagFacts, text: string): string | undefined {
  if (isUnfit(text)) return `--${name} holds a line break or a control character`;
  // A format that only one command has, such as tree, is for terminals; a job writes a file.
  return refusal(reader, text, `--${name}`) ?? (name === 'output' ? refusal(formatNamed, text, '') : undefined);
}
