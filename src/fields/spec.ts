import { usage } from '../errors/usage.js';

/** A `--field` as it was typed. */
export interface FieldSpec {
  readonly name: string;
  readonly value: string;
}

/** Reads `NAME-OR-ID=VALUE`. All text after the first `=` is the value, which may be empty. Throws `usage`. */
export function fieldSpec(text: string): FieldSpec {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) };
  throw usage('--field', `--field takes NAME=VALUE or ID=VALUE, not '${text}'`, {
    advice: 'For example: --field Subject="Call back"',
  });
}
