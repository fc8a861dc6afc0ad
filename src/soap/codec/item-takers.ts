import type { ScalarName } from '../../contract/build.js';
import { integerBounds } from '../../core/text/scalars.js';
import { jsonTexts, type CellLayout, type RowLayout, type Value } from '../../core/values/value.js';
import type { ElementChild, ElementForm, ElementTaker, ElementTemplate } from '../../xml/events.js';
import { RowTaker, type RowPrograms, theKernel } from '../rows/kernel.js';
import { programFor, type MemberForm, type RowMember } from '../rows/program.js';
import { dataOf, isMarkedNil, type LeafNode, type Node, type RecordNode, type Slot } from './decode-plan.js';
import type { ListElement } from './elements.js';
import type { RowText } from './rows.js';

const close: MemberForm = { kind: 'close' };

const scalars: Readonly<Record<ScalarName, MemberForm>> = {
  guid: { kind: 'guid' },
  string: { kind: 'text' },
  int: { kind: 'number', ...integerBounds.int },
  short: { kind: 'number', ...integerBounds.short },
  long: { kind: 'integer' },
  decimal: { kind: 'decimal' },
  dateTime: { kind: 'time' },
  boolean: { kind: 'boolean' },
  anyType: close,
};

const leafForm = ({ scalar, words = [] }: LeafNode): MemberForm =>
  scalar === undefined ? { kind: 'word', words } : scalars[scalar];

function nodeForm(node: Node): MemberForm {
  switch (node.kind) {
    case 'leaf':
      return leafForm(node);
    case 'list':
      return { kind: 'blank', value: [] };
    case 'record':
    case 'any':
      return close;
  }
}

/** A tag of its own stands for what an empty text stands for. */
function emptyForm(node: Node): MemberForm {
  if (node.kind === 'leaf' && node.scalar === 'string') return { kind: 'blank', value: '' };
  return node.kind === 'list' ? { kind: 'blank', value: [] } : close;
}

function memberForm({ isEmpty, attributes }: ElementForm, { node }: Slot): MemberForm {
  if (isMarkedNil(attributes)) return { kind: 'blank', value: null };
  return isEmpty ? emptyForm(node) : nodeForm(node);
}

const hasData = ({ attributes, children }: ElementTemplate): boolean =>
  dataOf(attributes).length > 0 ||
  children.some(({ forms }) => forms.some((form) => dataOf(form.attributes).length > 0));

const isPlain = ({ isRepeated, namespace }: Slot): boolean => isRepeated !== true && namespace === undefined;

const isEarly = ({ isExtra, index }: Slot, next: number): boolean => isExtra !== true && index < next;

/** Slots of the children; undefined when not all are known and in order. Those beyond the contract stand anywhere. */
function slotsOf(children: readonly ElementChild[], node: RecordNode, namespace: string): readonly Slot[] | undefined {
  const slots: Slot[] = [];
  let next = 0;
  for (const { forms } of children) {
    const [form] = forms;
    const slot = form === undefined ? undefined : node.byName.get(form.name.local);
    if (slot === undefined || form?.name.namespace !== namespace || isEarly(slot, next)) return undefined;
    if (!isPlain(slot)) return undefined;
    if (slot.isExtra !== true) next = slot.index + 1;
    slots.push(slot);
  }
  return new Set(slots).size === slots.length ? slots : undefined;
}

/** Slots of the children of items of a list; undefined when notes or errors call for reading event by event. */
function fittingSlots(template: ElementTemplate, item: Slot, namespace: string): readonly Slot[] | undefined {
  const { name, attributes, children } = template;
  if (item.node.kind !== 'record' || name.local !== item.name || name.namespace !== namespace) return undefined;
  if (isMarkedNil(attributes) || item.namespace !== undefined || hasData(template)) return undefined;
  const slots = slotsOf(children, item.node, namespace);
  const isThere = (slot: Slot): boolean => slots?.includes(slot) === true;
  return item.node.slots.every((slot) => !slot.isRequired || isThere(slot)) ? slots : undefined;
}

/** The members of records that look alike, as their elements stand. */
interface RowMembers {
  readonly members: readonly RowMember[];
  /** Their names in the order of the contract: members beyond it are the last of a record, wherever they stand. */
  readonly names: readonly string[];
}

/** The members of the items of a list; undefined when they have to be read event by event. */
function rowMembers(template: ElementTemplate, item: Slot, namespace: string): RowMembers | undefined {
  const slots = fittingSlots(template, item, namespace);
  if (slots === undefined) return undefined;
  const members = slots.map((slot, child) => ({
    name: slot.name,
    forms: (template.children[child]?.forms ?? []).map((form) => memberForm(form, slot)),
    isRequired: slot.isRequired,
  }));
  return { members, names: [...slots].sort((one, other) => one.index - other.index).map(({ name }) => name) };
}

const jsonCell = (member: string): CellLayout => ({
  member,
  before: `,${JSON.stringify(member)}:`,
  of: (value: Value | undefined) => (value === undefined ? undefined : JSON.stringify(value)),
  isCopied: true,
});

/** Records as JSON, with a comma behind each. */
const wholeRecords = (names: readonly string[]): RowLayout => ({
  ...{ cells: names.map(jsonCell), copied: jsonTexts([]), first: '{', end: '},' },
});

/** What is known of some members of records as JSON, with a comma behind each: perhaps of none. */
const partsOfRecords = (names: readonly string[]): RowLayout => ({
  ...{ cells: [{ member: '', before: '{"":0', of: () => '', isCopied: false }, ...names.map(jsonCell)] },
  ...{ copied: jsonTexts([]), end: '},' },
});

/** What is known of a template as the items of a list. */
interface KnownItems extends RowMembers {
  readonly item: Slot;
  readonly namespace: string;
  /** Stands for all that programs depend on. */
  readonly key: string;
}

const known = new WeakMap<ElementTemplate, KnownItems>();

function knownItems(template: ElementTemplate, item: Slot, namespace: string): KnownItems | undefined {
  const same = known.get(template);
  if (same?.item === item && same.namespace === namespace) return same;
  const found = rowMembers(template, item, namespace);
  if (found === undefined) return undefined;
  const { head, children, tail } = template;
  const texts = children.map(({ forms, isOptional }) => [isOptional, ...forms.map(({ literal }) => literal)]);
  const items = { ...found, item, namespace, key: JSON.stringify([head, texts, tail, found]) };
  known.set(template, items);
  return items;
}

/** Programs that give records, of all lists. */
const recordPrograms = new Map<string, Uint8Array | undefined>();
const mostPrograms = 64;

/** The program of a key, made when it is first asked for. */
function programOf(
  programs: Map<string, Uint8Array | undefined>,
  key: string,
  made: () => Uint8Array | undefined,
): Uint8Array | undefined {
  if (programs.has(key)) return programs.get(key);
  if (programs.size >= mostPrograms) programs.clear();
  const program = made();
  programs.set(key, program);
  return program;
}

/** The programs that write rows without their records; none where records are needed. */
function textPrograms(
  template: ElementTemplate,
  { members, names, key }: KnownItems,
  { layout, keeps, looksAt, programs }: RowText,
): Pick<RowPrograms, 'rows' | 'asked' | 'keeps'> {
  const own = members.map(({ name }) => name);
  // What stands elsewhere than in the record is put there as a record.
  const isInOrder = own.every((name, index) => name === names[index]);
  const rows = programOf(programs, key, () => {
    const rowLayout = isInOrder && members.some(({ name }) => name === 'Id') ? layout(own) : undefined;
    return rowLayout && programFor(template, members, { layout: rowLayout, id: 'Id' });
  });
  if (rows === undefined || keeps === undefined) return { rows };
  const conditionMembers = programOf(programs, `asked ${key}`, () =>
    programFor(template, members, { layout: partsOfRecords(own.filter((name) => looksAt?.has(name) !== false)) }),
  );
  return conditionMembers === undefined ? {} : { rows, asked: conditionMembers, keeps };
}

/** What takes the items of a list out of bytes; undefined when they have to be read event by event. */
export function itemTaker(template: ElementTemplate, list: ListElement, namespace: string): ElementTaker | undefined {
  const items = knownItems(template, list.item, namespace);
  const kernel = items && theKernel();
  if (items === undefined || kernel === undefined) return undefined;
  const { members, names, key } = items;
  const records = programOf(recordPrograms, key, () => programFor(template, members, { layout: wholeRecords(names) }));
  if (records === undefined) return undefined;
  const text = list.rows?.text;
  const programs = text === undefined ? {} : textPrograms(template, items, text);
  return new RowTaker(
    kernel,
    { records, ...programs },
    {
      record: (record) => list.add(list.rowOf(record)),
      rows(batch, source) {
        for (const row of text?.add(batch, source) ?? []) list.add(row);
      },
    },
  );
}
