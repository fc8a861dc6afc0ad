import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { badAnswer } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import type { XmlAttribute, XmlName } from '../../xml/events.js';
import { addItem } from './notes.js';
import { isRowsAt, type Rows } from './rows.js';
import {
  dataOf,
  isMarkedNil,
  typeNamed,
  type LeafNode,
  type ListNode,
  type RecordNode,
  type Slot,
} from './decode-plan.js';
import { hasControls, isBlank, trimmed } from './leaf.js';
import { OpenElement, storeData, type DecodeContext, type Start } from './open-element.js';

const textMember = '#text';

/** Begins what stands in a slot; gives what holds it for a scalar, which is the leaf. */
function startIn(up: OpenElement, slot: Slot, attributes: readonly XmlAttribute[]): OpenElement {
  const { node, name } = slot;
  const { reading } = up;
  const isNil = isMarkedNil(attributes);
  if (node.kind === 'leaf') {
    // Beside an item, or a member that comes again, nobody would know whose the attributes are.
    const isMember = up.kind === 'record' && slot.isRepeated !== true;
    if (isMember) storeData(reading, up, { attributes, of: name });
    else if (reading.isResult === true && dataOf(attributes).length > 0)
      return new TreeElement(reading, { up, name, slot, isNil }, { form: node }).with(attributes);
    reading.leaf.begin(up, { slot, isNil }, node);
    return up;
  }
  const start = { up, name, slot, isNil };
  if (node.kind === 'record') return new RecordElement(reading, start, node).with(attributes);
  if (node.kind === 'list') return new ListElement(reading, start, node).with(attributes);
  return startTree(reading, start, attributes);
}

/** Begins an element of no contract. */
function startUnknown(up: OpenElement, name: XmlName, attributes: readonly XmlAttribute[]): OpenElement {
  const item = up.reading.unnamedItem?.(name, attributes);
  if (item !== undefined) return startIn(up, item, attributes);
  return startTree(up.reading, { up, name: name.local, slot: undefined, isNil: isMarkedNil(attributes) }, attributes);
}

function startTree(reading: DecodeContext, start: Start, attributes: readonly XmlAttribute[]): OpenElement {
  const type = typeNamed(attributes, reading);
  const tree = new TreeElement(reading, start, type?.kind === 'leaf' ? { form: type } : {});
  reading.unknown.add(tree);
  if (start.slot === undefined || type?.kind !== 'record') return tree.with(attributes);
  return new RecordElement(reading, start, type).with(attributes);
}

/** Untyped or unknown content: all its members are of no contract. */
export class TreeElement extends OpenElement {
  override readonly kind = 'tree';
  readonly #form: Pick<LeafNode, 'read'> | undefined;
  /** Items of a list that the document does not name were in it. */
  hasItems = false;

  /** @param content.form how its text is read; without one it is the value as it stands */
  constructor(
    reading: DecodeContext,
    start: Start,
    { form, text = '' }: { readonly form?: Pick<LeafNode, 'read'>; readonly text?: string },
  ) {
    super(reading, start);
    this.#form = form;
    this.beside = text;
  }

  override open(name: XmlName, attributes: readonly XmlAttribute[]): OpenElement {
    return startUnknown(this, name, attributes);
  }

  override text(text: string): void {
    this.beside = this.reading.leaf.within(this.beside, text, this);
  }

  override store(_slot: Slot | undefined, name: string, value: Value): void {
    this.collect(name, value);
  }

  override end(): Value {
    const { extras, beside } = this;
    if (this.isNothing(extras === undefined && isBlank(beside) && !this.hasItems)) return null;
    if (hasControls(beside)) this.note('control-character');
    const value = isBlank(beside) && extras !== undefined ? '' : this.#read(beside);
    if (extras === undefined) return value;
    if (!isBlank(beside)) this.collect(textMember, value);
    return Object.fromEntries(extras);
  }

  #read(text: string): Value {
    const form = this.#form;
    const value = form === undefined ? text : (form.read(text) ?? form.read(trimmed(text)));
    if (value === undefined) this.note('bad-value', text);
    return value ?? text;
  }
}

/** A wrapper around items. Text in the place of items is the only item. */
export class ListElement extends OpenElement {
  override readonly kind = 'list';
  readonly item: Slot;
  /** What becomes of its records, where it is the list that the caller reads. */
  readonly rows: Rows | undefined;
  /** No list is around it. */
  readonly isOutermost: boolean;
  readonly #items: Value[] = [];

  constructor(reading: DecodeContext, start: Start, node: ListNode) {
    super(reading, start);
    this.item = node.item;
    if (isRowsAt(reading.rows, start.name, start.up)) this.rows = reading.rows;
    let { up } = start;
    while (up !== undefined && up.kind !== 'list') ({ up } = up);
    this.isOutermost = up === undefined;
  }

  override open(name: XmlName, attributes: readonly XmlAttribute[]): OpenElement {
    const { item, reading } = this;
    if (this.isOutermost) reading.leaf.beginRow();
    if (this.rows !== undefined) reading.unknown.row();
    if (name.local === item.name) {
      this.checkNamespace(name, item);
      return startIn(this, item, attributes);
    }
    reading.notes.add('other-item', this.pathTo(name.local));
    const element = startIn(this, item, attributes);
    if (element instanceof RecordElement) element.foreignName = name.local;
    return element;
  }

  /** The row that a record becomes. */
  rowOf(record: RecordValue): Value {
    return this.rows === undefined ? record : this.rows.of(record);
  }

  /** Adds an item. Throws `bad-answer` (answer-limit). */
  add(item: Value): void {
    addItem(this.#items, item, this);
  }

  override store(_slot: Slot | undefined, _name: string, value: Value): void {
    this.add(isRecord(value) ? this.reading.unknown.boundRow(value, this.rowOf(value)) : value);
  }

  override end(): Value {
    const text = trimmed(this.beside);
    const isEmpty = this.#items.length === 0;
    if (this.isNothing(isEmpty && text === '')) return null;
    if (text === '') return this.#items;
    this.note(isEmpty ? 'bad-value' : 'stray-text', text);
    return [...this.#items, text];
  }
}

/** A record. Its fields come in any order, nil, absent or populated. Text in the place of members is the value. */
export class RecordElement extends OpenElement {
  override readonly kind = 'record';
  /** Its name, where the list that holds it has items of another name. */
  foreignName: string | undefined;
  readonly #node: RecordNode;
  /** Index behind the last known field seen. */
  #next = 0;
  #seen = 0;
  #isDisordered = false;
  /** Fields of several elements, with their values. */
  #lists: Map<string, Value[]> | undefined;

  constructor(reading: DecodeContext, start: Start, node: RecordNode) {
    super(reading, start);
    this.#node = node;
    reading.unknown.record();
  }

  override open(name: XmlName, attributes: readonly XmlAttribute[]): OpenElement {
    const expected = this.#node.slots[this.#next];
    const slot = expected?.name === name.local ? expected : this.#node.byName.get(name.local);
    if (slot === undefined || slot.isExtra === true) return this.#openOther(name, slot, attributes);
    this.checkNamespace(name, slot);
    if (slot.index < this.#next) this.#checkOrder(slot);
    else this.#next = slot.isRepeated === true ? slot.index : slot.index + 1;
    if (slot.isRepeated !== true || !Object.hasOwn(this.value, slot.name)) this.#seen += 1;
    return startIn(this, slot, attributes);
  }

  /** Opens what the contract does not have; with a slot where the WSDL of the service has it. */
  #openOther(name: XmlName, slot: Slot | undefined, attributes: readonly XmlAttribute[]): OpenElement {
    const { reading } = this;
    const isStrange = slot === undefined || name.namespace !== (slot.namespace ?? reading.namespace);
    // What is beside a list without a name is noted when it is known not to be that list. What the WSDL has beside the list of
    // a result is noted, too: it is in no output.
    if (this.up === undefined ? slot !== undefined || reading.unnamedItem === undefined : isStrange)
      reading.notes.add('unknown-field', this.pathTo(name.local));
    if (slot === undefined) return startUnknown(this, name, attributes);
    if (!Object.hasOwn(this.value, slot.name)) this.#seen += 1;
    else if (slot.isRepeated !== true) this.#beginList(slot.name);
    this.#isDisordered = true;
    return startIn(this, slot, attributes);
  }

  #checkOrder({ name, isRepeated }: Slot): void {
    const path = this.pathTo(name);
    if (isRepeated !== true && Object.hasOwn(this.value, name)) {
      if (!this.isWithinUnknown) throw badAnswer('duplicate', `${path} comes twice`, { path });
      this.#beginList(name);
    }
    if (!this.#isDisordered) this.reading.notes.add('out-of-order', path);
    this.#isDisordered = true;
  }

  /** Begins the values of a field that comes again, which is noted: each of them may be a list. */
  #beginList(name: string): void {
    this.reading.notes.add('unexpected-elements', this.pathTo(name));
    if (this.#lists?.has(name) !== true) this.#setList(name, [this.value[name] ?? null]);
  }

  #setList(name: string, values: Value[]): void {
    (this.#lists ??= new Map<string, Value[]>()).set(name, values);
    this.value[name] = values;
  }

  override store(slot: Slot | undefined, name: string, made: Value): void {
    const { rows } = this.reading;
    const value = isRecord(made) && isRowsAt(rows, name, this) ? rows.of(made) : made;
    if (slot === undefined) {
      this.collect(name, value);
      return;
    }
    if (slot.isRepeated === true && this.#lists?.has(name) !== true) this.#setList(name, []);
    const list = this.#lists?.get(name);
    if (list === undefined) this.value[name] = value;
    else addItem(list, value, { path: this.pathTo(name) });
  }

  override end(): Value {
    const { reading } = this;
    const text = trimmed(this.beside);
    const isBare = this.#seen === 0 && this.extras === undefined;
    if (this.isNothing(isBare && text === '')) return null;
    if (reading.isResult === true) this.#refuseStranger();
    if (text !== '') {
      const isValue = isBare && this.up !== undefined;
      this.note(isValue ? 'bad-value' : 'stray-text', text);
      if (isValue) return text;
      this.collect(textMember, text);
    }
    if (this.#seen < this.#node.slots.length) this.#addMissing();
    return this.#members();
  }

  /** An item of a list of the result without name or member of its records is no row: throws `bad-answer`. */
  #refuseStranger(): void {
    const { up, name } = this;
    if (this.foreignName === undefined || this.#seen > 0 || up?.up?.up !== undefined) return;
    const path = up?.path ?? '';
    const words = `holds <${forMessage(this.foreignName)}>, which has nothing of a ${name}: it is no row of this list`;
    throw badAnswer('other-item', `${path} ${words}`, { path });
  }

  /** Notes fields that are always sent. A list without an element of its own has none when it is empty. */
  #addMissing(): void {
    const { path, value } = this;
    for (const { name, isRequired, isRepeated } of this.#node.slots) {
      if (Object.hasOwn(value, name)) continue;
      if (isRequired) this.reading.notes.add('missing-field', path === '' ? name : `${path}.${name}`);
      if (isRepeated !== true) continue;
      value[name] = [];
      this.#isDisordered = true;
    }
  }

  /** Known fields first, in the order of the contract. Keys are defined, so that a field named `__proto__` is a field. */
  #members(): RecordValue {
    const { value, extras } = this;
    const isKnown = ({ name }: Slot): boolean => Object.hasOwn(value, name);
    const known = this.#isDisordered
      ? Object.fromEntries(this.#node.slots.filter(isKnown).map(({ name }) => [name, value[name] ?? null]))
      : value;
    return extras === undefined ? known : { ...known, ...Object.fromEntries(extras) };
  }
}
