import type { Database, Statement } from '../../../sqlite/open.js';
import type { Searched } from '../searched.js';
import { indexOf } from './index-rows.js';

/** Letters that the tokenizer brings together with others of the same capital, where `fold` does not. */
const others = new Map(Array.from('µſςϐϑϕϖϰϱϵ', (letter, at) => [letter, Array.from('μsσβθφπκρε')[at]]));

/** A folded text as it stands in an index. */
const indexed = (text: string): string => Array.from(text, (letter) => others.get(letter) ?? letter).join('');

/** The groups of three characters that stand in the index of a table. */
export class Terms {
  readonly #next: Statement;

  constructor(database: Database, table: Searched) {
    const name = indexOf(table);
    // It holds nothing: it shows what the index has, and is gone with the connection.
    database.execute(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp."${name}_terms" USING fts5vocab(main, "${name}", instance)`,
    );
    this.#next = database.statement(`SELECT term FROM temp."${name}_terms" WHERE term >= ? AND term <= ? LIMIT 1`);
  }

  /** Those that begin with two characters, a number of them at most. Throws RelctlError `local`. */
  beginningWith(text: string, most: number): readonly string[] {
    const begin = indexed(text);
    const found: string[] = [];
    // One after the other: the index has each as often as it stands in a row.
    for (let from = begin; found.length < most;) {
      const [term] = this.#next.first(from, `${begin}\u{10ffff}`) ?? [];
      if (typeof term !== 'string') break;
      found.push(term);
      from = `${term}\u0001`;
    }
    return found;
  }
}
