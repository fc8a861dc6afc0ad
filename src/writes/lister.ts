import { hash } from 'node:crypto';
import { flagOf } from '../profiles/resolve.js';
import { knownOperations, readingImport } from '../kit/operations/described.js';
import type { Session } from '../kit/session/session.js';
import type { Field, Fields, Operation, RecordType } from '../contract/build.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Context } from '../kit/host/context.js';
import { compareDecimals, isDecimal } from '../core/text/scalars/decimal.js';
import { isGuid, sameGuid } from '../core/text/scalars/guid.js';
import { readSettleBy, type SettleBy } from '../profiles/settings/settle-by.js';
import { isList, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import type { RowsText } from './rows/rows-text.js';

/** More records than this are not told apart: such rows stay unknown. */
const mostListed = 1000;

/** A record that was read, as it is told from others. */
export interface Listed {
  readonly hash: string;
  readonly value: RecordValue;
}

/** Reads the records that writes add to a record. */
export interface Lister {
  /** The records beside that of an input; undefined for too many. Throws what the call throws, and `bad-answer`. */
  read(input: RecordValue): Promise<readonly Listed[] | undefined>;
  /** True for a record that is what an input makes, by the members that both have. */
  isMadeBy(input: RecordValue, value: RecordValue): boolean;
  /** True for two inputs that make records which cannot be told from each other. */
  isAlike(left: RecordValue, right: RecordValue): boolean;
  /** How long the service may take for a write, in milliseconds. */
  readonly longestMs: number;
}

const wrongSetting = (what: string, hint = ''): RelctlError =>
  new RelctlError('profile', `the setting settleBy: ${what}`, { facts: { path: 'settleBy' }, hint });

/** The operation that the profile names. Throws `profile`. */
function readerOf(context: Context, session: Session, { read, parameter }: SettleBy): Operation {
  const profile = flagOf(session.profile.name);
  const operation = knownOperations(context, profile).find(read);
  const asRead = (): string =>
    `${readingImport(context, profile, read)}${profile === undefined ? '' : ` --profile ${profile}`}`;
  if (operation === undefined) throw wrongSetting(`there is no operation ${read}`, asRead());
  if (operation.access !== 'read') throw wrongSetting(`${read} counts as a write`, asRead());
  if (operation.parameters[parameter] === undefined) throw wrongSetting(`${read} has no parameter ${parameter}`);
  const needed = Object.entries(operation.parameters).find(
    ([name, { presence }]) => presence === 'req' && name !== parameter && name !== 'credentials',
  );
  if (needed !== undefined) throw wrongSetting(`${read} needs ${needed[0]} too, and only ${parameter} is known`);
  return operation;
}

/** The records of the list that a path leads to. Throws `profile`. */
function itemOf({ result }: Operation, { read, list }: SettleBy): RecordType {
  let fields: Fields = result;
  let field: Field | undefined;
  for (const name of list) {
    field = fields[name];
    fields = field?.type.kind === 'record' ? field.type.fields : {};
  }
  const type = field?.type;
  if (type?.kind === 'list' && type.item.kind === 'record') return type.item;
  throw wrongSetting(`the result of ${read} has no list of records ${list.join('.')}`);
}

function isSame(left: Value | undefined, right: Value | undefined): boolean {
  const [a, b] = [left ?? '', right ?? ''].map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
  if (a === undefined || b === undefined || a === b) return a === b;
  if (isGuid(a) && isGuid(b)) return sameGuid(a, b);
  return isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0;
}

/** Members that parameters of a write and the records have in common: names of both. Throws `profile`. */
function commonMembers(
  { operation, record }: Pick<RowsText<unknown>, 'operation' | 'record'>,
  item: RecordType,
  { read, list }: SettleBy,
): readonly (readonly [string, string])[] {
  const names = new Map(Object.keys(item.fields).map((name) => [name.toLowerCase(), name]));
  const common = Object.entries(operation.parameters).flatMap(([name, { role }]) => {
    const other = role === 'content' || record.members.includes(name) ? undefined : names.get(name.toLowerCase());
    return other === undefined ? [] : [[name, other] as const];
  });
  if (common.length > 0) return common;
  throw wrongSetting(`records of ${list.join('.')} of ${read} have no member that ${operation.name} says`);
}

/** The list of an answer. Throws `bad-answer`. */
function listIn(result: RecordValue, { read, list }: SettleBy): readonly RecordValue[] {
  let found: Value | undefined = result;
  for (const name of list) found = isRecord(found) ? found[name] : undefined;
  // Services write an empty list as nil, or leave it out.
  if (found === undefined || found === null) return [];
  if (isList(found) && found.every(isRecord)) return found;
  throw new RelctlError('bad-answer', `the answer of ${read} has no list ${list.join('.')}`, {
    facts: { operation: read, code: 'no-list' },
  });
}

/** True for an operation whose records can be told by what is sent: each parameter is one value. */
const isPlain = ({ parameters }: Operation): boolean =>
  Object.values(parameters).every(({ type }) => type.kind === 'scalar' || type.kind === 'enumeration');

/**
 * What reads the records that rows add, where the profile names an operation for it; undefined where it names none. Throws
 * `profile` where that operation is not known, counts as a write, or reads something else.
 */
export function listerOf<S>(
  { context, session }: { readonly context: Context; readonly session: Session },
  text: RowsText<S>,
): Lister | undefined {
  const said = session.profile.values.settleBy?.value;
  const { operation, record, does } = text;
  const named = said === undefined ? [] : readSettleBy(String(said), 'settleBy');
  const settleBy = named.find(({ write }) => write === operation.name);
  const [member] = record.members;
  if (settleBy === undefined || member === undefined || does !== 'add') return undefined;
  if (!isPlain(operation)) throw wrongSetting(`what ${operation.name} adds cannot be told by its parameters`);
  const reader = readerOf(context, session, settleBy);
  const common = commonMembers(text, itemOf(reader, settleBy), settleBy);
  return {
    longestMs: session.connection.limits.wholeMs,
    async read(input) {
      const { signal } = context;
      const asked = { [settleBy.parameter]: input[member] ?? null };
      const { result } = await session.client.callUntyped(reader, asked, { signal });
      const found = listIn(result, settleBy);
      if (found.length > mostListed) return undefined;
      return found.map((value) => ({ value, hash: hash('sha256', JSON.stringify(value)).slice(0, 16) }));
    },
    isAlike: (left, right) => common.every(([name]) => isSame(left[name], right[name])),
    isMadeBy: (input, value) => common.every(([name, other]) => isSame(input[name], value[other])),
  };
}
