import { fieldsOf, isNested, listedRecord } from '../contract/walk.js';
import type { Entry, Sent, Ending } from '../state/ledger/outcome.js';
import { continueJournal, entriesOf, type ReadJournal, type RowStates } from './batch/journal.js';
import type { Looking, Seen, RowsText } from './rows/rows-text.js';
import { hasValue, defined, type RecordValue, isList, isRecord, type Value } from '../core/values/value.js';
import type { Listed, Lister, PlannedRow } from './rows/planned-rows.js';
import { hash } from 'node:crypto';
import { flagOf } from '../profiles/resolve.js';
import { knownOperations, readingImport } from '../kit/operations/described.js';
import type { Session } from '../kit/session/session.js';
import type { Field, Fields, Operation, RecordType } from '../contract/build.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Context } from '../kit/host/context.js';
import { compareDecimals, isDecimal, isGuid, sameGuid } from '../core/text/scalars.js';
import { readSettleBy, type SettleBy } from '../profiles/settings/forms.js';

/** More records than this are not told apart: such rows stay unknown. */
const mostListed = 1000;

const wrongSetting = (what: string, hint: string | null = null): RelctlError =>
  new RelctlError('profile', `the setting settleBy: ${what}`, { facts: { path: 'settleBy' }, hint });

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
  if (needed !== undefined) throw wrongSetting(`${read} also needs ${needed[0]}, and relctl knows only ${parameter}`);
  return operation;
}

function itemOf({ result }: Operation, { read, list }: SettleBy): RecordType {
  let fields: Fields = result;
  let field: Field | undefined;
  for (const name of list) {
    field = fields[name];
    fields = fieldsOf(field?.type);
  }
  const record = listedRecord(field?.type);
  if (record !== undefined) return record;
  throw wrongSetting(`the result of ${read} has no list of records ${list.join('.')}`);
}

function isSame(remaining: Value | undefined, right: Value | undefined): boolean {
  const [a, b] = [remaining ?? '', right ?? ''].map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
  if (a === undefined || b === undefined || a === b) return a === b;
  if (isGuid(a) && isGuid(b)) return sameGuid(a, b);
  return isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0;
}

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
  throw wrongSetting(`records of ${list.join('.')} of ${read} have no member that ${operation.name} writes`);
}

function listIn(result: RecordValue, { read, list }: SettleBy): readonly RecordValue[] {
  let value: Value | undefined = result;
  for (const name of list) value = isRecord(value) ? value[name] : undefined;
  // Services write an empty list as nil, or leave it out.
  if (!hasValue(value)) return [];
  if (isList(value) && value.every(isRecord)) return value;
  throw new RelctlError('bad-answer', `the answer of ${read} has no list ${list.join('.')}`, {
    facts: { operation: read, code: 'no-list' },
  });
}

/** True where each parameter is one value: then the sent values identify the record that an operation adds. */
const isPlain = ({ parameters }: Operation): boolean => !Object.values(parameters).some(({ type }) => isNested(type));

/**
 * What reads the records that rows add, where the profile names an operation for it; undefined where it names none. Throws
 * `profile` where that operation is not known, counts as a write, or reads something else.
 */
export function listerOf<S>(
  { context, session }: { readonly context: Context; readonly session: Session },
  text: RowsText<S>,
): Lister | undefined {
  const settingValue = session.profile.values.settleBy?.value;
  const { operation, record, does } = text;
  const named = settingValue === undefined ? [] : readSettleBy(String(settingValue), 'settleBy');
  const settleBy = named.find(({ write }) => write === operation.name);
  const [member] = record.members;
  if (settleBy === undefined || member === undefined || does !== 'add') return undefined;
  if (!isPlain(operation)) throw wrongSetting(`what ${operation.name} adds cannot be identified by its parameters`);
  const reader = readerOf(context, session, settleBy);
  const common = commonMembers(text, itemOf(reader, settleBy), settleBy);
  return {
    longestMs: session.connection.limits.wholeMs,
    async read(input) {
      const { signal } = context;
      const request = { [settleBy.parameter]: input[member] ?? null };
      const { result } = await session.client.callUntyped(reader, request, { signal });
      const list = listIn(result, settleBy);
      if (list.length > mostListed) return undefined;
      return list.map((value) => ({ value, hash: hash('sha256', JSON.stringify(value)).slice(0, 16) }));
    },
    isAlike: (remaining, right) => common.every(([name]) => isSame(remaining[name], right[name])),
    isMadeBy: (input, value) => common.every(([name, other]) => isSame(input[name], value[other])),
  };
}

function settled(seen: Seen): Ending {
  switch (seen.is) {
    case 'as-sent':
      return { outcome: 'done', code: 'settled', words: 'no answer came; the record has the values that relctl sent' };
    case 'as-before':
      return { outcome: 'failed', code: 'settled', words: 'no answer came; the record has its former values' };
    case 'other':
      return { outcome: 'conflict', code: 'settled', words: `no answer came, and ${seen.words}` };
    case 'unclear':
      return { outcome: 'unknown', code: 'settled', words: `no answer came, and ${seen.words}` };
  }
}

function unknownRows(file: string, states: RowStates): ReadonlyMap<number, Sent> {
  const sent = new Map<number, Sent>();
  for (const { entry } of entriesOf(file))
    if ('sends' in entry && states.of(entry.row) === 'unknown') sent.set(entry.row, entry.sends);
  return sent;
}

/** How the records of rows are found, where their entries do not say it. Throws what reading the rows throws. */
async function searches<S>(
  { looking, rows }: Settling<S>,
  unknown: ReadonlyMap<number, Sent>,
): Promise<ReadonlyMap<number, RecordValue>> {
  const recordsByRow = new Map<number, RecordValue>();
  const isSaid = [...unknown.values()].every(({ foundBy: searchInput }) => searchInput !== undefined);
  if (isSaid || looking.readMs !== undefined) return recordsByRow;
  for await (const { row, plan } of rows)
    if (plan?.foundBy !== undefined && unknown.has(row)) recordsByRow.set(row, plan.foundBy);
  return recordsByRow;
}

interface Settling<S> {
  readonly looking: Looking<S>;
  readonly shared: S;
  readonly states: RowStates;
  /** The rows, read anew: how a record is found may be said now that was not when the row was sent. */
  readonly rows: AsyncIterable<Pick<PlannedRow, 'row' | 'plan'>>;
  readonly date: () => string;
  readonly signal: AbortSignal;
  /** Gives what is called for each row that was looked at, by how many there are. */
  readonly onRow: (count: number) => () => void;
}

/** How many rows were unknown, and how many of them still are. */
export interface Settled {
  readonly looked: number;
  readonly unclear: number;
}

/**
 * Finds out what became of the unknown rows of an earlier run, by reading their records now, and tells the journal of each as
 * soon as it is known. Throws what calls and the journal throw, and the reason of the signal.
 */
export async function settleRows<S>(readJournal: ReadJournal, settling: Settling<S>): Promise<Settled> {
  const { looking, shared, states, date, signal, onRow } = settling;
  const rows = unknownRows(readJournal.file, states);
  const records = await searches(settling, rows);
  if (rows.size > 0) await looking.refresh(shared);
  const looked = onRow(rows.size);
  let unclear = 0;
  const journal = continueJournal(readJournal, states);
  try {
    for (const [row, sent] of rows) {
      signal.throwIfAborted();
      const seen = await looking.at({ ...defined({ foundBy: records.get(row) }), ...sent }, shared);
      if (seen === undefined || seen.is === 'unclear') unclear += 1;
      if (seen !== undefined) journal.append({ row, at: date(), ...defined({ key: sent.key }), ends: settled(seen) });
      looked();
    }
  } finally {
    await journal.close();
  }
  return { looked: rows.size, unclear };
}

/** Rows that were sent to one record from its first unknown row on, and are done or unknown. */
interface SentRows {
  readonly rows: Map<number, Extract<Entry, { sends: Sent }>>;
  readonly done: Set<number>;
  /** Hashes of the records that were beside it just before the first of them; undefined where they were not read. */
  readonly before: readonly string[] | undefined;
}

/** The rows that may have added to records of unknown rows, by the keys of those records. Throws `local`. */
function sentToRecords(file: string, states: RowStates): ReadonlyMap<string, SentRows> {
  const groups = new Map<string, SentRows>();
  for (const { entry } of entriesOf(file)) {
    if (!('sends' in entry)) continue;
    const { key = '', listed } = entry.sends;
    const outcome = states.of(entry.row);
    const isFirst = outcome === 'unknown' && !groups.has(key);
    const sent = isFirst ? { rows: new Map(), done: new Set<number>(), before: listed } : groups.get(key);
    if (sent === undefined) continue;
    groups.set(key, sent);
    if (outcome === 'done') sent.done.add(entry.row);
    if (outcome === 'done' || outcome === 'unknown') sent.rows.set(entry.row, entry);
  }
  return groups;
}

function differenceOf(before: readonly string[], now: readonly Listed[]): { added: readonly Listed[]; gone: number } {
  const remaining = new Map<string, number>();
  for (const each of before) remaining.set(each, (remaining.get(each) ?? 0) + 1);
  const added = now.filter(({ hash }) => {
    const count = remaining.get(hash) ?? 0;
    if (count > 0) remaining.set(hash, count - 1);
    return count === 0;
  });
  return { added, gone: before.length - (now.length - added.length) };
}

const unclear = (words: string): Seen => ({ is: 'unclear', words });

interface Reading {
  readonly records: readonly Listed[] | undefined;
  readonly atMs: number;
}

interface Looked {
  readonly reading: Reading;
  readonly lister: Lister;
}

/** What to say where no row that is unknown added a record: one that was sent a moment ago may still do so. */
function absent({ rows }: SentRows, { atMs }: Reading, { longestMs }: Lister): Seen {
  const lastMs = [...rows.values()].reduce((last, { at }) => Math.max(last, Date.parse(at)), -Infinity);
  const waitS = Math.ceil((lastMs + longestMs - atMs) / 1000);
  return waitS <= 0 ? { is: 'as-before' } : unclear(`not found yet: settle again in ${waitS} s`);
}

/** What the records tell of a row: those that are new must be of all rows that are done or unknown, or of the former alone. */
function seenBy(sent: Sent, sentRows: SentRows, { reading, lister }: Looked): Seen {
  const { rows, done, before } = sentRows;
  if (before === undefined) return unclear('relctl did not read the list before it sent the row');
  if (reading.records === undefined) return unclear('there are too many records to compare');
  const { added, gone } = differenceOf(before, reading.records);
  if (gone > 0) return unclear(`earlier records were changed or removed: ${gone}`);
  if (added.length === done.size) return absent(sentRows, reading, lister);
  const made = added.filter(({ value }) => lister.isMadeBy(sent.input, value)).length;
  const alike = [...rows.values()].filter(({ sends }) => lister.isAlike(sent.input, sends.input)).length;
  if (added.length === rows.size && made === alike) return { is: 'as-sent' };
  return unclear(`${rows.size} rows were sent, ${added.length} records are new, and ${made} of them match it`);
}

/**
 * Looks at what rows added by the list of records beside each record: by those that are new since the first row of which it is
 * not known whether it was done.
 * @param journal the file of the journal; `states` is how its rows stand
 * @param nowMs the clock, in milliseconds, as entries of the journal have it
 */
export function lookingByList<S>(
  lister: Lister,
  { journal, states, nowMs }: { readonly journal: string; readonly states: RowStates; readonly nowMs: () => number },
): Looking<S> {
  let sent: ReadonlyMap<string, SentRows> = new Map();
  const readings = new Map<string, Reading>();
  const readingOf = async ({ key = '', input }: Sent): Promise<Reading> => {
    const known = readings.get(key);
    if (known !== undefined) return known;
    const atMs = nowMs();
    const reading = { atMs, records: await lister.read(input) };
    readings.set(key, reading);
    return reading;
  };
  return {
    refresh: () => {
      readings.clear();
      sent = sentToRecords(journal, states);
      return Promise.resolve();
    },
    at: async (row) => {
      const rows = sent.get(row.key ?? '');
      return rows === undefined ? undefined : seenBy(row, rows, { reading: await readingOf(row), lister });
    },
  };
}
