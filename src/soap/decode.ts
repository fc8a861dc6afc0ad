import { RelctlError } from '../errors/relctl-error.js';
import { visible } from '../lexical/text.js';
import type { FlatElement, XmlAttribute, XmlEvents, XmlName } from '../xml/events.js';
import type { ContentSink } from './content-sink.js';
import { attributeOf, FlatRecords, isMarkedNil } from './decode-flat.js';
import { nodeOfTypeName, type LeafNode, type Node, type RecordNode, type Slot, type TextNode } from './decode-plan.js';
import { collect, pathOf, recordOf, type Frame, type RecordFrame, type TreeFrame } from './frames.js';
import type { NoteBook } from './notes.js';
import { formOfType, type ScalarForm } from './scalars.js';
import type { Value } from './values.js';

/** What a decoder needs beside its plan. */
export interface DecoderOptions {
  /** Namespace that every known element must have. */
  readonly namespace: string;
  readonly notes: NoteBook;
  /** Namespace of a prefix in the scope of the element being opened. */
  readonly namespaceOf: (prefix: string) => string | undefined;
  /** Takes the text of one member in the place of the record. */
  readonly sink?: ContentSink;
}

/** Turns the events of one element into a value. */
export interface Decoder extends Required<XmlEvents> {
  /** The value, once the element is closed. */
  readonly value: Value | undefined;
}

const blank = /^[ \t\n\r]*$/;
const spaceAtEnds = /^[ \t\n\r]+|[ \t\n\r]+$/g;
// the control characters that .NET services send as references
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

class RecordDecoder implements Decoder {
  readonly #options: DecoderOptions;
  readonly #root: Node;
  #namespace: string;
  #top: Frame | undefined;
  /** The text element being read; elements without children need no frame. */
  #leaf: Slot | undefined;
  #leafNode: TextNode | LeafNode | undefined;
  #leafText = '';
  #isLeafNil = false;
  /** Who takes the text of the element being read, if it is not for the record. */
  #sink: ContentSink | undefined;
  #value: Value | undefined;
  readonly #flatRecords: FlatRecords;

  constructor(root: Node, options: DecoderOptions) {
    this.#root = root;
    this.#options = options;
    this.#namespace = options.namespace;
    this.#flatRecords = new FlatRecords(options.namespace);
  }

  get value(): Value | undefined {
    return this.#value;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#leaf !== undefined) this.#leafBecomesTree(this.#leaf);
    const top = this.#top;
    switch (top?.kind) {
      case undefined:
        this.#start({ name: name.local, index: 0, node: this.#root, isRequired: true }, attributes);
        return;
      case 'record':
        this.#openField(top, name, attributes);
        return;
      case 'list':
        if (name.local !== top.node.item.name) this.#note('unknown-field', name.local);
        else this.#checkNamespace(name);
        this.#start(top.node.item, attributes);
        return;
      case 'tree':
        this.#startTree(name.local, undefined, attributes);
    }
  }

  text(text: string): void {
    if (this.#leaf !== undefined) {
      if (this.#sink !== undefined) this.#sinkText(this.#sink, text);
      else this.#leafText = this.#leafText === '' ? text : this.#leafText + text;
      return;
    }
    const top = this.#top;
    if (top?.kind === 'tree') top.text += text;
    else if (!blank.test(text)) this.#options.notes.add('bad-value', pathOf(top), text);
  }

  close(): void {
    if (this.#leaf !== undefined && this.#leafNode !== undefined) {
      const leaf = this.#leaf;
      const value = this.#sink === undefined ? this.#leafValue(this.#leafNode) : this.#contentValue(this.#sink);
      this.#leaf = undefined;
      this.#deliver(this.#top, leaf.name, { slot: leaf, value });
      return;
    }
    const top = this.#top;
    if (top === undefined) return;
    const value = this.#frameValue(top);
    this.#top = top.up;
    this.#deliver(top.up, top.name, { slot: top.slot, value });
  }

  flat(element: FlatElement): boolean {
    const top = this.#top;
    if (this.#leaf !== undefined || top?.kind !== 'list' || this.#options.sink !== undefined) return false;
    const record = this.#flatRecords.recordOf(element, top.node.item);
    if (record === undefined) return false;
    top.items.push(record);
    return true;
  }

  #openField(top: RecordFrame, name: XmlName, attributes: readonly XmlAttribute[]): void {
    const expected = top.node.slots[top.next];
    const slot = expected?.name === name.local ? expected : top.node.byName.get(name.local);
    if (slot === undefined) {
      this.#note('unknown-field', name.local);
      this.#startTree(name.local, undefined, attributes);
      return;
    }
    this.#checkNamespace(name);
    if (slot.index < top.next) this.#outOfOrder(top, slot);
    else top.next = slot.index + 1;
    top.seen += 1;
    this.#start(slot, attributes);
  }

  #outOfOrder(top: RecordFrame, slot: Slot): void {
    const path = this.#pathTo(slot.name);
    if (Object.hasOwn(top.value, slot.name)) {
      throw new RelctlError('bad-answer', `${path} comes twice`, { facts: { code: 'duplicate', path } });
    }
    if (!top.isDisordered) this.#options.notes.add('out-of-order', path);
    top.isDisordered = true;
  }

  #checkNamespace(name: XmlName): void {
    if (name.namespace === this.#namespace) {
      // The very text that comes with the elements, which is compared at a glance.
      this.#namespace = name.namespace;
      return;
    }
    const { namespace } = this.#options;
    const path = this.#pathTo(name.local);
    throw new RelctlError(
      'bad-answer',
      `${path} is in the namespace '${visible(name.namespace, 200)}', expected '${visible(namespace, 200)}'`,
      { facts: { code: 'namespace', path } },
    );
  }

  #start(slot: Slot, attributes: readonly XmlAttribute[]): void {
    const { node, name } = slot;
    switch (node.kind) {
      case 'text':
      case 'leaf':
        this.#leaf = slot;
        this.#leafNode = node;
        this.#leafText = '';
        this.#isLeafNil = isMarkedNil(attributes);
        if (this.#options.sink !== undefined) this.#beginContent(this.#options.sink, name);
        return;
      case 'record':
        this.#startRecord(slot, node, attributes);
        return;
      case 'list':
        this.#top = { kind: 'list', up: this.#top, name, slot, isNil: isMarkedNil(attributes), node, items: [] };
        return;
      case 'any':
        this.#startTree(name, slot, attributes);
    }
  }

  #startRecord(slot: Slot, node: RecordNode, attributes: readonly XmlAttribute[]): void {
    this.#top = {
      kind: 'record',
      up: this.#top,
      name: slot.name,
      slot,
      isNil: isMarkedNil(attributes),
      node,
      value: {},
      next: 0,
      seen: 0,
      isDisordered: false,
      extras: undefined,
    };
  }

  #startTree(name: string, slot: Slot | undefined, attributes: readonly XmlAttribute[]): void {
    const type = attributes.length === 0 ? undefined : attributeOf(attributes, 'type');
    const named = type === undefined ? undefined : this.#typeNamed(type);
    const isNil = isMarkedNil(attributes);
    if (slot !== undefined && named !== undefined && 'kind' in named && named.kind === 'record') {
      this.#startRecord({ ...slot, node: named }, named, attributes);
      return;
    }
    const form = named !== undefined && 'words' in named ? named : undefined;
    this.#top = { kind: 'tree', up: this.#top, name, slot, isNil, form, text: '', children: undefined };
  }

  #typeNamed(type: string): ScalarForm | Node | undefined {
    const [prefix, local] = type.includes(':') ? type.split(':', 2) : ['', type];
    const namespace = this.#options.namespaceOf(prefix ?? '');
    if (namespace === this.#options.namespace) return nodeOfTypeName(local ?? '');
    return formOfType(namespace, local ?? '');
  }

  #beginContent(sink: ContentSink, name: string): void {
    const isForSink = this.#pathTo(name) === sink.path;
    this.#sink = isForSink ? sink : undefined;
    if (isForSink) sink.begin(this.#top?.kind === 'record' ? this.#top.value : {});
  }

  #sinkText(sink: ContentSink, text: string): void {
    sink.text(text);
    // Only whether there was any is asked later.
    if (this.#leafText === '' && !blank.test(text)) this.#leafText = text.slice(0, 80);
  }

  #contentValue(sink: ContentSink): Value {
    const inPlace = sink.end();
    if (!this.#isLeafNil) return inPlace;
    if (this.#leafText === '') return null;
    this.#noteLeaf('late-nil', this.#leafText);
    return inPlace;
  }

  /** An element within a text: nothing is thrown away, the whole is kept as a tree. */
  #leafBecomesTree(slot: Slot): void {
    const isNil = this.#isLeafNil;
    const text = this.#leafText;
    if (this.#sink !== undefined) {
      const path = this.#pathTo(slot.name);
      throw new RelctlError('bad-answer', `${path} holds an element`, { facts: { code: 'base64', path } });
    }
    this.#note('bad-value', slot.name);
    this.#leaf = undefined;
    this.#top = {
      kind: 'tree',
      up: this.#top,
      name: slot.name,
      slot,
      isNil,
      form: undefined,
      text,
      children: undefined,
    };
  }

  #leafValue(node: TextNode | LeafNode): Value {
    const text = this.#leafText;
    if (this.#isLeafNil && (text === '' || blank.test(text))) return null;
    if (this.#isLeafNil) this.#noteLeaf('late-nil', text);
    if (node.kind === 'text') {
      if (control.test(text)) this.#noteLeaf('control-character');
      return text;
    }
    const value = node.read(text) ?? node.read(text.replace(spaceAtEnds, ''));
    if (value !== undefined) return value;
    this.#noteLeaf('bad-value', text);
    return text;
  }

  #frameValue(frame: Frame): Value {
    switch (frame.kind) {
      case 'record':
        if (this.#isNil(frame, frame.seen === 0 && frame.extras === undefined)) return null;
        if (frame.seen < frame.node.slots.length) this.#noteMissing(frame);
        return recordOf(frame);
      case 'list':
        return this.#isNil(frame, frame.items.length === 0) ? null : frame.items;
      case 'tree':
        if (this.#isNil(frame, frame.children === undefined && blank.test(frame.text))) return null;
        return this.#treeValue(frame);
    }
  }

  /** True when a frame is nil. One that is marked so and yet holds something is not: that is kept, and noted. */
  #isNil(frame: Frame, isEmpty: boolean): boolean {
    if (frame.isNil && !isEmpty) this.#options.notes.add('late-nil', pathOf(frame));
    return frame.isNil && isEmpty;
  }

  #treeValue(frame: TreeFrame): Value {
    const { children, text, form } = frame;
    if (control.test(text)) this.#options.notes.add('control-character', pathOf(frame));
    if (children !== undefined) {
      if (!blank.test(text)) collect(children, '#text', text);
      return Object.fromEntries(children);
    }
    if (form === undefined) return text;
    const value = form.read(text) ?? form.read(text.replace(spaceAtEnds, ''));
    if (value === undefined) this.#options.notes.add('bad-value', pathOf(frame), text);
    return value ?? text;
  }

  #noteMissing(frame: RecordFrame): void {
    const path = pathOf(frame);
    for (const { name, isRequired } of frame.node.slots) {
      if (isRequired && !Object.hasOwn(frame.value, name))
        this.#options.notes.add('missing-field', path === '' ? name : `${path}.${name}`);
    }
  }

  #deliver(to: Frame | undefined, name: string, what: { slot: Slot | undefined; value: Value }): void {
    const { slot, value } = what;
    switch (to?.kind) {
      case undefined:
        this.#value = value;
        return;
      case 'record':
        if (slot !== undefined) to.value[name] = value;
        else collect((to.extras ??= new Map<string, Value>()), name, value);
        return;
      case 'list':
        to.items.push(value);
        return;
      case 'tree':
        collect((to.children ??= new Map<string, Value>()), name, value);
    }
  }

  #pathTo(name: string): string {
    const path = pathOf(this.#top);
    return path === '' ? name : `${path}.${name}`;
  }

  #note(kind: 'unknown-field' | 'bad-value', name: string): void {
    this.#options.notes.add(kind, this.#pathTo(name));
  }

  #noteLeaf(kind: 'late-nil' | 'bad-value' | 'control-character', value?: string): void {
    this.#options.notes.add(kind, this.#pathTo(this.#leaf?.name ?? ''), value);
  }
}

/**
 * A decoder for one element and what is in it. Any order, nil, absent and populated are taken everywhere; unknown
 * elements are kept; what is odd becomes a note. Throws `bad-answer` for a known element in another namespace and for a
 * field that comes twice.
 */
export function createDecoder(root: Node, options: DecoderOptions): Decoder {
  return new RecordDecoder(root, options);
}
