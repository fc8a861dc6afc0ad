/** One thing of each of the two services. */
export type Both<T> = readonly [a: T, b: T];

/** A record as it is compared. */
export interface Item {
  /** Its code; empty where it has none. */
  readonly code: string;
  /** Its name; empty where it has none. */
  readonly name: string;
  /** Where it stands, which tells records of one name apart; empty for nowhere, undefined when that is not known. */
  readonly within: string | undefined;
  /** The text of each member that is compared; a member that is not there has none. */
  readonly members: Readonly<Record<string, string>>;
}

/** A difference between two lists. */
export interface ItemDifference {
  /** Code or name of the record; empty where it has neither. */
  readonly key: string;
  readonly difference: 'only-a' | 'only-b' | 'changed' | 'ambiguous';
  /** The member that changed, or the one that several records share. */
  readonly member?: string;
  /** Values of the member, the name of a record that is in one list only, or how many records share a key. */
  readonly values: Both<string | undefined>;
}

/** True for two texts of a member that mean the same. */
export type IsSame = (member: string, a: string, b: string) => boolean;

type Items = Both<readonly Item[]>;

interface Pair {
  readonly key: string;
  readonly items: Both<Item>;
}

interface Group {
  readonly key: string;
  readonly items: Items;
}

/** What one way to match records gives. */
interface Matched {
  readonly pairs: readonly Pair[];
  /** Records of one key that are in both lists, and more than once in one of them. */
  readonly doubles: readonly Group[];
  /** Records of which the other list has none. */
  readonly rest: Items;
}

const titleOf = ({ code, name }: Item): string => (code === '' ? name : code);

function groupsOf([a, b]: Items, keyOf: (item: Item) => string): readonly Group[] {
  const groups = new Map<string, { readonly key: string; readonly items: Both<Item[]> }>();
  const put = (item: Item, side: 0 | 1): void => {
    const key = keyOf(item);
    const group = groups.get(key) ?? { key, items: [[], []] };
    groups.set(key, group);
    group.items[side].push(item);
  };
  for (const item of a) put(item, 0);
  for (const item of b) put(item, 1);
  return [...groups.values()];
}

/**
 * Matches records by a key.
 * @param mayMatch false for a group whose records are not the same although they have one key
 */
function matchBy(items: Items, keyOf: (item: Item) => string, mayMatch: (items: Items) => boolean): Matched {
  const pairs: Pair[] = [];
  const doubles: Group[] = [];
  const rest: Both<Item[]> = [[], []];
  for (const { key, items: group } of groupsOf(items, keyOf)) {
    const [a, b] = group;
    const [first, second] = [a[0], b[0]];
    if (first === undefined || second === undefined || !mayMatch(group)) {
      for (const item of a) rest[0].push(item);
      for (const item of b) rest[1].push(item);
    } else if (a.length === 1 && b.length === 1 && key !== '') pairs.push({ key, items: [first, second] });
    else doubles.push({ key, items: group });
  }
  return { pairs, doubles, rest };
}

/** Records with two codes are two records, whatever they are called: a name counts where one of them has no code. */
const lacksCode = (items: Items): boolean => items.flat().some(({ code }) => code === '');

/** Tells records of one name apart by where they stand; undefined where that is not known of all. */
function apart({ key, items }: Group): Matched | undefined {
  if (key === '' || items.flat().some(({ within }) => within === undefined)) return undefined;
  return matchBy(items, ({ within = '', name }) => (within === '' ? name : `${within} / ${name}`), lacksCode);
}

function ambiguous(member: string, { key, items: [a, b] }: Group): ItemDifference {
  const counted = ({ length }: readonly Item[]): string => String(length);
  return { key, difference: 'ambiguous', member, values: [counted(a), counted(b)] };
}

function changesOf({ key, items: [a, b] }: Pair, isSame: IsSame): readonly ItemDifference[] {
  const members = [...new Set([...Object.keys(a.members), ...Object.keys(b.members)])];
  return members.flatMap((member): readonly ItemDifference[] => {
    const values = [a.members[member], b.members[member]] as const;
    const [left = '', right = ''] = values;
    return left === right || isSame(member, left, right) ? [] : [{ key, difference: 'changed', member, values }];
  });
}

const inOrder = (left: ItemDifference, right: ItemDifference): number =>
  left.key === right.key ? 0 : left.key < right.key ? -1 : 1;

/**
 * The differences between two lists, by key. Records are the same when they have the same code, or, where one of them has no
 * code, the same name; records of one name are told apart by where they stand. What cannot be matched so is ambiguous.
 */
export function differencesOf(items: Items, isSame: IsSame): readonly ItemDifference[] {
  const coded = items.map((side) => side.filter(({ code }) => code !== '')) as unknown as Items;
  const byCode = matchBy(
    coded,
    ({ code }) => code,
    () => true,
  );
  const uncoded = items.map((side, at) => [
    ...side.filter(({ code }) => code === ''),
    ...(byCode.rest[at] ?? []),
  ]) as unknown as Items;
  const byName = matchBy(uncoded, ({ name }) => name, lacksCode);
  const told = byName.doubles.map((group) => apart(group) ?? { pairs: [], doubles: [group], rest: [[], []] as const });
  const pairs = [byCode, byName, ...told].flatMap((each) => each.pairs);
  const only = (side: 0 | 1): readonly Item[] => [byName, ...told].flatMap(({ rest }) => rest[side]);
  return [
    ...pairs.flatMap((pair) => changesOf(pair, isSame)),
    ...byCode.doubles.map((group) => ambiguous('Code', group)),
    ...told.flatMap(({ doubles }) => doubles.map((group) => ambiguous('Name', group))),
    ...only(0).map((item) => ({ key: titleOf(item), difference: 'only-a', values: [item.name, undefined] }) as const),
    ...only(1).map((item) => ({ key: titleOf(item), difference: 'only-b', values: [undefined, item.name] }) as const),
  ].sort(inOrder);
}
