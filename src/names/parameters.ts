import { usage } from '../core/errors/relctl-error.js';
import type { Context, IdParameter } from '../kit/host/context.js';
import { confirmsWrites, type AskingFlags } from '../kit/consent.js';
import { profileOf } from '../kit/session/profile-store.js';
import { shellCommand, shellWord } from '../core/text/text.js';

/** A flag or an argument as help writes it. */
export const parameterName = ({ group, key }: IdParameter): string =>
  group === 'flags' ? `--${key}` : key.toUpperCase();

/** The command line with another value in the place of a text. */
export function corrected(
  parameter: IdParameter,
  text: string,
  { value, argv }: { readonly value: string; readonly argv: readonly string[] },
): string {
  const start = `--${parameter.key}=`;
  // The words of the command come first, and may be names as well.
  const at = argv.findIndex((word, index) => index > 1 && (word === text || word === start + text));
  const word = argv[at];
  if (word === undefined) return `${parameterName(parameter)} ${shellWord(value)}`;
  return shellCommand(argv.with(at, word === text ? value : start + value));
}

/**
 * Throws `usage` for a name in a write that asks no question in which the record can be seen.
 * @param resolved what the name was resolved to, in words
 * @param line the command line with the Id in the place of the name
 */
export function refuseUnasked(
  resolved: string,
  line: string,
  { context, flags }: { readonly context: Context; readonly flags: AskingFlags },
): void {
  if (flags.confirm === undefined && confirmsWrites(context, profileOf(context, flags), flags)) return;
  throw usage(undefined, `${resolved}; a write resolves a name only in a terminal, where relctl asks`, line);
}

const mostCandidates = 10;

/** Lines to paste, one for each record that a text may mean, each below one that says what the record is. */
export function candidateLines(
  records: readonly { readonly id: string; readonly about: string }[],
  lineWith: (id: string) => string,
): readonly string[] {
  // The words are quoted too: zsh takes no # for a comment where somebody types.
  const lines = records.slice(0, mostCandidates).flatMap(({ id, about }) => [`# ${shellWord(about)}`, lineWith(id)]);
  return records.length > mostCandidates ? [...lines, '# and more'] : lines;
}
