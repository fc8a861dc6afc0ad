import { isNested } from '../../../contract/walk.js';
import type { RecordValue, Value } from '../../../core/values/value.js';
import { opt, type Fields, type RecordType } from '../../../contract/build.js';
import { string } from '../../../contract/scalars.js';
import type { WholeResponse } from '../../../soap/wire/response.js';
import type { Middleware } from '../../context.js';
import { type Random, words } from '../../dataset/random.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { choice, controlCharacter, headerText, text } from './forms.js';
import { changedFields, type Refit, refittedOperation, sampleOf, type Visitor } from '../../walk.js';

const visiting =
  (visitor: Visitor): Middleware =>
  (request, execute) => {
    const executed = execute(request);
    return { ...executed, result: changedFields(executed.operation.result, executed.result, visitor) };
  };

const refitting =
  (refit: Refit): Middleware =>
  (operationRequest, execute) => {
    const executed = execute(operationRequest);
    return { ...executed, operation: refittedOperation(executed.operation, refit) };
  };

const unknownName = 'NotInTheContract';

/** Each record has one more member than it should: the contract by which it is written gets it first, then the value. */
const unknownMembers: Middleware = (operationRequest, execute) => {
  const grown = visiting({ record: (value) => ({ ...value, [unknownName]: 'unknown' }) })(operationRequest, execute);
  const refit: Refit = (fields) => ({ ...fields, [unknownName]: opt(string, 'Not in any contract.') });
  const operation = refittedOperation(grown.operation, refit);
  return { ...grown, operation, result: { ...grown.result, [unknownName]: 'unknown' } };
};

const reversed: Refit = (fields) => Object.fromEntries([...Object.entries(fields)].reverse());

const without = (fields: Fields, value: RecordValue, isLost: (name: string) => boolean): RecordValue =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !(Object.hasOwn(fields, name) && isLost(name))));

const lostMembers = (named: string): Visitor => ({
  record: (value, { fields }) =>
    without(fields, value, (name) =>
      named === '' ? name !== 'Id' && fields[name]?.presence === 'req' : name === named,
    ),
});

const nested = (valueFor: (type: RecordType, name: string, value: Value | undefined) => Value): Visitor => ({
  record: (value, type) => {
    const names = Object.keys(type.fields).filter((name) => isNested(type.fields[name]?.type));
    return { ...value, ...Object.fromEntries(names.map((name) => [name, valueFor(type, name, value[name])])) };
  },
});

const emptied = nested(() => null);

const filled = nested((type, name, value) => {
  const field = type.fields[name];
  return value ?? (field === undefined ? null : sampleOf(field.type));
});

const nestings = {
  nil: visiting(emptied),
  populated: visiting(filled),
  empty: (operationRequest, execute) => ({ ...execute(operationRequest), bare: true }),
} as const satisfies Readonly<Record<string, Middleware>>;

const strings = (change: (value: string) => string): Visitor => ({
  scalar: (value, name) => (name === 'string' && typeof value === 'string' ? change(value) : value),
});

/** dateTimes that are invalid, out of range, skipped by summer time, or in an unusual form. */
export const oddDates = words.oddDateTimes;

const dates = (random: Random, fixed: string): Visitor => ({
  scalar: (value, name) => (name === 'dateTime' ? (fixed === '' ? random.pick(oddDates) : fixed) : value),
});

const announced = (answer: WholeResponse, charset: string): WholeResponse => {
  const [mediaType = ''] = (answer.headers['content-type'] ?? '').split(';');
  const type = charset === 'none' ? mediaType : `${mediaType}; charset=${charset}`;
  return { ...answer, headers: { ...answer.headers, 'content-type': type } };
};

const recoded = (body: Uint8Array, charset: 'latin1' | 'utf16le'): Uint8Array => {
  const decoded = Buffer.from(body).toString('utf8');
  // What latin1 has no byte for becomes a question mark, as services do it that write in their own code page.
  return charset === 'latin1'
    ? Buffer.from(decoded.replace(/[^\u0000-\u00ff]/gu, '?'), 'latin1')
    : Buffer.from(decoded, 'utf16le');
};

/** Faults of the content of answers: they change values, the contract that encodes the answer, or its charset. */
export const contentFaults: readonly FaultKind[] = [
  faultKind('announced-charset', {
    value: argument(headerText),
    effects: (charset) => ({ rewrite: (answer) => announced(answer, charset) }),
  }),
  faultKind('real-charset', {
    value: argument(choice(['latin1', 'utf16le'])),
    effects: (charset) => ({ rewrite: (answer) => ({ ...answer, body: recoded(answer.body, charset) }) }),
  }),
  faultKind('bom', {
    effects: () => ({
      rewrite: (answer) => ({ ...answer, body: Buffer.concat([Buffer.from('\ufeff'), answer.body]) }),
    }),
  }),
  faultKind('unknown-elements', { effects: () => ({ middleware: () => unknownMembers }) }),
  faultKind('missing-fields', {
    value: argument(text, ''),
    effects: (name) => ({ middleware: () => visiting(lostMembers(name)) }),
  }),
  faultKind('reordered-members', { effects: () => ({ middleware: () => refitting(reversed) }) }),
  faultKind('nested', {
    value: argument(choice(['nil', 'populated', 'empty'])),
    effects: (what) => ({ middleware: () => nestings[what] }),
  }),
  faultKind('control-characters', {
    value: argument(controlCharacter, '1F'),
    effects: (character) => ({ middleware: () => visiting(strings((value) => `${value}${character}`)) }),
  }),
  faultKind('odd-dates', {
    value: argument(text, ''),
    effects: (fixed) => ({ middleware: (random) => visiting(dates(random, fixed)) }),
  }),
];
