import type { Config } from '@oclif/core';
import { choices, quoted } from './choices.js';
import { argumentOffers, profilesCommand, valueFlags, type Offer } from './values.js';

function fishWords(offer: Offer): string {
  switch (offer.kind) {
    case 'words':
      return `-x -a ${quoted(offer.words.join(' '))}`;
    case 'profiles':
      return `-x -a ${quoted(`(${profilesCommand})`)}`;
    case 'files':
      return '-r';
  }
}

/** How fish is told of each flag that takes a value, by the flag as it is typed. */
function fishValues(config: Config): ReadonlyMap<string, string> {
  return new Map(
    valueFlags(config).map(({ flags: [long = '', short], offer }) => [
      long,
      `${short === undefined ? '' : ` -s ${short.slice(1)}`} ${fishWords(offer)}`,
    ]),
  );
}

/** What the arguments of commands may be; nothing where fish offers files by itself. */
const fishArguments = (config: Config): readonly string[] =>
  argumentOffers(config)
    .filter(({ offer }) => offer.kind !== 'files')
    .map(({ words, offer }) => `complete -c relctl -n ${quoted(`__relctl_at ${words}`)} ${fishWords(offer)}`);

/** The script for fish. */
export function fishCompletion(config: Config): string {
  const values = fishValues(config);
  const lines = choices(config).map(({ words, next }) => {
    const count = words === '' ? 0 : words.split(' ').length;
    const test = words === '' ? '__fish_use_subcommand' : `__relctl_at ${words}`;
    const flags = next
      .filter((word) => word.startsWith('--'))
      .map((word) => `complete -c relctl -n ${quoted(test)} -l ${word.slice(2)}${values.get(word) ?? ''}`);
    const plain = next.filter((word) => !word.startsWith('--')).join(' ');
    const exact = words === '' ? test : `${test}; and test (count (__relctl_words)) -eq ${count}`;
    return [...(plain === '' ? [] : [`complete -c relctl -f -n ${quoted(exact)} -a ${quoted(plain)}`]), ...flags].join(
      '\n',
    );
  });
  return `# Completes relctl in fish. Made by: relctl autocomplete fish
function __relctl_words
  string match -v -- '-*' (commandline -opc)[2..-1]
end
function __relctl_at
  set -l words (__relctl_words)
  set -l n (count $argv)
  test (count $words) -ge $n; and test "$words[1..$n]" = "$argv"
end
${[...lines, ...fishArguments(config)].join('\n')}
`;
}
