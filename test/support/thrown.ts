import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Kind } from '../../src/core/errors/kinds.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

/** An error that is one of ours, and of this kind if one is named; fails for any other. */
function ours(thrown: unknown, kind: Kind | undefined): RelctlError {
  assert.ok(thrown instanceof RelctlError, `not a RelctlError: ${inspect(thrown)}`);
  if (kind !== undefined) assert.equal(thrown.kind, kind, thrown.message);
  return thrown;
}

/** The error that a function throws; fails when there is none, or it is not one of ours of this kind. */
export function thrownBy(work: () => unknown, kind?: Kind): RelctlError {
  try {
    work();
  } catch (thrown) {
    return ours(thrown, kind);
  }
  return assert.fail('nothing was thrown');
}

/** The same of a promise, or of a function that may give one. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<RelctlError> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (thrown) {
    return ours(thrown, undefined);
  }
  return assert.fail('nothing failed');
}

/** The values of a member of each record; of several members, a list for each record. */
export function valuesOf<T, Name extends keyof T>(records: readonly T[] | undefined, name: Name): readonly T[Name][];
export function valuesOf<T>(
  records: readonly T[] | undefined,
  ...names: readonly (keyof T)[]
): readonly (readonly unknown[])[];
export function valuesOf<T>(records: readonly T[] | undefined, ...names: readonly (keyof T)[]): readonly unknown[] {
  return (records ?? []).map((record) => {
    const values = names.map((name) => record[name]);
    return names.length === 1 ? values[0] : values;
  });
}
