import { manifestCommands, meaningOf, typedFlag, type ManifestCommand, type ManifestFlag } from './manifest-read.js';
import { code, table } from './markdown.js';

/** The groups of flags that many commands have: the words above each, and for links to it. */
const groups: Readonly<Record<string, readonly [title: string, short: string]>> = {
  GLOBAL: ['Of every command', 'common'],
  CONNECTION: ['Of every command that calls the service', 'calls'],
  OUTPUT: ['Of commands that print records', 'output'],
  CSV: ['Of lists, for CSV and TSV', 'CSV'],
  CONTENT: ['Of lists, for what is in a record', 'content'],
  PAGING: ['Of lists', 'lists'],
  EXPORT: ['Of lists, for files', 'files'],
  MIRROR: ['Of commands that read the mirror', 'mirror'],
  WRITING: ['Of every command that writes', 'writing'],
  'ROWS OF A FILE': ['Of every command that writes the rows of a file', 'rows of a file'],
};

/** Commands that a flag must have at least to be shared. */
const fewest = 3;

/** A group of flags that many commands have. */
export interface SharedGroup {
  readonly title: string;
  /** The title for links. */
  readonly short: string;
  /** Each once, as the commands have it. */
  readonly flags: readonly ManifestFlag[];
}

/** Whether two flags are typed and explained in the same way. */
export const isSame = (a: ManifestFlag, b: ManifestFlag): boolean =>
  typedFlag(a) === typedFlag(b) && meaningOf(a) === meaningOf(b);

function flagsOf(commands: readonly ManifestCommand[], group: string): readonly ManifestFlag[] {
  const all = commands
    .flatMap(({ flags }) => Object.values(flags))
    .filter(({ helpGroup, hidden }) => helpGroup === group && hidden !== true);
  const distinct = all.filter((flag, at) => all.findIndex((other) => isSame(flag, other)) === at);
  return distinct.filter((flag) => all.filter((other) => isSame(flag, other)).length >= fewest);
}

/** The flags that many commands have, by their groups. */
export const sharedGroups = (commands: readonly ManifestCommand[]): readonly SharedGroup[] =>
  Object.entries(groups).map(([group, [title, short]]) => ({ title, short, flags: flagsOf(commands, group) }));

const meaning = (flag: ManifestFlag): string => `${meaningOf(flag)} ${flag.description ?? ''}`.trim();

/** The flags that many commands have. */
export const flagsText = (root: string): string =>
  sharedGroups(manifestCommands(root))
    .flatMap(({ title, flags }) => [
      `## ${title}`,
      table(
        ['flag', 'meaning'],
        flags.map((flag) => [code(typedFlag(flag)), meaning(flag)]),
      ),
    ])
    .join('\n\n');
