import assert from 'node:assert/strict';
import { list, operation, opt, recordWithoutPresence, req } from '../../src/contract/build.js';
import { decimal, guid, int, long, string } from '../../src/contract/scalars.js';
import { callTable } from '../../src/mirror/of-call/table.js';
import { createTable } from '../../src/mirror/schema.js';
import { rowsInto } from '../../src/mirror/staging.js';
import { openDatabase, type Database } from '../../src/state/sqlite/open.js';

const Line = recordWithoutPresence('Line', '', { Amount: opt(decimal, '') });
const Row = recordWithoutPresence('Row', '', {
  Id: req(guid, ''),
  Price: opt(decimal, ''),
  Serial: opt(long, ''),
  Serial_Number: opt(string, ''),
  Count: opt(int, ''),
  Large: opt(long, ''),
  RelationId: opt(guid, ''),
  Lines: opt(list(Line), ''),
});
const { name } = operation({ name: 'RowGetAll', doc: '', access: 'read', parameters: {}, result: {} });
const table = callTable('call_rows', { operation: name, list: ['Rows'], key: ['Id'] }, Row);

describe('Numbers in the tables of a mirror', () => {
  let database: Database;
  beforeEach(() => {
    database = openDatabase({ file: ':memory:', what: 'The file' });
    database.execute('CREATE TABLE "_mirror" (name TEXT PRIMARY KEY, value TEXT)');
    database.execute(createTable(table));
  });
  afterEach(() => database.close());

  const kept = (...records: readonly Readonly<Record<string, string | readonly Record<string, string>[]>>[]): void => {
    const rows = rowsInto(database, table, {
      naming: (each) => `all_${each}`,
      input: {},
      parameters: {},
      own: ['_hash', '_first_seen', '_changed_at'],
      fixed: { _source: '1' },
    });
    for (const [at, record] of records.entries()) rows.add(at, record, ['', '', '']);
    rows.flush();
  };

  it('stand beside their exact text in the views, and in those of lists', () => {
    kept({ Id: 'a', Price: '0012.50', Large: '-9223372036854775808', Lines: [{ Amount: '+.5' }, { Amount: '9.' }] });
    const shown = database.statement(
      'SELECT Price, Price_number, typeof(Price_number), Large, CAST(Large_number AS TEXT), typeof(Large_number) FROM call_rows',
    );
    const large = '-9223372036854775808';
    assert.deepEqual(shown.all(), [['0012.50', 12.5, 'real', large, large, 'integer']]);
    const amounts = database.statement('SELECT Amount, Amount_number FROM call_rows_lines ORDER BY _position');
    assert.deepEqual(amounts.all(), [
      ['+.5', 0.5],
      ['9.', 9],
    ]);
    assert.deepEqual(
      database.statement("SELECT name, type FROM pragma_table_info('call_rows') WHERE name LIKE '%number'").all(),
      [
        ['Price_number', 'REAL'],
        ['Serial_Number', 'TEXT'],
        ['Large_number', 'INTEGER'],
      ],
    );
  });

  it('are NULL for a text that is no such number, and never what it begins with', () => {
    const texts = ['', ' 5', '12,50', '1-2', '1.2.3', '5 EUR', '.', '-', '0x10', '1e3', 'NaN', '9223372036854775808'];
    kept(...texts.map((text) => ({ Id: text, Price: text, Large: text })));
    const found = database.statement('SELECT Id FROM call_rows WHERE Price_number IS NOT NULL').all().flat();
    assert.deepEqual(found, ['9223372036854775808']);
    assert.deepEqual(database.statement('SELECT Id FROM call_rows WHERE Large_number IS NOT NULL').all(), []);
  });

  it('leave the Ids that join to indexes', () => {
    kept({ Id: 'a', RelationId: 'b' });
    const plan = database.statement("EXPLAIN QUERY PLAN SELECT 1 FROM call_rows WHERE RelationId = 'B'").all();
    assert.match(String(plan[0]?.at(-1)), /SEARCH r USING INDEX call_rows_by_RelationId/);
    assert.deepEqual(database.statement("SELECT Id FROM call_rows WHERE RelationId = 'B'").all(), [['a']]);
  });
});
