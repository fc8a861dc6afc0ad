import { shellCommand, shellWord } from '../../lexical/shell/command.js';
import type { NamedPlace } from './places.js';

/** A flag or an argument as help writes it. */
export const shownPlace = ({ group, key }: Pick<NamedPlace, 'group' | 'key'>): string =>
  group === 'flags' ? `--${key}` : key.toUpperCase();

/** The command line with another value in the place of a text. */
export function corrected(
  place: Pick<NamedPlace, 'group' | 'key'>,
  text: string,
  { value, argv }: { readonly value: string; readonly argv: readonly string[] },
): string {
  const start = `--${place.key}=`;
  // The words of the command come first, and may be names as well.
  const at = argv.findIndex((word, index) => index > 1 && (word === text || word === start + text));
  const word = argv[at];
  if (word === undefined) return `${shownPlace(place)} ${shellWord(value)}`;
  return shellCommand(argv.with(at, word === text ? value : start + value));
}
