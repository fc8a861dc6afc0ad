import { isWrongCell } from '../../inputs/input.js';
import { JsonMistake, readJsonRecord } from '../../inputs/json-record.js';
import { jsonArrayReader, jsonLinesReader, type ItemReader, type JsonItem } from '../../lexical/json-items.js';
import { badLine } from '../../lexical/separated/csv.js';
import { idColumn, shownColumns, type CheckColumns } from './columns.js';
import type { GivenId } from './id-list.js';

/** A record over several lines, as one record is printed, read as the only item of an array. */
function oneRecordReader(): ItemReader {
  const reader = jsonArrayReader();
  reader.push('[');
  return {
    push: (text) => reader.push(text),
    end: () => [...reader.push(']'), ...reader.end()],
  };
}

function readerFor(header: string): ItemReader {
  const text = header.trim();
  if (text.startsWith('[')) return jsonArrayReader();
  return text === '{' ? oneRecordReader() : jsonLinesReader();
}

function membersOf({ line, text }: JsonItem): ReturnType<typeof readJsonRecord> {
  try {
    return readJsonRecord(text);
  } catch (thrown) {
    if (!(thrown instanceof JsonMistake)) throw thrown;
    throw badLine(line + text.slice(0, thrown.at).split('\n').length - 1, thrown.message);
  }
}

function idOf(item: JsonItem, checkColumns: CheckColumns): GivenId {
  const { line } = item;
  const members = membersOf(item);
  const names = [...members.keys()];
  checkColumns(names);
  const place = idColumn({ line, names, noun: 'members' });
  if (place === undefined) {
    const others = names.length === 0 ? '' : `, only ${shownColumns(names)}`;
    throw badLine(line, `the record has no member Id${others}`);
  }
  const name = names[place] ?? '';
  const cell = members.get(name);
  if (isWrongCell(cell)) throw badLine(line, `${name} ${cell.wrong}`);
  return { id: cell ?? '', line };
}

/** Ids in the member Id of records: of a JSON array, one a line, or one record over several lines. */
export function jsonReading(
  header: string,
  checkColumns: CheckColumns,
): { push(text: string): readonly GivenId[]; end(): readonly GivenId[] } {
  const reader = readerFor(header);
  const idsOf = (items: readonly JsonItem[]): readonly GivenId[] => items.map((item) => idOf(item, checkColumns));
  return { push: (text) => idsOf(reader.push(text)), end: () => idsOf(reader.end()) };
}
