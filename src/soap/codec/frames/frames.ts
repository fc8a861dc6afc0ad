import type { Value } from '../../../core/values/value.js';
import type { ListNode, RecordNode, Slot } from '../decode-plan.js';
import type { ScalarForm } from '../../values/scalars.js';
import { addItem } from '../bounds.js';
import { badAnswer, type RelctlError } from '../../../core/errors/relctl-error.js';
import { forMessage } from '../../../core/text/text.js';
import type { XmlName } from '../../../xml/events.js';
import type { NoteCollector } from '../notes.js';

/** True within a field that the contract does not have: what is odd there is told, and stops nothing. */
export function isWithinUnknown(frame: Frame | undefined): boolean {
  for (let at = frame; at !== undefined; at = at.up) if (at.slot?.isBeyond === true) return true;
  return false;
}

/** The `bad-answer` for a known element in another namespace than its own. */
export const otherNamespace = ({ namespace }: XmlName, path: string, expected: string): RelctlError =>
  badAnswer(
    'namespace',
    `${path} is in the namespace '${forMessage(namespace, 200)}', expected '${forMessage(expected, 200)}'`,
    { path },
  );

/** Begins the values of a field that comes again, which is told: each of them may be a list. */
export function storeFirst(frame: RecordFrame, name: string, notes: NoteCollector): void {
  const path = pathOf(frame);
  notes.add('unexpected-elements', path === '' ? name : `${path}.${name}`);
  frame.again ??= new Map<string, Value[]>();
  if (frame.again.has(name)) return;
  const values = [frame.value[name] ?? null];
  frame.again.set(name, values);
  frame.value[name] = values;
}

/** The common members of all frames. */
export interface AnyFrame {
  /** The frame around it; undefined for the root. */
  readonly up: Frame | undefined;
  readonly name: string;
  /** The slot that it fills; undefined for an element that the contract does not know. */
  readonly slot: Slot | undefined;
  readonly isNil: boolean;
}

/** A record being read. */
export interface RecordFrame extends AnyFrame {
  readonly kind: 'record';
  readonly node: RecordNode;
  readonly value: Record<string, Value>;
  /** Index behind the last known field seen. */
  next: number;
  seen: number;
  isDisordered: boolean;
  extras: Map<string, Value> | undefined;
  text: string;
  /** Name of the item, when the contract has another name for the items of its list. */
  readonly foreignName: string | undefined;
  /** Fields beyond the contract that came more than once, with their values. */
  again: Map<string, Value[]> | undefined;
}

/** A list being read. */
export interface ListFrame extends AnyFrame {
  readonly kind: 'list';
  readonly node: ListNode;
  readonly items: Value[];
  text: string;
}

/** Untyped or unknown content being read. */
export interface TreeFrame extends AnyFrame {
  readonly kind: 'tree';
  /** Scalar that its xsi:type names. */
  readonly form: Pick<ScalarForm, 'read'> | undefined;
  text: string;
  children: Map<string, Value> | undefined;
  /** Items of a list that the document does not name were found in it. */
  gaveItems?: boolean;
}

/** An open element that may hold elements. */
export type Frame = RecordFrame | ListFrame | TreeFrame;

/** True for a frame that is a list, or stands in one. */
export function isInList(frame: Frame | undefined): boolean {
  for (let at = frame; at !== undefined; at = at.up) if (at.kind === 'list') return true;
  return false;
}

/** The frame of a record of which nothing was read yet. */
export const recordFrame = (
  { up, name, slot, isNil }: AnyFrame,
  node: RecordNode,
  foreignName?: string,
): RecordFrame => ({
  kind: 'record',
  up,
  name,
  slot,
  isNil,
  node,
  value: {},
  next: 0,
  seen: 0,
  isDisordered: false,
  extras: undefined,
  text: '',
  foreignName,
  again: undefined,
});

/** The frame of a list of which nothing was read yet. */
export const listFrame = ({ up, name, slot, isNil }: AnyFrame, node: ListNode): ListFrame => ({
  kind: 'list',
  up,
  name,
  slot,
  isNil,
  node,
  items: [],
  text: '',
});

/** The frame of untyped content of which nothing but some text was read yet. */
export const treeFrame = (
  { up, name, slot, isNil }: AnyFrame,
  { form, text = '' }: { readonly form?: Pick<ScalarForm, 'read'> | undefined; readonly text?: string },
): TreeFrame => ({ kind: 'tree', up, name, slot, isNil, form, text, children: undefined });

/** Adds a value under a name; the second one with the same name makes a list of them. */
export function collect(into: Map<string, Value>, name: string, value: Value): void {
  const known = into.get(name);
  if (known === undefined) into.set(name, value);
  // What was collected is never a list itself, so a list here is one that we began.
  else if (Array.isArray(known)) known.push(value);
  else into.set(name, [known, value]);
}

/** Keeps a value beside the members of a record, or the children of a tree. */
export function storeUnknown(frame: Frame, name: string, value: Value): void {
  if (frame.kind === 'record') collect((frame.extras ??= new Map<string, Value>()), name, value);
  else if (frame.kind === 'tree') collect((frame.children ??= new Map<string, Value>()), name, value);
}

/** Puts a value into the frame around it, where its slot says. */
export function put(to: Frame, name: string, { slot, value }: { slot: Slot | undefined; value: Value }): void {
  if (to.kind === 'list') addItem(to.items, value, () => pathOf(to));
  else if (to.kind === 'tree') collect((to.children ??= new Map<string, Value>()), name, value);
  else if (slot === undefined) collect((to.extras ??= new Map<string, Value>()), name, value);
  else if (slot.isRepeated === true) repeat(to, name, value);
  else storeMember(to, name, value);
}

/** Where a member of a frame stands. */
export const pathIn = (frame: Frame | undefined, name: string): string =>
  [pathOf(frame), name].filter((each) => each !== '').join('.');

function repeat(frame: RecordFrame, name: string, value: Value): void {
  const known = frame.value[name];
  if (Array.isArray(known)) addItem(known as Value[], value, () => pathIn(frame, name));
  else frame.value[name] = [value];
}

function storeMember(frame: RecordFrame, name: string, value: Value): void {
  const again = frame.again?.get(name);
  if (again === undefined) frame.value[name] = value;
  else addItem(again, value, () => pathIn(frame, name));
}

/** The record of a frame, known fields first. Keys are defined, so that a field named `__proto__` is a field. */
export function recordOf(frame: RecordFrame): Record<string, Value> {
  const { node, value, extras } = frame;
  const known = frame.isDisordered
    ? Object.fromEntries(
        node.slots.flatMap(({ name }) => (Object.hasOwn(value, name) ? [[name, value[name] ?? null]] : [])),
      )
    : value;
  return extras === undefined ? known : { ...known, ...Object.fromEntries(extras) };
}

/** Where a frame stands, without list positions and without the root: `Relations.PvRelationData`. */
export function pathOf(frame: Frame | undefined): string {
  const names: string[] = [];
  for (let at = frame; at?.up !== undefined; at = at.up) names.unshift(at.name);
  return names.join('.');
}
