import type { Fields, Type } from '../../src/contract/build.js';

/** How a type is spelled in the expected tables: `T`, `T*` for a list of elements named T, `T/item` for other names. */
function spelledType(type: Type): string {
  if (type.kind !== 'list') return type.name;
  const item = spelledType(type.item);
  return item === type.itemName ? `${item}*` : `${item}/${type.itemName}`;
}

const spelledPresence = { req: 'Req', nil: 'Nil', opt: 'Opt' } as const;

/** Fields as the expected tables spell them, one entry a field: `Id guid Req`. */
export function spelled(fields: Fields): string[] {
  return Object.entries(fields).map(
    ([name, { type, presence }]) => `${name} ${spelledType(type)} ${spelledPresence[presence]}`,
  );
}

/** The entries of an expected table. */
export const entriesOf = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter((entry) => entry !== '');

/** The types that .NET has as classes, which may be absent; all others are values, which never are. */
const isClass = (type: string): boolean =>
  type === 'string' || type.endsWith('*') || /^(?:Pv.*|ProductLineData|Attachment)$/.test(type);

/** An expected entry with the presence that follows from its type, where the document gives none. */
export function withPresence(entry: string): string {
  const [, type = '', presence] = entry.split(' ');
  if (presence !== undefined) return entry;
  return `${entry} ${isClass(type) ? 'Opt' : 'Req'}`;
}
