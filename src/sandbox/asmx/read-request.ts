import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type {
  EnumerationType,
  Field,
  Fields,
  ListType,
  Operation,
  RecordType,
  ScalarType,
  Type,
} from '../../contract/build.js';
import { recordOf, requestFields } from '../../contract/walk.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { OperationRequest } from '../context.js';
import { serverDay } from './date-times.js';
import { type Element, envelopeOf, isNil } from './document.js';
import { malformed, unreadable } from './faults.js';
import { zeroOf } from '../walk.js';
import { readScalar } from './scalars.js';

// The branches of a tag begin with different characters, so that the pattern never backtracks.
const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<\/[^>]*>|<(?:[^>"']+|"[^"]*"|'[^']*')*>/g;

/** Index behind the end tag of an element, counted from 0 as they open; the document must be well-formed. */
function endOf(text: string, element: number): number {
  const open: number[] = [];
  let count = 0;
  for (const { 0: tag, index } of text.matchAll(markup)) {
    if (/^<[!?]/.test(tag)) continue;
    const isEndTag = tag.startsWith('</');
    if (!isEndTag) {
      open.push(count);
      count += 1;
    }
    if ((isEndTag || tag.endsWith('/>')) && open.pop() === element) return index + tag.length;
  }
  return text.length;
}

/** Line and column, from 1, at which .NET's reader stands behind an element: at the name in the tag after it. */
export function positionAfter(text: string, element: number): { readonly line: number; readonly column: number } {
  const end = endOf(text, element);
  const at = end + (/^<\/?/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
  const before = text.slice(0, at).split(/\r\n|[\r\n]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A request, with the headers that are checked only after it was executed. */
export interface AsmxRequest {
  readonly received: OperationRequest;
  readonly mustUnderstand: readonly string[];
}

/** What a request is read from. */
export interface RequestSource {
  readonly operation: Operation;
  readonly version: SoapVersion;
  readonly root: Element;
  readonly text: string;
  readonly namespace: string;
  readonly now: () => Date;
}

function readingOf({ text, namespace, now }: RequestSource): Reading {
  return {
    namespace,
    today: () => serverDay(now()),
    refuse: (element, words) => {
      const { line, column } = positionAfter(text, element.number);
      throw unreadable(`There is an error in XML document (${line}, ${column}). ---> ${words}`);
    },
  };
}

/** The values of a request; without an element of the operation everything has its default. Throws faults of faults.ts. */
export function readAsmxRequest(source: RequestSource): AsmxRequest {
  const { operation, version, root, namespace } = source;
  const { content, mustUnderstand } = envelopeOf(root);
  const reading = readingOf(source);
  const fields = requestFields(operation);
  const isOperation = ({ name }: Element): boolean => name.local === operation.name && name.namespace === namespace;
  const operations = content.filter(isOperation).map((element) => readFields(reading, fields, element.children));
  const values: RecordValue = operations.at(-1) ?? readFields(reading, fields, []);
  const { credentials, ...input } = values;
  return {
    mustUnderstand,
    received: {
      version,
      operationName: operation.name,
      operation,
      credentials: isRecord(credentials) ? credentials : undefined,
      input,
    },
  };
}

interface Reading {
  readonly namespace: string;
  /** Says that an element's content is no value of its type, in the words of .NET. */
  readonly refuse: (element: Element, words: string) => never;
  /** The day on the clock of the server, as a date: a time alone is a time of it. */
  readonly today: () => string;
}

function readLeaf(reading: Reading, type: ScalarType | EnumerationType, element: Element): Value {
  // It holds what a value cannot: elements, comments, instructions.
  if (element.children.length > 0 || element.hasAside) throw malformed();
  const read = readScalar(type, element.text, reading.today);
  return 'value' in read ? read.value : reading.refuse(element, read.complaint);
}

function readRecord(reading: Reading, type: RecordType, element: Element): RecordValue {
  const named = element.type;
  if (named !== undefined && (named.local !== type.name || named.namespace !== reading.namespace)) {
    const at = `<${element.name.local} xmlns='${element.name.namespace}'>`;
    const words = `The specified type was not recognized: name='${named.local}', namespace='${named.namespace}', at ${at}.`;
    return reading.refuse(element, words);
  }
  return readFields(reading, type.fields, element.children);
}

function readItem(reading: Reading, type: ListType, element: Element): Value {
  // Only references can be null: an item of a value type that is marked nil has no value to read.
  if (recordOf(type.item) !== undefined && isNil(element)) return null;
  return readValue(reading, type.item, element);
}

function readList(reading: Reading, type: ListType, element: Element): readonly Value[] {
  return element.children
    .filter(({ name }) => name.local === type.itemName && name.namespace === reading.namespace)
    .map((item) => readItem(reading, type, item));
}

function readValue(reading: Reading, type: Type, element: Element): Value {
  if (type.kind === 'record') return readRecord(reading, type, element);
  return type.kind === 'list' ? readList(reading, type, element) : readLeaf(reading, type, element);
}

/** Whether xsi:nil is looked at: on lists, and on value types that may be null. Elsewhere it says nothing. */
const heedsNil = ({ type, presence }: Field): boolean => type.kind === 'list' || presence === 'nil';

function readMember(reading: Reading, field: Field, element: Element): Value {
  return heedsNil(field) && isNil(element) ? null : readValue(reading, field.type, element);
}

/** The value of an absent member: zero for a value type, null where null is allowed, undefined for the rest. */
function absent({ type, presence }: Field): Value | undefined {
  if (presence === 'nil') return null;
  return presence === 'req' ? zeroOf(type) : undefined;
}

function joined(before: Value | undefined, more: Value): Value {
  if (!isList(before)) return more;
  return isList(more) ? [...before, ...more] : before;
}

/** Members as XmlSerializer reads them: any order, the first of two, lists joined, unknown ones passed, defaults for missing. */
function readFields(reading: Reading, fields: Fields, elements: readonly Element[]): RecordValue {
  const values = new Map<string, Value>();
  for (const element of elements) {
    const { local, namespace } = element.name;
    const field = Object.hasOwn(fields, local) ? fields[local] : undefined;
    if (field === undefined || namespace !== reading.namespace) continue;
    if (field.type.kind === 'list') values.set(local, joined(values.get(local), readMember(reading, field, element)));
    else if (!values.has(local)) values.set(local, readMember(reading, field, element));
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = values.has(name) ? values.get(name) : absent(field);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
