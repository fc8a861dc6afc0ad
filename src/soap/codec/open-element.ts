import type { Value } from '../../core/values/value.js';
import { badAnswer } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import type { XmlAttribute, XmlName } from '../../xml/events.js';
import type { UnknownElements, Note } from './notes.js';
import { dataOf, type Slot } from './decode-plan.js';
import { type DecoderOptions, isBlank, type Leaf } from './leaf.js';

/** What the open elements of one document share. */
export interface DecodeContext extends DecoderOptions {
  /** The namespace of the service, as the very text that comes with the elements: the same text is compared at a glance. */
  ownNamespace: string;
  readonly leaf: Leaf<OpenElement>;
  readonly unknown: UnknownElements;
  /** The item of a list without a name that an element of no contract is. */
  readonly unnamedItem?: ((name: XmlName, attributes: readonly XmlAttribute[]) => Slot | undefined) | undefined;
}

/** How an element begins. */
export interface Start {
  readonly up: OpenElement | undefined;
  readonly name: string;
  /** What it is in the contract, if that has it. */
  readonly slot: Slot | undefined;
  readonly isNil: boolean;
}

/** Adds a value under a name; the second one with the same name makes a list of them. */
export function collect(into: Map<string, Value>, name: string, value: Value): void {
  const known = into.get(name);
  if (known === undefined) into.set(name, value);
  // What was collected is never a list itself, so a list here is one that began here.
  else if (Array.isArray(known)) known.push(value);
  else into.set(name, [known, value]);
}

/** An element whose end tag has not come, and in which others stand. Nothing in it is lost: what is odd is noted, and stored. */
export abstract class OpenElement {
  abstract readonly kind: 'tree' | 'list' | 'record';
  readonly reading: DecodeContext;
  readonly up: OpenElement | undefined;
  readonly name: string;
  readonly slot: Slot | undefined;
  readonly isNil: boolean;
  /** The text beside its elements. */
  protected beside = '';
  /** Members of the contract. */
  readonly value: Record<string, Value> = {};
  /** Members that the contract does not have. */
  extras: Map<string, Value> | undefined;

  constructor(reading: DecodeContext, { up, name, slot, isNil }: Start) {
    this.reading = reading;
    this.up = up;
    this.name = name;
    this.slot = slot;
    this.isNil = isNil;
  }

  /** Begins an element in this one: gives it, or this one where it became the leaf. Throws `bad-answer`. */
  abstract open(name: XmlName, attributes: readonly XmlAttribute[]): OpenElement;

  /** The value at the end tag; null for xsi:nil without content. Throws `bad-answer`. */
  abstract end(): Value;

  /** Stores the value of an element that stood in this one. Throws `bad-answer` (answer-limit). */
  abstract store(slot: Slot | undefined, name: string, value: Value): void;

  text(text: string): void {
    // White space between elements does not count, that within a text does.
    if (this.beside !== '' || !isBlank(text)) this.beside = this.reading.leaf.within(this.beside, text, this);
  }

  /** Where it stands, without list positions and without the root: `Relations.PvRelationData`. */
  get path(): string {
    const names: string[] = [];
    let { up, name } = this;
    for (; up !== undefined; { up, name } = up) names.unshift(name);
    return names.join('.');
  }

  pathTo(name: string): string {
    const { path } = this;
    return path === '' ? name : `${path}.${name}`;
  }

  /** Stores a value of no contract. */
  collect(name: string, value: Value): void {
    collect((this.extras ??= new Map<string, Value>()), name, value);
  }

  /** Stores the attributes that hold data: as members of the element; those of a list, and of what is nil, beside it. */
  with(attributes: readonly XmlAttribute[]): this {
    if (attributes.length === 0) return this;
    if (this.isNil || this.kind === 'list') storeData(this.reading, this.up, { attributes, of: this.name });
    else storeData(this.reading, this, { attributes, of: '' });
    return this;
  }

  protected note(kind: Note['kind'], value?: string): void {
    this.reading.notes.add(kind, this.path, value);
  }

  /** True for xsi:nil without content. Content is stored in spite of xsi:nil, with a note. */
  protected isNothing(isEmpty: boolean): boolean {
    if (this.isNil && !isEmpty) this.note('late-nil');
    return this.isNil && isEmpty;
  }

  /** True within a field that the contract does not have: what is odd there is noted, and stops nothing. */
  get isWithinUnknown(): boolean {
    return this.slot?.isExtra === true || this.up?.isWithinUnknown === true;
  }
  /** Throws `bad-answer` for a known element in another namespace than its own. */
  protected checkNamespace({ local, namespace }: XmlName, { namespace: own }: Slot): void {
    const { reading } = this;
    if (namespace === (own ?? reading.ownNamespace)) {
      if (own === undefined) reading.ownNamespace = namespace;
      return;
    }
    const path = this.pathTo(local);
    if (this.isWithinUnknown) {
      reading.notes.add('unknown-field', path);
      return;
    }
    const expected = forMessage(own ?? reading.namespace, 200);
    const words = `${path} is in the namespace '${forMessage(namespace, 200)}', expected '${expected}'`;
    throw badAnswer('namespace', words, { path });
  }
}

/** Stores the attributes of an answer that hold data as members of an element: its own, or those of its member `of`. */
export function storeData(
  { isResult, notes, unknown }: DecodeContext,
  into: OpenElement | undefined,
  { attributes, of }: { readonly attributes: readonly XmlAttribute[]; readonly of: string },
): void {
  if (isResult !== true) return;
  for (const { name, value } of dataOf(attributes)) {
    const member = `${of}@${name.local}`;
    const path = into?.pathTo(member) ?? member;
    if (into?.kind !== 'tree') notes.add('unknown-field', path);
    unknown.add({ path });
    if (into?.kind !== 'list') into?.collect(member, value);
  }
}
