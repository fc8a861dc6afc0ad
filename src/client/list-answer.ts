import { isList, isRecord, type RecordValue, type Value } from '../plain/value.js';
import type { Operation } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { type Note } from '../soap/values/note.js';

/**
 * What the answer holds where the contract has a list. `there`: records; `empty`: the element without items; `nil`: the
 * element with xsi:nil; `absent`: no element of that name; `other`: no list of records, but text or nil items.
 */
export type ListState = 'there' | 'empty' | 'nil' | 'absent' | 'other';

/** The list of a result. */
export interface ListAnswer {
  /** Name of the list. */
  readonly list: string;
  readonly state: ListState;
  /** The rows; none unless the list is there. */
  readonly records: readonly RecordValue[];
  /** Names of the members that the contract does not have; `#text` for text. */
  readonly beside: readonly string[];
}

/** The answer with these rows, or the empty list when there are none. */
export const rowsAnswered = (records: readonly RecordValue[], list = 'Rows'): ListAnswer => ({
  list,
  state: records.length > 0 ? 'there' : 'empty',
  records,
  beside: [],
});

function stateOf(value: Value | undefined): ListState {
  if (value === undefined) return 'absent';
  if (value === null) return 'nil';
  if (!isList(value)) return 'other';
  if (value.length === 0) return 'empty';
  return value.every(isRecord) ? 'there' : 'other';
}

/**
 * Reads the list of a result. No other code decides whether an answer holds a list, so that nothing else counts as an empty
 * one; the caller decides what follows.
 * @param result own members of the result
 * @param member name of the list in it
 */
export function listIn(operation: Operation, result: RecordValue, member: string): ListAnswer {
  const value = result[member];
  const state = stateOf(value);
  const records = state === 'there' && Array.isArray(value) ? value.filter(isRecord) : [];
  const beside = Object.keys(result).filter((name) => !Object.hasOwn(operation.result, name));
  return { list: member, state, records, beside };
}

const named = (name: string): string => (name === '#text' ? 'text' : `<${name}>`);

const states: Readonly<Record<ListState, (list: string) => string>> = {
  there: (list) => `<${list}> with records`,
  empty: (list) => `an empty <${list}>`,
  nil: (list) => `a nil <${list}>`,
  absent: (list) => `no <${list}>`,
  other: (list) => `<${list}> with text or nil items in the place of records`,
};

/** What came, in words: `no <Relations>, but <Error>`. */
export function wordsOf({ list, state, beside }: ListAnswer): string {
  const others = beside.map(named).join(', ');
  const link = state === 'absent' ? ', but ' : ', and beside it ';
  return `${states[state](list)}${others === '' ? '' : `${link}${others}`}`;
}

/** The `bad-answer` for an answer without the list. */
export function noList(answer: ListAnswer, hint?: string): RelctlError {
  const code = answer.state === 'absent' ? 'list-absent' : 'no-list';
  return new RelctlError('bad-answer', `the answer has ${wordsOf(answer)}: that is no list`, {
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
  { operation, shows }: { readonly operation: Operation; readonly shows: string },
  result: RecordValue,
  mayBeAbsent: boolean,
): WholeList {
  const answer = listIn(operation, result, shows);
  const { state, records, beside } = answer;
  if (state === 'other') throw noList(answer);
  if (state !== 'absent') return { records, notes: [] };
  if (beside.length > 0 || !mayBeAbsent) throw noList(answer);
  return { records, notes: [{ kind: 'missing-list', path: shows, count: 1 }] };
}
