import { RelctlError } from '../../errors/relctl-error.js';

/** `name` or `name=value`. */
export interface Item {
  readonly name: string;
  readonly value: string | undefined;
}

/** A line of a fault plan, cut into its items. */
export interface SplitSpec {
  readonly faults: readonly Item[];
  readonly schedule: readonly Item[];
}

const longest = 2000;

/** Cuts a text at a character outside of quotation marks, within which a backslash takes the next character as it is. */
function parts(text: string, separator: string): readonly string[] {
  const found = [''];
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (piece === '"') throw misread('fault-quote', 'a quotation mark is not closed');
    if (piece === separator) found.push('');
    else found.push(`${found.pop() ?? ''}${piece}`);
  }
  return found.map((part) => part.trim());
}

function unquoted(value: string): string {
  if (!value.includes('"')) return value;
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(value) ?? [];
  if (inner === undefined) throw misread('fault-quote', 'quotation marks stand around a whole value, or nowhere');
  return inner.replace(/\\(.)/gs, '$1');
}

function itemOf(part: string): Item {
  const at = part.indexOf('=');
  if (at === -1) return { name: part, value: undefined };
  return { name: part.slice(0, at).trim(), value: unquoted(part.slice(at + 1).trim()) };
}

/** Cuts a line at semicolons and commas outside of quotes. Throws RelctlError `usage`. */
export function split(text: string): SplitSpec {
  if (text.length > longest) throw misread('fault-empty', `it is longer than ${longest} characters`);
  const [faults = '', ...schedule] = parts(text, ';');
  const listed = faults === '' ? [] : parts(faults, ',');
  return {
    faults: listed.map(itemOf),
    // A semicolon at the end is allowed.
    schedule: schedule.filter((part) => part !== '').map(itemOf),
  };
}

/** Why a line of a fault plan cannot be read; the code of the error. */
export type SpecFailure =
  | 'fault-empty'
  | 'fault-quote'
  | 'fault-unknown'
  | 'fault-twice'
  | 'fault-conflict'
  | 'fault-value'
  | 'fault-argument'
  | 'fault-schedule';

/** The error for a line that cannot be read. */
export function misread(code: SpecFailure, message: string, hint = 'relctl sandbox start --help'): RelctlError {
  return new RelctlError('usage', `fault plan: ${message}`, { facts: { code, path: '--fault' }, hint });
}
