import type { ListType, RecordType } from '../../contract/build.js';

/** The texts of the records of a list, as answers by the contract have them. */
export interface ItemTexts {
  readonly type: RecordType;
  /** Those that were written before, by index, in UTF-8. */
  readonly known: readonly (Uint8Array | undefined)[];
  /** Called with each text that is written now. */
  readonly keep: (index: number, text: string) => void;
}

const textsOfLists = new WeakMap<object, ItemTexts>();

/** Gives a list the texts of its items, so that those that are known need not be written, nor read. */
export function giveItemTexts(list: readonly unknown[], texts: ItemTexts): void {
  textsOfLists.set(list, texts);
}

/** The texts that a list was given, if they are those that a type of lists asks for. */
export function itemTextsOf(list: readonly unknown[], { item, itemName, namespace }: ListType): ItemTexts | undefined {
  const texts = textsOfLists.get(list);
  return texts?.type === item && texts.type.name === itemName && namespace === undefined ? texts : undefined;
}
