import type { Field, Fields, Type } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { visible } from '../lexical/text.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../xml/events.js';
import type { Notebook } from './notes.js';
import { addField, isNil, rawElement, rawValue, xsiNamespace, type RawElement } from './raw.js';
import { scalarCodecs } from './scalars.js';
import type { RecordValue, Value } from './values.js';

/** A field as the decoder needs it. */
interface FieldPlan {
  readonly name: string;
  readonly index: number;
  readonly plan: Plan;
}

/** What to do with an element of some type; compiled once per type. */
type Plan =
  | { readonly kind: 'text' }
  | { readonly kind: 'lexical'; readonly read: (text: string) => Value | undefined }
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly itemName: string; readonly item: Plan }
  | RecordPlan;

interface RecordPlan {
  readonly kind: 'record';
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly required: readonly string[];
}

const compiled = new WeakMap<Type, Plan>();

function planOf(type: Type): Plan {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  const made = compile(type);
  compiled.set(type, made);
  return made;
}

function compile(type: Type): Plan {
  switch (type.kind) {
    case 'scalar':
      if (type.name === 'anyType') return { kind: 'any' };
      return type.name === 'string' ? { kind: 'text' } : { kind: 'lexical', read: scalarCodecs[type.name].read };
    case 'enumeration': {
      const values = new Set<string>(type.values);
      return { kind: 'lexical', read: (text) => (values.has(text) ? text : undefined) };
    }
    case 'list':
      return { kind: 'list', itemName: type.itemName, item: planOf(type.item) };
    case 'record':
      return recordPlan(type.fields);
  }
}

function recordPlan(fields: Fields): RecordPlan {
  const entries = Object.entries<Field>(fields);
  return {
    kind: 'record',
    fields: new Map(entries.map(([name, { type }], index) => [name, { name, index, plan: planOf(type) }])),
    required: entries.filter(([, { presence }]) => presence !== 'opt').map(([name]) => name),
  };
}

const plansOfFields = new WeakMap<Fields, RecordPlan>();

function planOfFields(fields: Fields): RecordPlan {
  const known = plansOfFields.get(fields) ?? recordPlan(fields);
  plansOfFields.set(fields, known);
  return known;
}

/** An element under way. One shape for all kinds keeps the hot loop fast. */
interface Node {
  readonly plan: Plan;
  readonly name: string;
  readonly isNil: boolean;
  /** Fields of a record. */
  readonly record: Record<string, Value>;
  /** Unknown fields, kept behind the known ones. */
  readonly extras: [name: string, value: Value][];
  readonly items: Value[];
  /** An element without a contract. */
  readonly raw: RawElement | undefined;
  lastIndex: number;
  isShuffled: boolean;
}

function breach(message: string, code: string): RelctlError {
  return new RelctlError('bad-answer', message, { facts: { code } });
}

// Written as escapes: the characters themselves must not stand in a source file.
const control = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const noExtras: [string, Value][] = [];
const noItems: Value[] = [];
const noRecord: Record<string, Value> = Object.freeze({});

/** How strictly members are taken: an answer may bring more than the contract knows; a request of ours may not. */
export interface DecodeRules {
  readonly namespace: string;
  readonly notes: Notebook;
}

/**
 * Decodes the children of one element by their fields. Feed it the events between the element's tags; `finish` gives the
 * record. Order does not matter, nil, absent and populated are taken everywhere, unknown members are kept behind the known
 * ones. Throws `bad-answer` for members that come twice and for text where elements belong.
 */
export class Decoder implements XmlEvents {
  readonly #rules: DecodeRules;
  readonly #stack: Node[];
  #text = '';

  constructor(fields: Fields, name: string, rules: DecodeRules) {
    this.#rules = rules;
    this.#stack = [node(planOfFields(fields), name, false)];
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const parent = this.#top();
    const nil = attributes.length > 0 && isNil(attributes);
    const { plan } = parent;
    this.#text = '';
    if (parent.raw !== undefined) this.#openRaw(name, attributes);
    else if (plan.kind === 'record') this.#openField(plan, { name, attributes, nil });
    else if (plan.kind === 'list') this.#openItem(plan, { name, nil, attributes });
    else
      throw breach(
        `${this.#path()} holds an element <${visible(name.local)}> where only text belongs`,
        'unexpected-element',
      );
  }

  text(text: string): void {
    const top = this.#top();
    if (top.raw !== undefined) top.raw.text += text;
    else if (top.plan.kind === 'text' || top.plan.kind === 'lexical') this.#text += text;
    else if (text.trim() !== '')
      throw breach(`${this.#path()} holds text '${visible(text.trim())}' where elements belong`, 'unexpected-text');
  }

  close(): void {
    const done = this.#top();
    const value = this.#valueOf(done);
    this.#stack.pop();
    const parent = this.#top();
    if (done.raw !== undefined && parent.raw !== undefined) {
      parent.raw.children.push(done.raw);
      return;
    }
    this.#put(parent, done, value);
    this.#text = '';
  }

  /** The record, once the element around it has ended. */
  finish(): RecordValue {
    return this.#recordOf(this.#top());
  }

  #top(): Node {
    const top = this.#stack.at(-1);
    if (top === undefined) throw new RelctlError('bug', 'the decoder ran out of elements');
    return top;
  }

  #path(last?: string): string {
    const names = this.#stack.map((each) => each.name);
    return [...names, ...(last === undefined ? [] : [last])].filter((name) => name !== '').join('.');
  }

  #openRaw(name: XmlName, attributes: readonly XmlAttribute[]): void {
    this.#stack.push(rawNode(name.local, rawElement(name, attributes)));
  }

  #openField(plan: RecordPlan, element: { name: XmlName; attributes: readonly XmlAttribute[]; nil: boolean }): void {
    const { name, attributes, nil } = element;
    const field = name.namespace === this.#rules.namespace ? plan.fields.get(name.local) : undefined;
    const parent = this.#top();
    if (field === undefined) {
      this.#rules.notes.add('unknown-field', this.#path(visible(name.local)));
      this.#stack.push(rawNode(name.local, rawElement(name, attributes)));
      return;
    }
    if (Object.hasOwn(parent.record, field.name))
      throw breach(`${this.#path(field.name)} comes twice`, 'repeated-member');
    if (field.index < parent.lastIndex) parent.isShuffled = true;
    parent.lastIndex = field.index;
    this.#stack.push(
      field.plan.kind === 'any' ? rawNode(field.name, rawElement(name, attributes)) : node(field.plan, field.name, nil),
    );
  }

  #openItem(
    plan: Plan & { kind: 'list' },
    element: { name: XmlName; nil: boolean; attributes: readonly XmlAttribute[] },
  ): void {
    const { name, nil } = element;
    if (name.local !== plan.itemName || name.namespace !== this.#rules.namespace) {
      throw breach(
        `${this.#path()} holds <${visible(name.local)}> where <${plan.itemName}> belongs`,
        'unexpected-item',
      );
    }
    this.#stack.push(node(plan.item, name.local, nil));
  }

  #valueOf(done: Node): Value {
    if (done.raw !== undefined) return typedRaw(done.raw);
    if (done.isNil) return this.#nil(done);
    switch (done.plan.kind) {
      case 'text':
        if (control.test(this.#text)) this.#rules.notes.add('control-character', this.#path());
        return this.#text;
      case 'lexical':
        return this.#lexical(done.plan.read);
      case 'list':
        return done.items;
      case 'record':
        return this.#recordOf(done);
      case 'any':
        return null;
    }
  }

  #nil(done: Node): Value {
    const isBare = this.#text.trim() === '' && done.items.length === 0 && Object.keys(done.record).length === 0;
    if (!isBare) this.#rules.notes.add('late-nil', this.#path(), visible(this.#text));
    return null;
  }

  #lexical(read: (text: string) => Value | undefined): Value {
    const value = read(this.#text);
    if (value !== undefined) return value;
    this.#rules.notes.add('bad-value', this.#path(), visible(this.#text));
    return this.#text;
  }

  #recordOf(done: Node): RecordValue {
    const { plan, extras } = done;
    if (plan.kind !== 'record') throw new RelctlError('bug', 'a record was expected');
    for (const name of plan.required) {
      if (!Object.hasOwn(done.record, name)) this.#rules.notes.add('missing-field', this.#path(name));
    }
    if (done.isShuffled) this.#rules.notes.add('out-of-order', this.#path());
    const record = done.isShuffled ? inOrder(done.record, plan) : done.record;
    for (const [name, value] of extras) addField(record, name, value);
    return record;
  }

  #put(parent: Node, done: Node, value: Value): void {
    if (parent.plan.kind === 'list') parent.items.push(value);
    else if (parent.plan.kind !== 'record') throw new RelctlError('bug', 'a value has no place');
    else if (
      parent.plan.fields.has(done.name) &&
      (done.raw === undefined || done.raw.name.namespace === this.#rules.namespace)
    ) {
      parent.record[done.name] = value;
    } else parent.extras.push([done.name, value]);
  }
}

function inOrder(record: Record<string, Value>, plan: RecordPlan): Record<string, Value> {
  const ordered: Record<string, Value> = {};
  for (const name of plan.fields.keys()) {
    const value = record[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

function node(plan: Plan, name: string, nil: boolean): Node {
  const isRecord = plan.kind === 'record';
  return {
    plan,
    name,
    isNil: nil,
    record: isRecord ? {} : noRecord,
    extras: isRecord ? [] : noExtras,
    items: plan.kind === 'list' ? [] : noItems,
    raw: undefined,
    lastIndex: -1,
    isShuffled: false,
  };
}

const anyPlan: Plan = { kind: 'any' };

function rawNode(name: string, raw: RawElement): Node {
  return {
    plan: anyPlan,
    name,
    isNil: false,
    record: noRecord,
    extras: noExtras,
    items: noItems,
    raw,
    lastIndex: -1,
    isShuffled: false,
  };
}

/** Untyped content by its xsi:type where that is a simple one, else as it came. */
function typedRaw(raw: RawElement): Value {
  const value = rawValue(raw);
  if (typeof value !== 'string') return value;
  const type = raw.attributes.find(({ name }) => name.namespace === xsiNamespace && name.local === 'type')?.value;
  const local = type?.slice(type.indexOf(':') + 1);
  if (local === 'int' || local === 'short' || local === 'boolean') return scalarCodecs[local].read(value) ?? value;
  return value;
}
