import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';
import type { Format, FormatContext, Writer } from './format.js';

/** Longest line in bytes of UTF-8, without its end (RFC 2426, 2.6). */
const lineBytes = 75;

/** A line in as many as it takes; those behind the first begin with a space. No character is cut in two. */
function folded(line: string): string {
  let length = 0;
  let text = '';
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (length + bytes > lineBytes) {
      text += '\r\n ';
      length = 1;
    }
    text += character;
    length += bytes;
  }
  return `${text}\r\n`;
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text as the value of a property. Characters of control have no form in a vCard: a space stands for each. */
const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(controls, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

const itemsOf = (value: Value | undefined): readonly RecordValue[] =>
  (isList(value) ? value : [value]).filter((item) => isRecord(item));

/** What telephones call the kinds of numbers that the service names. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['mobile', 'CELL'],
  ['fax', 'FAX'],
  ['phone', 'VOICE'],
]);

/** The text of a number in a card. */
type Dial = (typed: string) => string;

function telephoneLine(item: RecordValue, dial: Dial): readonly string[] {
  const typed = textOf(item['Value']);
  if (typed.trim() === '') return [];
  const kind = kinds.get(textOf(item['Type']).toLowerCase());
  return [`TEL${kind === undefined ? '' : `;TYPE=${kind}`}:${dial(typed)}`];
}

/** A relation and the numbers of all its entries. */
interface Contact {
  /** Id of the relation; empty when it has none. */
  readonly id: string;
  readonly relation: RecordValue;
  readonly numbers: readonly RecordValue[];
}

function contactOf(entry: RecordValue): Contact {
  const given = entry['relation'];
  const relation = isRecord(given) ? given : { Id: textOf(given) };
  return { id: textOf(relation['Id']).toLowerCase(), relation, numbers: itemsOf(entry['TelephoneNumbers']) };
}

/** The card of a contact; empty when nobody could call it. */
function cardOf({ id, relation, numbers }: Contact, dial: Dial): string {
  const telephones = [...new Set(numbers.flatMap((item) => telephoneLine(item, dial)))];
  if (telephones.length === 0) return '';
  const sorting = textOf(relation['SortingName']);
  const first = textOf(numbers.find((item) => textOf(item['Value']).trim() !== '')?.['Value']);
  // A contact without a name is shown by its number, as telephones do.
  const name = [textOf(relation['DisplayName']), sorting, first].find((text) => text.trim() !== '') ?? '';
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    // Which part of it is a family name is not known.
    `N:${escaped(name)};;;;`,
    `FN:${escaped(name)}`,
    ...(sorting.trim() === '' ? [] : [`SORT-STRING:${escaped(sorting)}`]),
    ...telephones,
    ...(id === '' ? [] : [`UID:urn:uuid:${escaped(id)}`]),
    'END:VCARD',
  ];
  return lines.map(folded).join('');
}

function writerWith(dial: Dial): Pick<Writer, 'begin' | 'records' | 'end'> {
  // The entries of a relation that follow each other are one card: two with the same UID would replace each other.
  let held: Contact | undefined;
  const taken = (): string => {
    const text = held === undefined ? '' : cardOf(held, dial);
    held = undefined;
    return text;
  };
  const add = (entry: RecordValue): string => {
    const next = contactOf(entry);
    if (held !== undefined && held.id === next.id && next.id !== '') {
      held = { ...held, numbers: [...held.numbers, ...next.numbers] };
      return '';
    }
    const text = taken();
    held = next;
    return text;
  };
  return { begin: () => '', records: (batch) => batch.map(add).join(''), end: taken };
}

/** vCard 3.0 (RFC 2426), which more telephones read than 4.0: a card for each relation that has a number. */
export const vcard: Format = {
  endings: ['vcf'],
  audience: 'programs',
  layout: 'tree',
  isResumable: false,
  only: { record: 'TelephoneBookEntry', command: 'relation phone-book' },
  async open({ country }: FormatContext) {
    const { normaliseNumber } = await import('../../lexical/values/telephone.js');
    let unread = 0;
    const dial = (typed: string): string => {
      const read = normaliseNumber(typed, country);
      if (read === undefined) unread += 1;
      if (read === undefined) return escaped(typed);
      // A comma is a pause, then the extension. In this property it separates nothing.
      return read.extension === undefined ? read.number : `${read.number}\\,${read.extension}`;
    };
    const where = country === undefined ? '; --country or the profile says where they are dialled' : '';
    const note = (): string | undefined =>
      unread === 0 ? undefined : `numbers that could not be read and stand as they were typed: ${unread}${where}`;
    return { ...writerWith(dial), note };
  },
};
