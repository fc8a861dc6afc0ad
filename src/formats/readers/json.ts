import { StringDecoder } from 'node:string_decoder';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { usualRowLimits } from '../../core/text/separated/csv.js';
import { jsonArrayReader, jsonLinesReader, type JsonItem } from '../../core/text/json-items.js';
import type { InputBytes } from './bytes.js';
import { wrongRow, type Cell, isEmptyRow, mostColumns, type InputTable } from './input.js';
import { JsonMistake, readJsonRecord } from './json-record.js';

type Form = 'json' | 'ndjson';

/** The texts of records. Throws `usage`. */
async function* itemsOf(bytes: InputBytes, form: Form): AsyncGenerator<JsonItem> {
  const reader = form === 'json' ? jsonArrayReader() : jsonLinesReader();
  const decoder = new StringDecoder('utf8');
  let isFirst = true;
  try {
    for await (const piece of bytes.pieces()) {
      const text = decoder.write(piece);
      yield* reader.push(isFirst ? text.replace(/^\ufeff/, '') : text);
      isFirst = false;
    }
    yield* reader.end();
  } catch (thrown) {
    if (!(thrown instanceof RelctlError) || thrown.facts.code !== 'line') throw thrown;
    throw usage(thrown.facts.path, `${bytes.name}, ${thrown.message}`);
  }
}

const linesBefore = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1;

function rowOf(
  name: string,
  { line, text }: JsonItem,
): { readonly line: number; readonly members: ReadonlyMap<string, Cell> } {
  if (text.length > usualRowLimits.cellCharacters) throw wrongRow(name, line, 'a record that is too long');
  try {
    return { line, members: readJsonRecord(text) };
  } catch (thrown) {
    if (!(thrown instanceof JsonMistake)) throw thrown;
    throw wrongRow(name, line + linesBefore(text, thrown.at), thrown.message);
  }
}

/** All members that rows have, in the order in which they come first. Throws `usage`. */
async function columnsOf(bytes: InputBytes, form: Form): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const item of itemsOf(bytes, form)) {
    const { line, members } = rowOf(bytes.name, item);
    for (const name of members.keys()) {
      if (name.trim() === '') throw wrongRow(bytes.name, line, 'a member has no name');
      columns.add(name);
    }
    if (columns.size > mostColumns) throw wrongRow(bytes.name, line, `there are more than ${mostColumns} members`);
  }
  return [...columns];
}

/** Opens JSON, a list of records, or NDJSON, a record a line. Throws `usage`. */
export async function openJson(bytes: InputBytes, form: Form): Promise<InputTable> {
  const columns = await columnsOf(bytes, form);
  return {
    columns,
    said: [],
    point: 'decimal',
    async *rows(onSkip) {
      for await (const item of itemsOf(bytes, form)) {
        const { line, members } = rowOf(bytes.name, item);
        const row = { line, cells: columns.map((name) => members.get(name)) };
        if (isEmptyRow(row)) onSkip();
        else yield row;
      }
    },
  };
}
