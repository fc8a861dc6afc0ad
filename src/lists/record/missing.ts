import { hasValue, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { fullResult, recordOf, unknownMembers } from '../../contract/walk.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type Note } from '../../soap/codec/notes.js';

/** The part of an answer that is searched for a record. */
export interface AnswerResult {
  readonly result: RecordValue;
  readonly notes?: readonly Note[];
}

/** A record that an answer must have. */
export interface RequiredRecord {
  readonly operation: Operation;
  readonly member: string;
  /** What the error says when it is missing: "there is no attachment 7". */
  readonly words?: string;
}

const holdsSomething = (value: Value | undefined): boolean =>
  hasValue(value) && value !== '' && !(Array.isArray(value) && value.length === 0);

/** A record of the result; undefined when it is absent, nil, or has no member of the contract. */
export function recordIn({ result }: AnswerResult, { operation, member }: RequiredRecord): RecordValue | undefined {
  const record = result[member];
  if (!isRecord(record)) return undefined;
  const type = recordOf(operation.result[member]?.type);
  const isKnown = type === undefined || Object.keys(record).some((name) => Object.hasOwn(type.fields, name));
  return isKnown ? record : undefined;
}

/** What an answer has instead of a missing record: names of members that the contract does not have, or text; else empty. */
export function insteadOf({ result }: AnswerResult, { operation, member }: RequiredRecord): readonly string[] {
  const own = result[member];
  const inside = isRecord(own) ? unknownMembers(own, {}).map((name) => `${member}.${name}`) : [];
  const value = !isRecord(own) && holdsSomething(own) ? [typeof own === 'string' ? 'text' : member] : [];
  const beside = unknownMembers(result, fullResult(operation)).filter((name) => holdsSomething(result[name]));
  return namesOf([...beside, ...inside, ...value]);
}

const namesOf = (members: readonly string[]): readonly string[] => members.map((name) => name.replace('#text', 'text'));

const listed = (members: readonly string[]): string =>
  `${members.slice(0, 10).join(', ')}, which the contract does not know`;

/**
 * The error for a read whose answer does not have its record: `not-found` when the answer is empty, `bad-answer` when it has
 * something else, because the record may exist then.
 */
export function missingRecord(answerResult: AnswerResult, requiredRecord: RequiredRecord): RelctlError {
  const { operation, member, words = `there is no such ${member.toLowerCase()}` } = requiredRecord;
  const instead = insteadOf(answerResult, requiredRecord);
  if (instead.length === 0) {
    return new RelctlError('not-found', `${words}: the service returned none`, {
      facts: { operation: operation.name },
      advice: 'Check the Id, and that this is the right service.',
      hint: 'relctl whoami',
    });
  }
  return new RelctlError('bad-answer', `the answer has no ${member} but ${listed(instead)}`, {
    facts: { operation: operation.name, code: 'unknown-field' },
    data: answerResult.result,
  });
}

/**
 * The error for a record without the member that it was asked for: `bad-answer`, with the names of the members, in the record
 * and beside it, that the contract does not have.
 * @param required its words say what is missing: "the content is missing"
 * @param name name of the missing member
 */
export function missingMember({ result }: AnswerResult, required: Required<RequiredRecord>, name: string): RelctlError {
  const { operation, member, words } = required;
  const type = recordOf(operation.result[member]?.type);
  const record = result[member];
  const inside =
    isRecord(record) && type !== undefined
      ? unknownMembers(record, type.fields).map((other) => `${member}.${other}`)
      : [];
  const others = namesOf([...inside, ...unknownMembers(result, fullResult(operation))]);
  const but = others.length === 0 ? '' : ` but ${listed(others)}`;
  return new RelctlError('bad-answer', `${words}: the answer has no ${member}.${name}${but}`, {
    facts: { operation: operation.name, code: 'missing-field', path: `${member}.${name}` },
  });
}

/**
 * Makes the check of an answer about one relation: it must have the relation or rows. The check throws `not-found`, and
 * `bad-answer` when the answer has something else.
 * @param rows member of the result that has the rows
 */
export const needsRelation =
  (operation: Operation, rows: string): ((result: RecordValue) => void) =>
  (result) => {
    const required = { operation, member: 'Relation', words: 'there is no such relation' };
    if (recordIn({ result }, required) === undefined && !holdsSomething(result[rows]))
      throw missingRecord({ result }, required);
  };
