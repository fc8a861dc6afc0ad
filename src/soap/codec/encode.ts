import { hasValue, isList, isRecord, type RecordValue, type Value, defined } from '../../core/values/value.js';
import type { EnumerationType, Field, Fields, ListType, Type } from '../../contract/build.js';
import { isNested, scalarOf } from '../../contract/walk.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/text.js';
import { escapeAttribute, escapeReceivedText, escapeText, findUnsayable, isPlainText } from '../../xml/escape.js';
import { choiceComplaint, choicesOf } from './field-rules.js';
import { secretFields } from './credentials.js';
import {
  describeValue,
  invalidValue,
  within,
  type Direction,
  scalarForms,
  type TextualName,
} from '../values/scalars.js';
import { writeUntyped, type Tag } from '../values/free-form.js';

/** Where a value is, for an error message; undefined while nothing is known to be wrong (see `located`). */
type Path = string | undefined;

/** Writes what stands between the tags of an element. */
type Content = (value: Value, path: Path) => string;

/** Writes a whole element, or nothing. */
type Member = (holder: RecordValue, path: Path) => string;

const inside = (path: Path, name: string): Path => (path === undefined ? undefined : within(path, name));

/** Writes without paths, which take time; what fails is written once more with them, and fails with the place. */
function located(write: (path: Path) => string, path: string): string {
  try {
    return write(undefined);
  } catch {
    return write(path);
  }
}

const mostListed = 20;

/** The texts of all, one behind the other. Throws what failed, several as one error. */
function allOf(writes: Iterable<() => string>): string {
  const failures: RelctlError[] = [];
  let text = '';
  for (const write of writes) {
    try {
      text += write();
    } catch (thrown) {
      failures.push(RelctlError.from(thrown));
      if (failures.length === mostListed) break;
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return text;
  throw others.length === 0 ? first : first.but({ message: failures.map(({ message }) => message).join('; ') });
}

// NUL and lone surrogates: XML has not even a reference for these.
const impossible = /[\0\ud800-\udfff]/u;

function sayable(text: string, path: Path): string {
  const unsayable = findUnsayable(text);
  if (unsayable === undefined) return escapeText(text);
  const code = unsayable.codePoint.toString(16).toUpperCase().padStart(4, '0');
  throw invalidValue(
    'request',
    path,
    `holds the character U+${code} at position ${unsayable.index}, which XML cannot carry`,
  );
}

function received(text: string, path: Path): string {
  if (isPlainText(text)) return text;
  if (impossible.test(text)) throw invalidValue('response', path, 'holds a character that XML cannot carry');
  return escapeReceivedText(text);
}

const escapers: Readonly<Record<Direction, (text: string, path: Path) => string>> = {
  request: sayable,
  response: received,
  'bare-response': received,
};

function scalarContent(name: TextualName, direction: Direction): Content {
  const form = scalarForms[name];
  const escape = escapers[direction];
  return (value, path) => {
    // A response may hold any text: the sandbox sends odd values on purpose.
    const text = direction !== 'request' && typeof value === 'string' ? value : form.write(value);
    if (text === undefined) throw invalidValue(direction, path, `must be ${form.words}, not ${describeValue(value)}`);
    return escape(text, path);
  };
}

function enumerationContent(type: EnumerationType, direction: Direction): Content {
  const known: ReadonlySet<Value> = new Set(type.values);
  return (value, path) => {
    if (typeof value === 'string' && (direction !== 'request' || known.has(value)))
      return escapers[direction](value, path);
    const near = typeof value === 'string' ? nearest(value, type.values) : undefined;
    const advice = near === undefined ? '' : ` (did you mean '${near}'?)`;
    throw invalidValue(
      direction,
      path,
      `must be one of ${type.values.join(', ')}, not ${describeValue(value)}${advice}`,
    );
  };
}

/** The tag of an element that may stand in a namespace of its own. */
function tagOf(name: string, namespace: string | undefined): Tag {
  return { name, start: namespace === undefined ? name : `${name} xmlns="${escapeAttribute(namespace)}"` };
}

const nilOf = ({ start }: Tag): string => `<${start} xsi:nil="true" />`;

/** Writes an item of a list, given the path of the list. */
type Item = (value: Value, index: number, path: Path) => string;

function itemOf(type: ListType, direction: Direction): Item {
  const tag = tagOf(type.itemName, type.namespace);
  const item = elementOf(tag, type.item, direction);
  const nil = nilOf(tag);
  return (value, index, path) => {
    if (value === null && (direction !== 'request' || type.nillable === true)) return nil;
    return item(value, path === undefined ? undefined : `${path}[${index}]`);
  };
}

function listContent(type: ListType, direction: Direction): Content {
  const item = itemOf(type, direction);
  return (value, path) => {
    if (!isList(value)) throw invalidValue(direction, path, `must be a list, not ${describeValue(value)}`);
    if (path !== undefined) return allOf(value.map((each, index) => () => item(each, index, path)));
    let text = '';
    for (const [index, each] of value.entries()) text += item(each, index, path);
    return text;
  };
}

function unknownKey(holder: RecordValue, names: ReadonlySet<string>): string | undefined {
  for (const name in holder) if (!names.has(name)) return name;
  return undefined;
}

interface FieldsPlan {
  /** Throws unless a value is a record without unknown members. */
  readonly check: (value: Value, path: Path) => RecordValue;
  readonly members: readonly { readonly name: string; readonly write: Member; readonly item?: Item }[];
}

/** True for a field whose element stands once, in the namespace of the service. */
const isOfContract = ({ repeats, namespace }: Field): boolean => repeats !== true && namespace === undefined;

function fieldsPlan(fields: Fields, what: string, direction: Direction): FieldsPlan {
  const entries = Object.entries(fields);
  const names = new Set(entries.map(([name]) => name));
  const members = entries.map(([name, field]) => ({
    name,
    write: memberOf(name, field, direction),
    ...(field.type.kind === 'list' && isOfContract(field) ? { item: itemOf(field.type, direction) } : {}),
  }));
  const choices = direction === 'request' ? choicesOf(fields) : [];
  const check = (value: Value, path: Path): RecordValue => {
    if (!isRecord(value)) throw invalidValue(direction, path, `must be ${what}, not ${describeValue(value)}`);
    if (choices.length === 0 && unknownKey(value, names) === undefined) return value;
    const unknown = Object.keys(value).filter((name) => !names.has(name));
    const complaints = choices.flatMap((choice) => choiceComplaint(choice, value) ?? []);
    allOf([
      ...unknown.map((name) => () => refuse(name, path)),
      ...complaints.map((complaint) => (): never => {
        throw invalidValue(direction, path, complaint);
      }),
    ]);
    return value;
  };
  const refuse = (name: string, path: Path): never => {
    const near = nearest(name, [...names]);
    const advice = near === undefined ? '' : `; did you mean '${near}'?`;
    throw invalidValue(direction, inside(path, name), `is not known to ${what}${advice}`);
  };
  return { check, members };
}

function contentBy({ check, members }: FieldsPlan): Content {
  const writes = members.map(({ write }) => write);
  return (value, path) => {
    if (path !== undefined && isRecord(value)) {
      const checked = (): string => (check(value, path), '');
      return allOf([checked, ...writes.map((write) => () => write(value, path))]);
    }
    const record = check(value, path);
    let text = '';
    for (const write of writes) text += write(record, path);
    return text;
  };
}

function compile(type: Type, direction: Direction): Content {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'anyType' ? () => '' : scalarContent(type.name, direction);
    case 'enumeration':
      return enumerationContent(type, direction);
    case 'list':
      return listContent(type, direction);
    case 'record':
      return contentBy(fieldsPlan(type.fields, type.name, direction));
  }
}

const byDirection = <K extends object, V>(): Readonly<Record<Direction, WeakMap<K, V>>> => ({
  request: new WeakMap(),
  response: new WeakMap(),
  'bare-response': new WeakMap(),
});

const plans = byDirection<Type, Content>();

/** The plan of a type. One with members compiles at first use, so that a type may hold itself. */
function contentOf(type: Type, direction: Direction): Content {
  if (!isNested(type)) return compile(type, direction);
  const known = plans[direction].get(type);
  if (known !== undefined) return known;
  let compiled: Content | undefined;
  const content: Content = (value, path) => (compiled ??= compile(type, direction))(value, path);
  plans[direction].set(type, content);
  return content;
}

function elementOf(tag: Tag, type: Type, direction: Direction): Content {
  const { name, start } = tag;
  if (scalarOf(type) === 'anyType') {
    const escape = escapers[direction];
    return (value, path) => writeUntyped(tag, value, { path: path ?? '', direction, escape });
  }
  const content = contentOf(type, direction);
  const empty = isNested(type) && direction === 'response' ? nilOf(tag) : `<${start} />`;
  const [open, close] = [`<${start}>`, `</${name}>`];
  return (value, path) => {
    const text = content(value, path);
    return text === '' ? empty : open + text + close;
  };
}

/** Errors about a secret field never show its value. */
function secret(element: Content, direction: Direction): Content {
  return (value, path) => {
    try {
      return element(value, path);
    } catch {
      throw invalidValue(direction, path, 'has a value that is not of its type, or that XML cannot carry');
    }
  };
}

/** Of what no value can be sent, but a list without items. */
const unsendable =
  (element: Content, why: string): Content =>
  (value, path) => {
    if (isList(value) && value.length === 0) return element(value, path);
    throw invalidValue('request', path, `cannot be sent: ${why}`);
  };

/** A list whose items stand where its element would: each is an element of its name. */
function repeated(name: string, { type, namespace }: Field, direction: Direction): Content {
  const [item, nillable] = type.kind === 'list' ? [type.item, type.nillable] : [type];
  return listContent({ kind: 'list', item, itemName: name, ...defined({ nillable, namespace }) }, direction);
}

function memberOf(name: string, field: Field, direction: Direction): Member {
  const tag = tagOf(name, field.namespace);
  const plain = field.repeats === true ? repeated(name, field, direction) : elementOf(tag, field.type, direction);
  const sent = direction === 'request' && field.unsent !== undefined ? unsendable(plain, field.unsent) : plain;
  const element = secretFields.has(field) ? secret(sent, direction) : sent;
  const nil = nilOf(tag);
  const { presence, nillable } = field;
  // Asked for each value of a page, so only of a name that every object has.
  const isInherited = name in Object.prototype;
  return (holder, path) => {
    const value = isInherited && !Object.hasOwn(holder, name) ? undefined : holder[name];
    if (hasValue(value)) return element(value, inside(path, name));
    if (presence === 'nil' || (nillable === true && value === null)) return nil;
    if (direction !== 'request') return value === null ? nil : '';
    return withoutValue(value, presence, inside(path, name));
  };
}

/** The text of a member without a value in a request: none. Throws `usage` where the contract does not allow that. */
function withoutValue(value: null | undefined, presence: 'req' | 'opt', path: Path): string {
  if (value === null) throw invalidValue('request', path, absentOrNull(presence));
  if (presence === 'req') throw invalidValue('request', path, 'is missing, and must be given');
  return '';
}

const absentOrNull = (presence: 'req' | 'opt'): string =>
  presence === 'req' ? 'must have a value, not null' : 'cannot be null; leave it out instead';

const fieldPlans = byDirection<Fields, FieldsPlan & { readonly content: Content }>();

/** What encodeFields needs besides fields and value. */
export interface EncodeContext {
  readonly direction: Direction;
  /** What the fields belong to, for error messages: an operation or a record. */
  readonly of: string;
  /** Path of the holder, '' for the top. */
  readonly path?: string;
}

function planOf(fields: Fields, { direction, of }: EncodeContext): FieldsPlan & { readonly content: Content } {
  const known = fieldPlans[direction].get(fields);
  if (known !== undefined) return known;
  const plan = fieldsPlan(fields, of, direction);
  const made = { ...plan, content: contentBy(plan) };
  fieldPlans[direction].set(fields, made);
  return made;
}

/**
 * The elements of a set of fields, in the order of the contract whatever the order of the keys. A request is checked
 * strictly: throws `usage` with `facts.path` for unknown keys, wrong types, missing Req, null in Opt and characters that
 * XML cannot carry. A response is written as our own sandbox answers: throws `bug` for wrong types and unknown keys.
 */
export function encodeFields(fields: Fields, value: RecordValue, encodeContext: EncodeContext): string {
  const { content } = planOf(fields, encodeContext);
  return located((path) => content(value, path), encodeContext.path ?? '');
}

/** The same in pieces, an item of a list each: many short texts become bytes in half the time. Throws the same. */
export function* encodePieces(fields: Fields, value: RecordValue, context: EncodeContext): Generator<string> {
  const { check, members } = planOf(fields, context);
  const top = context.path ?? '';
  const record = check(value, top);
  for (const { name, write, item } of members) {
    const items = item === undefined ? undefined : record[name];
    if (item === undefined || !isList(items) || items.length === 0) yield located((path) => write(record, path), top);
    else {
      yield `<${name}>`;
      for (const [index, each] of items.entries()) yield located((path) => item(each, index, path), within(top, name));
      yield `</${name}>`;
    }
  }
}
