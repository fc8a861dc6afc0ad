/** An object without what is undefined in it, as a spread leaves nothing behind: `{ ...defined({ hint }) }`. */
export function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  // The same members, less some.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
