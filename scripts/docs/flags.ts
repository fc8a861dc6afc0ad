import { manifestCommands, meaningOf, type ManifestCommand } from './manifest-read.js';
import { code, table } from './markdown.js';

type Flag = ManifestCommand['flags'][string];

/** The groups of flags that many commands have, and the words above each. */
const groups: Readonly<Record<string, string>> = {
  GLOBAL: 'Of every command',
  CONNECTION: 'Of every command that calls the service',
  OUTPUT: 'Of every command that prints records',
  CSV: 'Of lists, for CSV and TSV',
  PAGING: 'Of lists',
  EXPORT: 'Of lists, for files',
  WRITING: 'Of every command that writes',
};

const typedFlag = ({ name, char, helpValue, allowNo }: Flag): string =>
  `${char === undefined ? '' : `-${char}, `}--${allowNo === true ? '[no-]' : ''}${name}${helpValue === undefined || helpValue === '' ? '' : ` ${helpValue}`}`;

const meaning = (flag: Flag): string => `${meaningOf(flag)} ${flag.description ?? ''}`.trim();

/** Each flag of a group once, as most commands have it. */
function flagsOf(commands: readonly ManifestCommand[], group: string): readonly Flag[] {
  const all = commands.flatMap(({ flags }) => Object.values(flags)).filter((flag) => flag.helpGroup === group);
  const names = [...new Set(all.filter(({ hidden }) => hidden !== true).map(({ name }) => name))];
  return names.flatMap((name) => all.find((flag) => flag.name === name) ?? []);
}

/** The flags that many commands have. */
export function flagsText(root: string): string {
  const commands = manifestCommands(root);
  return Object.entries(groups)
    .map(([group, title]) => [
      `## ${title}`,
      table(
        ['flag', 'meaning'],
        flagsOf(commands, group).map((flag) => [code(typedFlag(flag)), meaning(flag)]),
      ),
    ])
    .flat()
    .join('\n\n');
}
