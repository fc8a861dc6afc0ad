import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { badAnswer } from '../../core/errors/relctl-error.js';
import type { FlatBytes, FlatElement, FlatShape, XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { addItem, ElementText, UnknownElements } from './bounds.js';
import type { TextSink, DecoderOptions } from './decoder-options.js';
import { ByteItems, isRowsAt } from './decode-bytes.js';
import {
  isWithinUnknown,
  storeUnknown,
  storeFirst,
  otherNamespace,
  isInList,
  listFrame,
  pathIn,
  pathOf,
  put,
  recordFrame,
  treeFrame,
  type Frame,
  type ListFrame,
  type RecordFrame,
} from './frames/frames.js';
import { dataOf, FlatRecords, isMarkedNil, readsOf, typeNamed } from './decode-flat.js';
import { type LeafNode, type Node, type RecordNode, type Slot, type TextNode } from './decode-plan.js';
import { hasControls, isBlank, readLeaf, valueOfFrame } from './frames/frame-values.js';
import { UnnamedList } from './unnamed-list.js';
import type { Note } from './notes.js';

/**
 * Turns the events of one element, and of what is in it, into a value. Any order, nil, absent and populated are taken
 * everywhere; unknown elements are kept; what is odd becomes a note. Throws `bad-answer` for a known element in another
 * namespace, for a field that comes twice, and for what takes too much memory (answer-limit).
 */
export class Decoder implements XmlEvents {
  readonly #options: DecoderOptions;
  readonly #root: Node;
  #namespace: string;
  #top: Frame | undefined;
  /** The text element being read; elements without children need no frame. */
  #leaf: Slot | undefined;
  #leafNode: TextNode | LeafNode | undefined;
  readonly #leafText = new ElementText();
  #isLeafNil = false;
  /** Who takes the text of the element being read, if it is not for the record. */
  #sink: TextSink | undefined;
  #value: Value | undefined;
  readonly #unknown = new UnknownElements();
  readonly #flatRecords: FlatRecords;
  readonly #byteItems: ByteItems | undefined;
  readonly #unnamed: UnnamedList | undefined;

  constructor(root: Node, options: DecoderOptions) {
    const { unnamed, namespace, rows } = options;
    this.#root = root;
    this.#options = options;
    this.#namespace = namespace;
    this.#flatRecords = new FlatRecords(namespace);
    if (rows !== undefined) this.#byteItems = new ByteItems(rows, namespace);
    if (unnamed !== undefined && root.kind === 'record') this.#unnamed = UnnamedList.of(root, unnamed, namespace);
  }

  get value(): Value | undefined {
    return this.#value;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#leaf !== undefined) this.#leafBecomesTree(this.#leaf);
    const top = this.#top;
    if (top === undefined) this.#start({ name: name.local, index: 0, node: this.#root, isRequired: true }, attributes);
    else if (top.kind === 'record') this.#openField(top, name, attributes);
    else if (top.kind === 'list') this.#openItem(top, name, attributes);
    else this.#openUnknown(name, attributes);
  }

  text(text: string): void {
    if (this.#leaf !== undefined) {
      if (this.#sink !== undefined) this.#sinkText(this.#sink, text);
      else this.#leafText.add(text, () => this.#pathTo(this.#leaf?.name ?? ''));
      return;
    }
    const top = this.#top;
    // White space between elements stays out of the way, that within a text counts.
    if (top?.kind === 'tree' || (top !== undefined && (top.text !== '' || !isBlank(text))))
      top.text = this.#leafText.within(top.text, text, () => pathOf(top));
  }

  close(): void {
    if (this.#leaf !== undefined && this.#leafNode !== undefined) {
      const leaf = this.#leaf;
      const value = this.#sink === undefined ? this.#leafValue(this.#leafNode) : this.#contentValue(this.#sink);
      this.#leaf = undefined;
      this.#deliver(this.#top, leaf.name, { slot: leaf, value });
      return;
    }
    if (this.#top !== undefined) this.#closeFrame(this.#top);
  }

  flat(element: FlatElement): boolean {
    const top = this.#top;
    if (this.#leaf !== undefined || top?.kind !== 'list' || this.#options.sink !== undefined) return false;
    const record = this.#flatRecords.recordOf(element, top.node.item);
    if (record === undefined) return false;
    addItem(top.items, this.#rowOf(top, record), () => pathOf(top));
    return true;
  }

  wantsBytes(shape: FlatShape): boolean {
    const top = this.#top;
    if (this.#leaf !== undefined || top?.kind !== 'list' || this.#options.sink !== undefined) return false;
    return this.#isOfRows(top) && this.#byteItems?.takes(shape, top.node.item) === true;
  }

  flatBytes(element: FlatBytes): boolean {
    const [top, row] = [this.#top, this.#byteItems?.take(element)];
    if (row === undefined || top?.kind !== 'list') return false;
    addItem(top.items, row, () => pathOf(top));
    return true;
  }

  #closeFrame(frame: Frame): void {
    const { up, name, slot } = frame;
    if (up === undefined && frame.kind === 'record') this.#unnamed?.finish(frame, this.#options.notes);
    const value = valueOfFrame(frame, this.#options);
    this.#top = up;
    if (this.#unnamed?.takes(frame, value) !== true) this.#deliver(up, name, { slot, value });
  }

  #openField(top: RecordFrame, name: XmlName, attributes: readonly XmlAttribute[]): void {
    const expected = top.node.slots[top.next];
    const slot = expected?.name === name.local ? expected : top.node.byName.get(name.local);
    if (slot === undefined || slot.isBeyond === true) {
      this.#openOther(top, name, { slot, attributes });
      return;
    }
    this.#checkNamespace(name, slot);
    if (slot.index < top.next) this.#outOfOrder(top, slot);
    else top.next = slot.isRepeated === true ? slot.index : slot.index + 1;
    if (slot.isRepeated !== true || !Object.hasOwn(top.value, slot.name)) top.seen += 1;
    this.#start(slot, attributes);
  }

  /** Opens what the contract does not have; with a slot where the WSDL of the service has it. */
  #openOther(
    top: RecordFrame,
    name: XmlName,
    { slot, attributes }: { readonly slot: Slot | undefined; readonly attributes: readonly XmlAttribute[] },
  ): void {
    const isTold = slot === undefined || name.namespace !== (slot.namespace ?? this.#options.namespace);
    // What is beside a list without a name is told when it is known not to be that list. What the WSDL has beside the list of
    // a result is told, too: it is in no output.
    if (top.up === undefined ? slot !== undefined || this.#unnamed === undefined : isTold)
      this.#note('unknown-field', name.local);
    if (slot === undefined) {
      this.#openUnknown(name, attributes);
      return;
    }
    if (!Object.hasOwn(top.value, slot.name)) top.seen += 1;
    else if (slot.isRepeated !== true) storeFirst(top, slot.name, this.#options.notes);
    top.isDisordered = true;
    this.#start(slot, attributes);
  }

  #openItem(list: ListFrame, name: XmlName, attributes: readonly XmlAttribute[]): void {
    const { item } = list.node;
    if (!isInList(list.up)) this.#leafText.beginRow();
    if (this.#isOfRows(list)) this.#unknown.row();
    if (name.local === item.name) {
      this.#checkNamespace(name, item);
      this.#start(item, attributes);
      return;
    }
    this.#note('other-item', name.local);
    if (item.node.kind === 'record') this.#startRecord(item, item.node, { attributes, foreignName: name.local });
    else this.#start(item, attributes);
  }

  #openUnknown(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const item = this.#unnamed?.itemOf(name, attributes);
    if (item === undefined) this.#startTree(name.local, undefined, attributes);
    else this.#start(item, attributes);
  }

  #outOfOrder(top: RecordFrame, slot: Slot): void {
    const path = this.#pathTo(slot.name);
    if (slot.isRepeated !== true && Object.hasOwn(top.value, slot.name)) {
      if (!isWithinUnknown(top)) throw badAnswer('duplicate', `${path} comes twice`, { path });
      storeFirst(top, slot.name, this.#options.notes);
    }
    if (!top.isDisordered) this.#options.notes.add('out-of-order', path);
    top.isDisordered = true;
  }

  #checkNamespace(name: XmlName, { namespace: own }: Slot): void {
    if (own !== undefined && name.namespace === own) return;
    if (own === undefined && name.namespace === this.#namespace) {
      // The very text that comes with the elements, which is compared at a glance.
      this.#namespace = name.namespace;
      return;
    }
    if (isWithinUnknown(this.#top)) this.#note('unknown-field', name.local);
    else throw otherNamespace(name, this.#pathTo(name.local), own ?? this.#options.namespace);
  }

  #start(slot: Slot, attributes: readonly XmlAttribute[]): void {
    const { node, name } = slot;
    if (node.kind === 'text' || node.kind === 'leaf') this.#startLeaf(slot, node, attributes);
    else if (node.kind === 'record') this.#startRecord(slot, node, { attributes });
    else if (node.kind === 'any') this.#startTree(name, slot, attributes);
    else this.#push(listFrame({ up: this.#top, name, slot, isNil: isMarkedNil(attributes) }, node), attributes);
  }

  #startLeaf(slot: Slot, node: TextNode | LeafNode, attributes: readonly XmlAttribute[]): void {
    const { sink, isResult } = this.#options;
    // Beside an item, or a member that comes again, nobody would know whose they are.
    const isMember = this.#top?.kind === 'record' && slot.isRepeated !== true;
    if (isMember) this.#storeData(attributes, slot.name);
    else if (attributes.length > 0 && isResult === true && dataOf(attributes).length > 0) {
      const frame = { ...slot, up: this.#top, slot, isNil: isMarkedNil(attributes) };
      this.#push(treeFrame(frame, { form: readsOf(node) }), attributes);
      return;
    }
    this.#leaf = slot;
    this.#leafNode = node;
    this.#leafText.clear();
    this.#isLeafNil = isMarkedNil(attributes);
    if (sink !== undefined) this.#beginContent(sink, slot.name);
  }

  #startRecord(
    slot: Slot,
    node: RecordNode,
    { attributes, foreignName }: { readonly attributes: readonly XmlAttribute[]; readonly foreignName?: string },
  ): void {
    this.#unknown.record();
    const frame = { up: this.#top, name: slot.name, slot, isNil: isMarkedNil(attributes) };
    this.#push(recordFrame(frame, node, foreignName), attributes);
  }

  /** Opens a frame. Its attributes are members of it; those of a list, and of what is nil, are members beside it. */
  #push(frame: Frame, attributes: readonly XmlAttribute[]): void {
    const isHolder = frame.kind !== 'list' && !frame.isNil;
    if (!isHolder) this.#storeData(attributes, frame.name);
    this.#top = frame;
    if (isHolder) this.#storeData(attributes);
  }

  /** Keeps the attributes of an answer that hold data as members of the open element: its own, or those of one of a name in it. */
  #storeData(attributes: readonly XmlAttribute[], of = ''): void {
    if (attributes.length === 0 || this.#options.isResult !== true) return;
    const top = this.#top;
    for (const { name, value } of dataOf(attributes)) {
      const member = `${of}@${name.local}`;
      if (top?.kind !== 'tree') this.#note('unknown-field', member);
      this.#unknown.add(() => this.#pathTo(member));
      if (top !== undefined) storeUnknown(top, member, value);
    }
  }

  #startTree(name: string, slot: Slot | undefined, attributes: readonly XmlAttribute[]): void {
    this.#unknown.add(() => this.#pathTo(name));
    const [named, isNil] = [typeNamed(attributes, this.#options), isMarkedNil(attributes)];
    if (slot !== undefined && named !== undefined && 'kind' in named && named.kind === 'record') {
      this.#startRecord({ ...slot, node: named }, named, { attributes });
      return;
    }
    const form = named !== undefined && 'words' in named ? named : undefined;
    this.#push(treeFrame({ up: this.#top, name, slot, isNil }, { form }), attributes);
  }

  #beginContent(sink: TextSink, name: string): void {
    const isForSink = this.#pathTo(name) === sink.path;
    this.#sink = isForSink ? sink : undefined;
    if (isForSink) sink.begin(this.#top?.kind === 'record' ? this.#top.value : {});
  }

  #sinkText(sink: TextSink, text: string): void {
    if (this.#options.isResult !== true && hasControls(text)) this.#noteLeaf('control-character');
    sink.text(text);
    if (this.#leafText.isEmpty && !isBlank(text)) this.#leafText.begin(text);
  }

  #contentValue(sink: TextSink): Value {
    const inPlace = sink.end();
    if (!this.#isLeafNil) return inPlace;
    if (this.#leafText.isEmpty) return null;
    this.#noteLeaf('late-nil', this.#leafText.take());
    return inPlace;
  }

  /** An element within a text: the whole is kept as a tree. Text that went to a sink cannot be: an answer is refused here, a request for the note. */
  #leafBecomesTree(slot: Slot): void {
    const [isNil, text] = [this.#isLeafNil, this.#leafText.take()];
    if (this.#sink !== undefined && this.#options.isResult === true) {
      const path = this.#pathTo(slot.name);
      throw badAnswer('base64', `${path} holds an element`, { path });
    }
    this.#note('unexpected-elements', slot.name);
    this.#leaf = undefined;
    this.#top = treeFrame({ up: this.#top, name: slot.name, slot, isNil }, { text });
  }

  #leafValue(node: TextNode | LeafNode): Value {
    const text = this.#leafText.take();
    if (this.#isLeafNil && (text === '' || isBlank(text))) return null;
    if (this.#isLeafNil) this.#noteLeaf('late-nil', text);
    if (node.kind === 'text') {
      if (hasControls(text)) this.#noteLeaf('control-character');
      return text;
    }
    const value = readLeaf(node, text, this.#options);
    if (value !== undefined) return value;
    this.#noteLeaf('bad-value', text);
    return text;
  }

  #deliver(to: Frame | undefined, name: string, what: { slot: Slot | undefined; value: Value }): void {
    if (to === undefined) this.#value = what.value;
    else put(to, name, { ...what, value: this.#rowIn(to, name, what.value) });
  }

  /** The row that a record becomes where it is one of the list; any other value as it is. */
  #rowIn(to: Frame, name: string, value: Value): Value {
    if (to.kind === 'tree' || !isRecord(value)) return value;
    if (to.kind === 'list') return this.#unknown.boundRow(value, this.#rowOf(to, value));
    const { rows } = this.#options;
    return isRowsAt(rows, name, to) ? rows.of(value) : value;
  }

  #rowOf(list: ListFrame, record: RecordValue): Value {
    const { rows } = this.#options;
    return rows !== undefined && this.#isOfRows(list) ? rows.of(record) : record;
  }

  #isOfRows({ name, up }: ListFrame): boolean {
    return isRowsAt(this.#options.rows, name, up);
  }

  #pathTo(name: string): string {
    return pathIn(this.#top, name);
  }

  #note(kind: Note['kind'], name: string): void {
    this.#options.notes.add(kind, this.#pathTo(name));
  }

  #noteLeaf(kind: Note['kind'], value?: string): void {
    this.#options.notes.add(kind, this.#pathTo(this.#leaf?.name ?? ''), value);
  }
}
