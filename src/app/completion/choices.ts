import type { Config } from '@oclif/core';

/** Words that may follow some words. */
export interface Choice {
  /** The words so far, with blanks between them. */
  readonly words: string;
  readonly next: readonly string[];
}

/** What may be typed behind what: words of commands, then flags. The commands that are not shown are left out. */
export function choices(config: Config): readonly Choice[] {
  const commands = config.commands.filter(({ hidden }) => !hidden);
  const next = new Map<string, Set<string>>();
  for (const { id } of commands) {
    const words = id.split(':');
    words.forEach((word, at) => {
      const before = words.slice(0, at).join(' ');
      next.set(before, (next.get(before) ?? new Set()).add(word));
    });
  }
  const flags = commands.map(({ id, flags: known }) => ({
    words: id.replaceAll(':', ' '),
    next: Object.values(known)
      .filter(({ hidden }) => hidden !== true)
      .map(({ name }) => `--${name}`),
  }));
  return [...[...next].map(([words, set]) => ({ words, next: [...set].sort() })), ...flags];
}

/** A text as one word of a shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
