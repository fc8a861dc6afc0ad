import type { Value } from '../../../core/values/value.js';
import { badAnswer } from '../../../core/errors/relctl-error.js';
import { isXmlSpace, withoutEnds, forMessage } from '../../../core/text/text.js';
import { collect, pathOf, recordOf, type Frame, type ListFrame, type RecordFrame, type TreeFrame } from './frames.js';
import type { LeafNode } from '../decode-plan.js';
import type { NoteCollector } from '../notes.js';
import type { ScalarForm } from '../../values/scalars.js';

/** What reading a frame needs. */
export interface Reading {
  readonly notes: NoteCollector;
  /** It is an answer: an item of a list that is none of its records is refused, and so are elements in the text of a sink. */
  readonly isResult?: boolean;
}

/** True for text of nothing but white space. */
export const isBlank = (text: string): boolean => blank.test(text);

const blank = /^[ \t\n\r]*$/;
// the control characters that .NET services send as references
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const trimmed = (text: string): string => withoutEnds(text, isXmlSpace);

/**
 * What the text of a scalar says; undefined when it does not fit. In a request white space counts in the values of an
 * enumeration, as their schema has them; in an answer it does no harm.
 */
export function readLeaf(node: LeafNode, text: string, { isResult }: Pick<Reading, 'isResult'>): Value | undefined {
  const isExact = node.scalar === undefined && isResult !== true;
  return node.read(text) ?? (isExact ? undefined : node.read(trimmed(text)));
}

/** True for text that holds control characters. */
export const hasControls = (text: string): boolean => control.test(text);

const textMember = '#text';

/** True for a frame with xsi:nil and no content. Content is kept in spite of xsi:nil, with a note. */
function isNil(frame: Frame, isEmpty: boolean, notes: NoteCollector): boolean {
  if (frame.isNil && !isEmpty) notes.add('late-nil', pathOf(frame));
  return frame.isNil && isEmpty;
}

function noteMissing(frame: RecordFrame, notes: NoteCollector): void {
  const path = pathOf(frame);
  for (const { name, isRequired } of frame.node.slots) {
    if (isRequired && !Object.hasOwn(frame.value, name))
      notes.add('missing-field', path === '' ? name : `${path}.${name}`);
  }
}

/** An item of a list of the result without name or member of its records is no row: throws `bad-answer`. */
function refuseStranger(frame: RecordFrame): void {
  const { foreignName, seen, up } = frame;
  if (foreignName === undefined || seen > 0 || up?.up?.up !== undefined) return;
  const path = pathOf(up);
  throw badAnswer(
    'other-item',
    `${path} holds <${forMessage(foreignName)}>, which has nothing of a ${frame.name}: it is no row of this list`,
    { path },
  );
}

/** A list without an element of its own has none when it is empty. */
function addEmptyLists(frame: RecordFrame): void {
  for (const { name, isRepeated } of frame.node.slots) {
    if (isRepeated !== true || Object.hasOwn(frame.value, name)) continue;
    frame.value[name] = [];
    frame.isDisordered = true;
  }
}

function membersOf(frame: RecordFrame, text: string, notes: NoteCollector): Value {
  if (text !== '') {
    notes.add('stray-text', pathOf(frame), text);
    collect((frame.extras ??= new Map<string, Value>()), textMember, text);
  }
  if (frame.seen < frame.node.slots.length) {
    noteMissing(frame, notes);
    addEmptyLists(frame);
  }
  return recordOf(frame);
}

function recordValue(frame: RecordFrame, { notes, isResult }: Reading): Value {
  const text = trimmed(frame.text);
  const isBare = frame.seen === 0 && frame.extras === undefined;
  if (isNil(frame, isBare && text === '', notes)) return null;
  if (isResult === true) refuseStranger(frame);
  if (!isBare || text === '' || frame.up === undefined) return membersOf(frame, text, notes);
  notes.add('bad-value', pathOf(frame), text);
  return text;
}

function listValue(frame: ListFrame, notes: NoteCollector): Value {
  const { items } = frame;
  const text = trimmed(frame.text);
  if (isNil(frame, items.length === 0 && text === '', notes)) return null;
  if (text === '') return items;
  notes.add(items.length === 0 ? 'bad-value' : 'stray-text', pathOf(frame), text);
  return [...items, text];
}

function typedValue(frame: TreeFrame, form: Pick<ScalarForm, 'read'>, notes: NoteCollector): Value {
  const { text } = frame;
  const value = form.read(text) ?? form.read(trimmed(text));
  if (value === undefined) notes.add('bad-value', pathOf(frame), text);
  return value ?? text;
}

function treeValue(frame: TreeFrame, notes: NoteCollector): Value {
  const { children, text, form } = frame;
  const isEmpty = children === undefined && isBlank(text) && frame.gaveItems !== true;
  if (isNil(frame, isEmpty, notes)) return null;
  if (hasControls(text)) notes.add('control-character', pathOf(frame));
  if (children !== undefined) {
    if (!isBlank(text)) collect(children, textMember, form === undefined ? text : typedValue(frame, form, notes));
    return Object.fromEntries(children);
  }
  return form === undefined ? text : typedValue(frame, form, notes);
}

/**
 * The value of a frame when its element closes. Text instead of a record is the value, text instead of items is the only
 * item of a list, and text between members is a member of its own: nothing is lost, and each gets a note. Throws
 * `bad-answer` for an item of the list of a result that is no record of it.
 */
export function valueOfFrame(frame: Frame, reading: Reading): Value {
  switch (frame.kind) {
    case 'record':
      return recordValue(frame, reading);
    case 'list':
      return listValue(frame, reading.notes);
    case 'tree':
      return treeValue(frame, reading.notes);
  }
}
