import type { RecordValue, Value } from '../../core/values/value.js';
import type { FlatBytes, FlatForm, FlatShape } from '../../xml/events.js';
import { fittingSlots } from './decode-flat.js';
import { isMarkedNil, type LeafNode, type Node, type Slot } from './decode-plan.js';

/**
 * What the text of a member stands for, where its element has one form. `blank`: a value, when nothing but white space is
 * there; `text`: itself; `guid`: itself, when it is a GUID; `boolean`: `true` and `false`; `scalar`: what `read` makes of
 * it; `close`: has to be looked at closely, as does what fits none of these.
 */
export type ByteForm =
  | { readonly kind: 'blank'; readonly value: Value }
  | { readonly kind: 'text' | 'guid' | 'boolean' | 'close' }
  | { readonly kind: 'scalar'; readonly read: (text: string) => Value | undefined };

export type { FlatBytes };

/** A member of a record that stands in bytes. */
export interface ByteMember {
  readonly name: string;
  /** By the forms of the shape. */
  readonly ways: readonly ByteForm[];
  readonly isRequired: boolean;
}

/** Makes something of a record in bytes; undefined for one that is needed as a record. */
export type TakeBytes = (element: FlatBytes) => Value | undefined;

const close: ByteForm = { kind: 'close' };

function leafRule({ scalar, read }: LeafNode): ByteForm {
  if (scalar === 'string') return { kind: 'text' };
  return scalar === 'guid' || scalar === 'boolean' ? { kind: scalar } : { kind: 'scalar', read };
}

function nodeRule(node: Node): ByteForm {
  switch (node.kind) {
    case 'leaf':
      return leafRule(node);
    case 'list':
      return { kind: 'blank', value: [] };
    case 'record':
    case 'any':
      return close;
  }
}

/** A tag of its own stands for what an empty text stands for. */
function emptyRule(node: Node): ByteForm {
  if (node.kind === 'leaf' && node.scalar === 'string') return { kind: 'blank', value: '' };
  return node.kind === 'list' ? { kind: 'blank', value: [] } : close;
}

function byteRule({ isEmpty, attributes }: FlatForm, { node }: Slot): ByteForm {
  if (isMarkedNil(attributes)) return { kind: 'blank', value: null };
  return isEmpty ? emptyRule(node) : nodeRule(node);
}

/** The members of flat elements that are items of a list; undefined when something calls for notes or errors. */
function byteMembersOf(shape: FlatShape, item: Slot, namespace: string): readonly ByteMember[] | undefined {
  const slots = fittingSlots(shape, item, namespace);
  // What stands elsewhere than in the record is put there as a record.
  if (slots?.some((slot, child) => slot.index < (slots[child - 1]?.index ?? 0)) === true) return undefined;
  return slots?.map((slot, child) => ({
    name: slot.name,
    ways: (shape.children[child] ?? []).map((form) => byteRule(form, slot)),
    isRequired: slot.isRequired,
  }));
}

/** What becomes of the records of one list of a result, as soon as each is read. */
export interface Rows {
  /** Where the list is in the result: its name, behind the names of the records that hold it. */
  readonly path: readonly string[];
  readonly of: (record: RecordValue) => Value;
  /** The record that a row was made of, any other value as it is; undefined for a row whose record was not kept. */
  readonly shown?: (row: Value) => Value | undefined;
  /** Called when the answer is not taken: nothing that was made of its rows is needed. */
  readonly drop?: () => void;
  /** What takes records with these members as bytes, in the place of `of`; undefined where that cannot be. */
  readonly bytes?: (members: readonly ByteMember[]) => TakeBytes | undefined;
}

interface Holder {
  readonly name: string;
  readonly up: Holder | undefined;
}

/** True for the name of the list of rows, in the record that holds it. */
export function isRowsAt(rows: Rows | undefined, name: string, holder: Holder | undefined): rows is Rows {
  const path = rows?.path ?? [];
  if (name !== path.at(-1)) return false;
  let at = holder;
  for (let index = path.length - 2; index >= 0; index -= 1) {
    if (at?.name !== path[index]) return false;
    at = at?.up;
  }
  return at !== undefined && at.up === undefined;
}

/** What takes the items of a list as bytes, by their shapes. */
export class ByteItems {
  readonly #rows: Rows;
  readonly #namespace: string;
  readonly #known = new Map<FlatShape, TakeBytes | undefined>();

  constructor(rows: Rows, namespace: string) {
    this.#rows = rows;
    this.#namespace = namespace;
  }

  /** Makes ready to take items of a shape; false where they are needed as records. */
  takes(shape: FlatShape, item: Slot): boolean {
    if (!this.#known.has(shape)) {
      const members = byteMembersOf(shape, item, this.#namespace);
      this.#known.set(shape, members && this.#rows.bytes?.(members));
    }
    return this.#known.get(shape) !== undefined;
  }

  /** What an item becomes; undefined when it is needed as a record. */
  take(element: FlatBytes): Value | undefined {
    return this.#known.get(element.shape)?.(element);
  }
}
