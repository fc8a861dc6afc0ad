import { isXmlSpace, withoutEnds } from '../../core/text/text.js';
import type { RecordValue, Value } from '../../core/values/value.js';
import type { FlatElement, FlatForm, FlatShape } from '../../xml/events.js';
import { dataOf, isMarkedNil, type Node, type RecordNode, type Slot } from './decode-plan.js';

/** One form of a field: where its text is, and what it stands for; undefined for what has to be looked at closely. */
interface FieldForm {
  readonly index: number;
  readonly read: (text: string) => Value | undefined;
}

interface FlatField {
  readonly name: string;
  readonly ways: readonly FieldForm[];
  /** The one way of a field that has no other. */
  readonly only: FieldForm | undefined;
  readonly isRequired: boolean;
}

interface FlatPlan {
  readonly fields: readonly FlatField[];
  /** A record with all fields in their order, for copying. */
  readonly blank: Readonly<Record<string, Value>>;
}

const blankText = /^[ \t\n\r]*$/;

const hasData = ({ attributes, children }: FlatShape): boolean =>
  dataOf(attributes).length > 0 || children.some((forms) => forms.some((form) => dataOf(form.attributes).length > 0));

const nil = (text: string): Value | undefined => (blankText.test(text) ? null : undefined);
const emptyList = (text: string): Value | undefined => (blankText.test(text) ? [] : undefined);
const nothing = (): undefined => undefined;

function readerOf(node: Node): (text: string) => Value | undefined {
  switch (node.kind) {
    case 'leaf':
      // White space in the value of an enumeration is looked at closely.
      return node.scalar === undefined || node.scalar === 'string'
        ? node.read
        : (text) => node.read(text) ?? node.read(withoutEnds(text, isXmlSpace));
    case 'list':
      return emptyList;
    case 'record':
    case 'any':
      return nothing;
  }
}

function fieldForm({ index, isEmpty, attributes }: FlatForm, { node }: Slot): FieldForm {
  const read = isMarkedNil(attributes) ? nil : readerOf(node);
  // A tag of its own has no text, whatever stands at its index.
  return { index, read: isEmpty ? () => read('') : read };
}

function fieldOf(forms: readonly FlatForm[], slot: Slot): FlatField {
  const ways = forms.map((form) => fieldForm(form, slot));
  const { name, isRequired } = slot;
  return { name, ways, only: ways.length === 1 ? ways[0] : undefined, isRequired };
}

const isPlain = ({ isRepeated, namespace }: Slot): boolean => isRepeated !== true && namespace === undefined;

const isEarly = ({ isBeyond: isExtra, index }: Slot, next: number): boolean => isExtra !== true && index < next;

/** Slots of the children; undefined when not all are known and in order. Those beyond the contract stand anywhere. */
function slotsOf({ children }: FlatShape, node: RecordNode, namespace: string): readonly Slot[] | undefined {
  const slots: Slot[] = [];
  let next = 0;
  for (const [form] of children) {
    const slot = form === undefined ? undefined : node.byName.get(form.name.local);
    if (slot === undefined || form?.name.namespace !== namespace || isEarly(slot, next)) return undefined;
    if (!isPlain(slot)) return undefined;
    if (slot.isBeyond !== true) next = slot.index + 1;
    slots.push(slot);
  }
  return new Set(slots).size === slots.length ? slots : undefined;
}

/** Slots of the children of flat items of a list; undefined when notes or errors call for reading event by event. */
export function fittingSlots(shape: FlatShape, item: Slot, namespace: string): readonly Slot[] | undefined {
  const { name, attributes } = shape;
  if (item.node.kind !== 'record' || name.local !== item.name || name.namespace !== namespace) return undefined;
  if (isMarkedNil(attributes) || item.namespace !== undefined || hasData(shape)) return undefined;
  const slots = slotsOf(shape, item.node, namespace);
  const isThere = (slot: Slot): boolean => slots?.includes(slot) === true;
  return item.node.slots.every((slot) => !slot.isRequired || isThere(slot)) ? slots : undefined;
}

function flatPlanOf(shape: FlatShape, item: Slot, namespace: string): FlatPlan | undefined {
  const slots = fittingSlots(shape, item, namespace);
  if (slots === undefined) return undefined;
  const placed = slots.map((slot, index) => ({ slot, field: fieldOf(shape.children[index] ?? [], slot) }));
  // Fields beyond the contract stand behind the others, wherever they came.
  const fields = placed.sort((one, other) => one.slot.index - other.slot.index).map(({ field }) => field);
  const keys = fields.map((field) => `${JSON.stringify(field.name)}:null`);
  // Parsed, because then there is room for all fields within the object, and copies have it too.
  return { fields, blank: JSON.parse(`{${keys.join(',')}}`) as FlatPlan['blank'] };
}

/** The value of a field; undefined when it has to be looked at closely, `absent` when it is not there. */
function valueOf(field: FlatField, { values }: FlatElement): Value | undefined | typeof absent {
  const form = field.only ?? field.ways.find(({ index }) => values[index] !== undefined);
  const text = form === undefined ? undefined : values[form.index];
  if (form === undefined || text === undefined) return field.isRequired ? undefined : absent;
  return form.read(text);
}

const absent = Symbol('absent');

/** The record that a flat element stands for; undefined when it must be read one event after the other. */
function flatRecord(plan: FlatPlan, element: FlatElement): RecordValue | undefined {
  // Noted with the place where they are.
  if (element.hasControls) return undefined;
  const record: Record<string, Value> = { ...plan.blank };
  let isWhole = true;
  for (const field of plan.fields) {
    const value = valueOf(field, element);
    if (value === undefined) return undefined;
    if (value === absent) isWhole = false;
    else record[field.name] = value;
  }
  return isWhole ? record : withoutAbsent(plan, element);
}

/** Made anew, because a copy without some of its fields would be slow for whoever reads it. */
function withoutAbsent(plan: FlatPlan, element: FlatElement): RecordValue | undefined {
  const record: Record<string, Value> = {};
  for (const field of plan.fields) {
    const value = valueOf(field, element);
    if (value === undefined) return undefined;
    if (value !== absent) record[field.name] = value;
  }
  return record;
}

/** Makes records of flat elements; plans are kept per shape. */
export class FlatRecords {
  readonly #namespace: string;
  readonly #plans = new Map<FlatShape, { readonly item: Slot; readonly plan: FlatPlan | undefined }>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** The record that an item of a list stands for; undefined when it must be read one event after the other. */
  recordOf(element: FlatElement, item: Slot): RecordValue | undefined {
    const plan = this.#planOf(element.shape, item);
    return plan === undefined ? undefined : flatRecord(plan, element);
  }

  #planOf(shape: FlatShape, item: Slot): FlatPlan | undefined {
    const known = this.#plans.get(shape);
    // Lists of different records may call their items the same.
    if (known?.item === item) return known.plan;
    const plan = flatPlanOf(shape, item, this.#namespace);
    this.#plans.set(shape, { item, plan });
    return plan;
  }
}
