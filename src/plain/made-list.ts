/** True for the name of a property that holds an item: a list has no other properties of its own but its length. */
const isIndex = (items: readonly unknown[], name: string | symbol): boolean =>
  name !== 'length' && Object.hasOwn(items, name);

/**
 * A list whose items are made each time that they are read: whoever walks it once holds one item at a time. To everybody
 * else it is a list as any other, which cannot be written.
 * @param make the item at an index from 0; the same item each time
 */
export function madeList<Item>(length: number, make: (at: number) => Item): readonly Item[] {
  return new Proxy<Item[]>(Array.from<Item>({ length }), {
    get: (items, name, list) =>
      isIndex(items, name) ? make(Number(name)) : (Reflect.get(items, name, list) as unknown),
    getOwnPropertyDescriptor: (items, name) => {
      const found = Reflect.getOwnPropertyDescriptor(items, name);
      return found !== undefined && isIndex(items, name) ? { ...found, value: make(Number(name)) } : found;
    },
    set: () => false,
    deleteProperty: () => false,
    defineProperty: () => false,
  });
}
