import { option } from '../../../cli/flags/define.js';
import type { RecordType } from '../../../contract/build.js';
import type { RelctlError } from '../../../errors/relctl-error.js';
import { usage } from '../../../errors/usage.js';
import { shellWord } from '../../../lexical/shell/command.js';
import { callPrefix, namesNeeded, tableNameFor, tableNameOf } from '../../../mirror/of-call/names.js';
import { callTable, type CalledList, type CallTable } from '../../../mirror/of-call/table.js';
import { tablesWith, type Source, type SourceState } from '../../../mirror/sources.js';
import type { MirrorTable } from '../../../mirror/tables.js';
import type { RecordValue } from '../../../plain/value.js';

/** What the names of sources begin with that are lists of operations, unless they were given a name. */
export const callWord = 'call:';

const namesOf = ({ name, lists }: MirrorTable): readonly string[] => [name, ...lists.map((list) => list.name)];

/** Names of the tables that each mirror has. */
const usualTables: ReadonlySet<string> = new Set(tablesWith([]).flatMap(namesOf));

/** The name of the table that a source is given. Throws `usage` for what is none, or might be taken for another table. */
function ownTableName(text: string, flag: string): string {
  if (usualTables.has(text)) throw usage(flag, `${text} is a table that each mirror has`, `${flag} my_${text}`);
  const name = tableNameFor(text);
  if (name !== undefined) return name;
  throw usage(flag, `'${text}' is no name for a table`, {
    advice: 'A name has small letters, digits and _, begins with a letter, and has 35 characters at most.',
    hint: `${flag} open_orders`,
  });
}

/** Gives a source a name of its own. */
export const asFlag = {
  as: option(ownTableName, { helpValue: 'NAME' })({
    summary: 'Name of the source and its table, call_NAME.',
  }),
};

type OfCall = SourceState & { readonly own: CallTable };

/** True for a source that is a list of an operation, with a table of its own. */
export const isOfCall = (source: SourceState): source is OfCall => source.own !== undefined;

/** What a source asks for, as one text. */
export const requestOf = (call: CalledList, input: RecordValue): string =>
  JSON.stringify([{ ...call, isRead: undefined }, input]);

const pathOf = ({ list }: CalledList): string => list.join('.');

/** The error for a name that another source has. */
const isThere = (name: string, asksFor: string): RelctlError =>
  usage('--as', `the mirror has a source '${name}' already, which asks for ${asksFor}`, {
    hint: `relctl mirror remove ${shellWord(name)}`,
  });

/** Throws `usage` where a source that is there asks for what is wanted, and another name is wanted for it. */
export function refuseOtherName({ name, table }: SourceState, as: string | undefined): void {
  if (as !== undefined && as !== table) throw isThere(name, 'the same');
}

/** The table of which something has a name that another one needs. */
function holderOf(table: CallTable, there: readonly SourceState[]): string | undefined {
  const needed = new Set(namesNeeded(table));
  return tablesWith(there).find((each) => namesNeeded(each).some((name) => needed.has(name)))?.name;
}

/** The source with the name that it was given. Throws `usage` for one that is taken. */
function sourceAs(own: CallTable, there: readonly SourceState[]): Omit<Source, 'input'> {
  const { name } = own;
  if (there.some((source) => source.name === name)) throw isThere(name, 'something else');
  const holder = holderOf(own, there);
  if (holder === undefined) return { name, table: name, own };
  throw usage('--as', `${name} is the name of something that the mirror has for the table ${holder}`, {
    advice: 'Choose another name.',
    hint: 'relctl mirror status',
  });
}

/** The source that is named by the operation already, and is the same list. */
const sameList = (call: CalledList, names: readonly string[], there: readonly SourceState[]): OfCall | undefined =>
  there
    .filter(isOfCall)
    .filter(({ name }) => names.includes(name))
    .find(({ own }) => own.call.operation === call.operation && pathOf(own.call) === pathOf(call));

/** The source with the name of the operation, and of the list where another one of it is there. Throws `usage`. */
function sourceNamed(own: CallTable, there: readonly SourceState[]): Omit<Source, 'input'> {
  const { call, name: table } = own;
  const short = `${callWord}${call.operation}`;
  const names = [short, `${short}.${pathOf(call)}`];
  const name = names.find((each) => there.every((source) => source.name !== each));
  const other = sameList(call, names, there);
  if (name !== undefined && other === undefined) return { name, table, own };
  throw usage('LIST', `the mirror has a source '${other?.name ?? short}' already, which asks for something else`, {
    advice: 'The same list with other parameters needs a name of its own, which its table has too.',
    hint: `--as ${table.slice(callPrefix.length)}`,
  });
}

/** The source of a list that a mirror has not yet, with a table of its own. Throws `usage` for a name that is taken. */
export function newCallSource(
  { call, record, as }: { readonly call: CalledList; readonly record: RecordType; readonly as: string | undefined },
  there: readonly SourceState[],
): Omit<Source, 'input'> {
  const tableAs = (name: string): CallTable => callTable(name, call, record);
  if (as !== undefined) return sourceAs(tableAs(as), there);
  return sourceNamed(tableAs(tableNameOf(call, (name) => holderOf(tableAs(name), there) === undefined)), there);
}
