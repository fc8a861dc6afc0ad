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
