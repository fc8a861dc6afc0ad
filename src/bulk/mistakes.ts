import { RelctlError } from '../errors/relctl-error.js';

/** Thrown for a row with several mistakes: each is `usage`, or `not-found`, with the argument, flag or field as its path. */
class RowMistakes extends Error {
  readonly errors: readonly RelctlError[];

  constructor(errors: readonly RelctlError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}

const isMistake = ({ kind }: RelctlError): boolean => kind === 'usage' || kind === 'not-found';

/** A mistake in words, with what was meant where that is near. */
export const mistakeWords = ({ message, instead }: RelctlError): string =>
  instead === undefined ? message : `${message} (did you mean ${instead.meant}?)`;

/** The mistakes of a row that something thrown tells; undefined for what is none of the row. */
export function mistakesIn(thrown: unknown): readonly RelctlError[] | undefined {
  if (thrown instanceof RowMistakes) return thrown.errors;
  const error = RelctlError.from(thrown);
  return isMistake(error) ? [error] : undefined;
}

/** Does several things of which each may find a mistake, and gives what they made. Throws `RowMistakes`. */
export async function withoutMistakes<T>(tasks: readonly (() => T | Promise<T>)[]): Promise<readonly T[]> {
  const made: T[] = [];
  const errors: RelctlError[] = [];
  for (const task of tasks) {
    try {
      made.push(await task());
    } catch (thrown) {
      const found = mistakesIn(thrown);
      if (found === undefined) throw thrown;
      errors.push(...found);
    }
  }
  if (errors.length > 0) throw new RowMistakes(errors);
  return made;
}
