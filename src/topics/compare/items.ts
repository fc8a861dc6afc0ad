import type { Field, RecordType, Role } from '../../contract/build.js';
import { compareDecimals, isDecimal } from '../../lexical/values/decimal.js';
import { isGuid } from '../../lexical/values/guid.js';
import { nameKey } from '../../lexical/same-name.js';
import { itemType, ownId } from '../../lists/plan.js';
import { cellText } from '../../output/cell.js';
import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';
import type { Names } from '../../profiles/kept/names.js';
import type { IsSame, Item } from './differences.js';
import type { ComparedList } from './lists.js';

/** What records that may stand above others are called, by Id in lower case. */
export type Parents = ReadonlyMap<string, string>;

const isId = ({ type }: Field): boolean => type.kind === 'scalar' && type.name === 'guid';

const textIn = (record: RecordValue, member: string | undefined): string =>
  member === undefined ? '' : cellText(record[member]);

const inRole = ({ fields }: RecordType, role: Role): string | undefined =>
  Object.keys(fields).find((name) => fields[name]?.role === role);

/** The words of a record in other languages, a member for each; a language that comes again has a number. */
function translations(value: Value | undefined): readonly (readonly [string, string])[] {
  const seen = new Map<string, number>();
  return (isList(value) ? value : []).filter(isRecord).map((each) => {
    const language = `Translations.${textIn(each, 'CultureCode')}`;
    const count = (seen.get(language) ?? 0) + 1;
    seen.set(language, count);
    return [count === 1 ? language : `${language}.${count}`, textIn(each, 'Value')];
  });
}

/** What the records of a list are called, so that those below them can name them. */
export function parentsIn(list: ComparedList, records: readonly RecordValue[]): Parents {
  const name = inRole(itemType({ ...list, input: {}, table: [] }), 'name');
  return new Map(records.map((record) => [(ownId(record) ?? '').toLowerCase(), textIn(record, name)]));
}

const parent = 'ParentId';

/** The name of the record above, empty where there is none; undefined for one that is not known. */
function nameAbove(record: RecordValue, parents: Parents): string | undefined {
  const id = ownId({ Id: record[parent] ?? null });
  return id === undefined ? '' : parents.get(id.toLowerCase());
}

/** Members with Ids of records that no operation lists, by the kind of names that a profile has for them. */
const namedIds = { ProductGroupId: 'group', SalesVatId: 'vat-rate' } as const;

const nameEnding = '.Name';

/** What a profile calls the records that a record refers to and that no operation lists. */
function namesOf(record: RecordValue, names: Names): readonly (readonly [string, string])[] {
  return Object.entries(namedIds).map(([member, kind]) => {
    const id = textIn(record, member).toLowerCase();
    const [name = ''] = Object.entries(names[kind]).find(([, known]) => known.toLowerCase() === id) ?? [];
    return [`${member}${nameEnding}`, name];
  });
}

/** What is known of a service beside the records of a list. */
export interface Beside {
  readonly parents: Parents;
  /** The names of its profile. */
  readonly names: Names;
}

/** Makes what is compared of the records of a list: their Ids are those of one service, and are left out. */
export function itemMaker(list: ComparedList, { parents, names }: Beside): (record: RecordValue) => Item {
  const type = itemType({ ...list, input: {}, table: [] });
  const [code, name] = [inRole(type, 'key'), inRole(type, 'name')];
  const hasParents = Object.hasOwn(type.fields, parent);
  const plain = Object.entries(type.fields).flatMap(([member, field]) =>
    isId(field) || field.type.kind === 'list' ? [] : [member],
  );
  return (record) => {
    const above = nameAbove(record, parents);
    const texts = plain.map((member) => [member, textIn(record, member)] as const);
    const parentText = hasParents ? [['Parent', above ?? unknownParent] as const] : [];
    const all = [...texts, ...namesOf(record, names), ...parentText, ...translations(record['Translations'])];
    return {
      code: textIn(record, code),
      name: textIn(record, name),
      within: list.within === parent ? above : textIn(record, list.within),
      members: Object.fromEntries(all.filter(([, text]) => text !== '')),
    };
  };
}

/** Stands for the record above, where that is in no list that was read. */
export const unknownParent = '(not read)';

/** What has a name in one profile alone may be the same. Names of profiles are the same in any case of letters. */
const isSameNamed = (a: string, b: string): boolean => a === '' || b === '' || nameKey(a) === nameKey(b);

const isSameDecimal = (a: string, b: string): boolean => isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0;

/** What means the same in the records of a list: numbers by value; Ids are those of one service. */
export function samenessOf(list: ComparedList): IsSame {
  const { fields } = itemType({ ...list, input: {}, table: [] });
  return (member, a, b) => {
    if (isGuid(a) && isGuid(b)) return true;
    if (member.endsWith(nameEnding)) return isSameNamed(a, b);
    const type = Object.hasOwn(fields, member) ? fields[member]?.type : undefined;
    return type?.kind === 'scalar' && type.name === 'decimal' && isSameDecimal(a, b);
  };
}
