import assert from 'node:assert/strict';
import {
  enumeration,
  list,
  opt,
  recordWithoutPresence,
  req,
  type Field,
  type RecordType,
} from '../../../src/contract/build.js';
import { dateTime, guid, int, string } from '../../../src/contract/scalars.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { storedLine, storedTables } from '../../../src/mirror/of-call/stored.js';
import { createTable } from '../../../src/mirror/schema.js';
import {
  callTable,
  differencesOf,
  isTooWide,
  mostValues,
  namesNeeded,
  tableNameFor,
  tableNameOf,
} from '../../../src/mirror/of-call/table.js';
import { valuesOf } from '../../support/thrown.js';

const called = { operation: 'ThingGetAll', list: ['Page', 'Things'], key: ['Id'] } as const;

/** A record that is within itself, and within the items of its list. */
function thing(): RecordType {
  const fields: Record<string, Field> = {
    Id: req(guid, 'Tells it.'),
    At: opt(dateTime, 'When.'),
    Kind: opt(enumeration('Kind', 'Kinds.', ['a', 'b']), 'Which.'),
  };
  const made = recordWithoutPresence('Thing', 'A thing.', fields);
  Object.assign(fields, {
    Above: opt(made, 'Within.'),
    Below: opt(list(made), 'Others.'),
    Tags: opt(list(string), ''),
  });
  return made;
}

const wide = (count: number): RecordType =>
  recordWithoutPresence(
    'Wide',
    '',
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`M${at}`, opt(int, '')])),
  );

describe('The table of a list of an operation', () => {
  it('has no columns for a record within one of its type', () => {
    const { columns, lists, idColumn } = callTable('call_thing_get_all_things', called, thing());
    assert.deepEqual(valuesOf(columns, 'name'), ['Id', 'At', 'At_instant', 'Kind']);
    assert.deepEqual(valuesOf(lists, 'name'), ['call_thing_get_all_things_tags']);
    assert.equal(idColumn, 'Id');
  });

  it('is the same from what a mirror keeps of it', () => {
    const table = callTable('call_thing_get_all_things', { ...called, pageParam: 'page', isRead: true }, thing());
    const kept = storedTables([['url', 'http://x'], storedLine(table)]).get(table.name);
    assert.ok(kept !== undefined);
    assert.deepEqual(kept, table);
    assert.deepEqual(differencesOf(kept, table), []);
    assert.deepEqual(storedLine(kept), storedLine(table));
  });

  it('is not taken from what no relctl wrote', () => {
    const [line, text] = storedLine(callTable('call_thing_get_all_things', called, thing()));
    const wrong = [
      [line, '{'],
      [line, '[]'],
      [line, text.replace('"At"', '"At\\" TEXT); DROP TABLE x; --"')],
      [line, text.replace('"key":["Id"]', '"key":["Tags"]')],
      [line, text.replace('"key":["Id"]', '"key":[]')],
      [line, text.replace('"type":1', '"type":99')],
      [line, text.replace('"dateTime"', '"blob"')],
      [`${line}"`, text],
      ['table relations', text],
    ] as const;
    for (const each of wrong) {
      assert.notDeepEqual(each, [line, text]);
      assert.throws(
        () => storedTables([each]),
        (thrown) => thrown instanceof RelctlError && thrown.kind === 'local' && thrown.facts.code === 'damaged',
        each.join(' '),
      );
    }
  });

  it('has a name that no other one has, and that databases keep to its end', () => {
    const named = { operation: 'ThingGetAll', list: ['Things'] };
    assert.equal(
      tableNameOf(named, () => true),
      'call_thing_get_all_things',
    );
    const refused: string[] = [];
    const isThird = (name: string): boolean => refused.push(name) === 3;
    assert.equal(tableNameOf(named, isThird), 'call_thing_get_all_things_3');
    const long = tableNameOf({ operation: `Ünd-${'Long'.repeat(30)}`, list: ['Things'] }, () => true);
    assert.match(long, /^call_[a-z0-9_]{35}$/);
  });

  it('may have a name that a person chose, in small letters and short', () => {
    assert.equal(tableNameFor('open_orders'), 'call_open_orders');
    assert.equal(tableNameFor('call_open_orders'), 'call_open_orders');
    assert.equal(tableNameFor(`a${'1'.repeat(34)}`), `call_a${'1'.repeat(34)}`);
    const wrong = [
      '',
      'call_',
      'Open',
      '2nd',
      '_open',
      'open-orders',
      'a"b',
      'a b',
      'ö',
      'open\n',
      `a${'1'.repeat(35)}`,
    ];
    assert.deepEqual(
      wrong.map((text) => tableNameFor(text)),
      wrong.map(() => undefined),
    );
  });

  it('needs the names of all that databases make for it', () => {
    const table = callTable('call_x', called, thing());
    const needed = namesNeeded(table);
    const made = createTable(table).matchAll(/CREATE (?:TABLE|VIEW|INDEX)(?: IF NOT EXISTS)? "(\w+)"/g);
    const names = [...made].map(([, name = '']) => name.replace(/^all_/, ''));
    assert.ok(names.includes('call_x_by_id') && names.includes('call_x_tags'));
    assert.deepEqual(
      names.filter((name) => !needed.includes(name)),
      [],
    );
  });

  it('is refused when it would have too many columns, soon, however records are within each other', () => {
    assert.equal(isTooWide(wide(mostValues)), false);
    assert.equal(isTooWide(wide(mostValues + 1)), true);
    let record = wide(2);
    for (let depth = 0; depth < 40; depth += 1) {
      const inner = record;
      record = recordWithoutPresence(
        `D${depth}`,
        '',
        Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`M${at}`, opt(inner, '')])),
      );
    }
    assert.equal(isTooWide(record), true);
  });

  it('differs where members came, went or have another type, also in its lists', () => {
    const item = (fields: RecordType['fields']): RecordType => recordWithoutPresence('Item', '', fields);
    const of = (fields: RecordType['fields'], more: RecordType['fields'] = {}): ReturnType<typeof callTable> =>
      callTable(
        'call_x',
        called,
        recordWithoutPresence('X', '', { Id: req(guid, ''), ...more, Items: opt(list(item(fields)), '') }),
      );
    assert.deepEqual(
      differencesOf(of({ A: opt(int, ''), B: opt(int, '') }), of({ A: opt(string, ''), C: opt(int, '') })),
      ['call_x_items.B is gone', 'call_x_items.C is new', 'call_x_items.A has another type'],
    );
    assert.deepEqual(differencesOf(of({ A: opt(int, '') }), of({ A: opt(int, 'Words.') }, { Id: opt(guid, '') })), []);
  });
});
