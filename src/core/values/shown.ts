import type { Value } from './value.js';

/** A value in words. */
export const shown = (value: Value | undefined): string =>
  value === undefined || value === null ? '(none)' : JSON.stringify(value);

/** A value that is not what it was. */
interface Moved {
  readonly name: string;
  readonly from?: Value | undefined;
  readonly to: Value | undefined;
}

/** What values were and what they are, in words: `Name was "a", is "b"; …`. */
export const movedWords = (moved: readonly Moved[], was = 'was'): string =>
  moved.map(({ name, from, to }) => `${name} ${was} ${shown(from)}, is ${shown(to)}`).join('; ');
