import { defined, isList, isRecord, stateOf } from '../core/values/value.js';
import type { NoValue, RecordValue, Value } from '../core/values/value.js';
import type { Fields, Operation } from '../contract/build.js';
import { fieldsOf, listedRecord, listOf, memberAt, unknownMembers, valueMember } from '../contract/walk.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { type Note } from '../soap/codec/notes.js';

/**
 * What the answer holds where the contract has a list. `there`: records; `empty`: the element without items; `nil`: the
 * element with xsi:nil; `absent`: no element of that name; `other`: no list of records, but text, or nil items among them.
 */
export type ListState = NoValue | 'there' | 'empty' | 'other';

/** The list of a result. */
export interface ListAnswer {
  readonly list: string;
  readonly state: ListState;
  /** The rows; none unless the list is there. */
  readonly records: readonly RecordValue[];
  /** Names of the members that the contract does not have; `#text` for text. */
  readonly beside: readonly string[];
  /** Place of the first nil item, from 1, where all others are records. */
  readonly nilItem?: number;
}

function listState(value: Value | undefined, hasRecords: boolean): ListState {
  const state = stateOf(value);
  if (state !== 'value') return state;
  if (!isList(value)) return 'other';
  if (value.length === 0) return 'empty';
  return !hasRecords || value.every(isRecord) ? 'there' : 'other';
}

/** The place of the first nil item; undefined where there is none, or text among the items. */
function nilItemOf(value: Value | undefined): number | undefined {
  if (!isList(value) || !value.every((item) => item === null || isRecord(item))) return undefined;
  const at = value.indexOf(null);
  return at === -1 ? undefined : at + 1;
}

/** A place in a result: what is there, what the contract has there, and the unknown members that were passed. */
interface ResultLevel {
  readonly value: Value | undefined;
  readonly fields: Fields;
  readonly beside: readonly string[];
}

const unknownIn = ({ value, fields }: ResultLevel): readonly string[] =>
  isRecord(value) ? unknownMembers(value, fields) : [];

/** A member of a record; of what is nil or absent it is nil or absent too. */
const memberIn = (value: Value | undefined, name: string): Value | undefined => (isRecord(value) ? value[name] : value);

const within = (level: ResultLevel, name: string): ResultLevel => {
  const type = level.fields[name]?.type;
  return {
    value: memberIn(level.value, name),
    fields: fieldsOf(type),
    beside: [...level.beside, ...unknownIn(level)],
  };
};

/**
 * Reads the list of a result. No other code decides whether an answer holds a list, so that nothing else counts as an empty
 * one; the caller decides what follows. An item that is no record by the contract becomes one with the member `Value`.
 * @param result own members of the result
 * @param path name of the list in it; with the names of the records that hold it, where it is further inside
 */
export function listIn(operation: Operation, result: RecordValue, path: string | readonly string[]): ListAnswer {
  const names = typeof path === 'string' ? [path] : path;
  const holder = names.slice(0, -1).reduce(within, { value: result, fields: operation.result, beside: [] });
  const name = names.at(-1) ?? '';
  const type = holder.fields[name]?.type;
  const hasRecords = listOf(type) === undefined || listedRecord(type) !== undefined;
  const value = memberIn(holder.value, name);
  const state = listState(value, hasRecords);
  const items = state === 'there' && isList(value) ? value : [];
  const records = hasRecords ? items.filter(isRecord) : items.map((item) => ({ [valueMember]: item }));
  const nilItem = state === 'other' ? nilItemOf(value) : undefined;
  return {
    ...{ list: names.join('.'), state, records, beside: [...holder.beside, ...unknownIn(holder)] },
    ...defined({ nilItem }),
  };
}

const named = (name: string): string => (name === '#text' ? 'text' : `<${name}>`);

const states: Readonly<Record<ListState, (list: string) => string>> = {
  there: (list) => `<${list}> with records`,
  empty: (list) => `an empty <${list}>`,
  nil: (list) => `a nil <${list}>`,
  absent: (list) => `no <${list}>`,
  other: (list) => `<${list}> with text instead of records`,
};

/** What came, in words: `no <Relations>, but <Error>`. */
export function describeAnswer({ list, state, beside, nilItem }: Omit<ListAnswer, 'records'>): string {
  const others = beside.map(named).join(', ');
  const link = state === 'absent' ? ', but ' : ', and beside it ';
  const what = nilItem === undefined ? states[state](list) : `<${list}> whose item ${nilItem} is nil`;
  return `${what}${others === '' ? '' : `${link}${others}`}`;
}

/** The `bad-answer` for an answer without the list. */
export function noList(answer: Omit<ListAnswer, 'records'>, hint?: string): RelctlError {
  const code = answer.state === 'absent' ? 'list-absent' : 'no-list';
  if (answer.nilItem !== undefined) {
    // A row of nulls would be one with a record whose members are all nil, and no row at all would be a loss.
    return new RelctlError('bad-answer', `the answer has ${describeAnswer(answer)}: relctl cannot print it as a row`, {
      facts: { code },
      advice: 'To print the whole answer, with null for such an item, use `relctl call OPERATION` without --list.',
      hint,
    });
  }
  return new RelctlError('bad-answer', `the answer has ${describeAnswer(answer)}: that is not a list`, {
    facts: { code },
    hint,
  });
}

/** The rows of a list without pages, and a note when the answer left the list out. */
export interface WholeList {
  readonly records: readonly RecordValue[];
  readonly notes: readonly Note[];
}

/**
 * The rows of a list without pages. A list that the answer left out counts as empty, with a note. Throws `bad-answer` for
 * what is no list, and for a list that is left out where it must not be or where the answer holds unknown members.
 * @param mayBeAbsent false where an empty list would have consequences: then it has to be there
 */
export function wholeListIn(
  {
    operation,
    shows,
    holders = [],
  }: { readonly operation: Operation; readonly shows: string; readonly holders?: readonly string[] },
  result: RecordValue,
  mayBeAbsent: boolean,
): WholeList {
  const path = [...holders, shows];
  const answer = listIn(operation, result, path);
  const { state, records, beside, list } = answer;
  if (state === 'other') throw noList(answer);
  // Without an element of its own, a list that is not there looks as an empty one does.
  const isUnsure = state === 'empty' && beside.length > 0 && memberAt(operation.result, path)?.repeats === true;
  if (isUnsure) throw noList(answer);
  if (state !== 'absent') return { records, notes: [] };
  if (beside.length > 0 || !mayBeAbsent) throw noList(answer);
  return { records, notes: [{ kind: 'missing-list', path: list, count: 1 }] };
}
