/** True for a word that a command or a topic begins with, or that the program itself knows: it never means an alias (pure). */
export const isTaken = (name: string, ids: readonly string[]): boolean =>
  name === 'help' || name === 'version' || ids.some((id) => id === name || id.startsWith(`${name}:`));

/**
 * Where an alias may stand among the arguments: first, or behind `help`. Undefined where the word there is the name of a
 * command, a topic or a page (pure).
 */
export function aliasPlace(
  argv: readonly string[],
  { ids, pages }: { readonly ids: readonly string[]; readonly pages: readonly string[] },
): number | undefined {
  const at = argv[0] === 'help' ? 1 : 0;
  const word = argv[at];
  if (word === undefined || word.startsWith('-') || isTaken(word, ids)) return undefined;
  return at === 1 && pages.includes(word) ? undefined : at;
}
