import { badAnswer } from '../../errors/bad-answer.js';
import type { RelctlError } from '../../errors/relctl-error.js';
import { forMessage } from '../../lexical/text.js';
import type { XmlName } from '../../xml/events.js';
import type { Value } from '../../plain/value.js';
import { pathOf, type Frame, type RecordFrame } from './frames/frames.js';
import type { NoteCollector } from './notes.js';

/** True within a field that the contract does not have: what is odd there is told, and stops nothing. */
export function isWithinBeyond(frame: Frame | undefined): boolean {
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
export function keepFirst(frame: RecordFrame, name: string, notes: NoteCollector): void {
  const path = pathOf(frame);
  notes.add('unexpected-elements', path === '' ? name : `${path}.${name}`);
  frame.again ??= new Map<string, Value[]>();
  if (frame.again.has(name)) return;
  const values = [frame.value[name] ?? null];
  frame.again.set(name, values);
  frame.value[name] = values;
}
