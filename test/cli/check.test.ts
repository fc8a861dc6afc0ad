import assert from 'node:assert/strict';
import { place } from '../support/operations/place.js';

interface Count {
  readonly Check: string;
  readonly Rows: number;
}

type Rows = readonly Readonly<Record<string, string>>[];

describe('relctl check', () => {
  const here = place();
  const text = (sql: string): readonly string[] => here.rows(sql).flat().map(String);
  let relations: readonly string[];
  let relationships: readonly string[];

  /** The rows of a check; stderr has the age of the mirror. */
  const rowsOf = async (name: string, ...flags: readonly string[]): Promise<Rows> => {
    const { code, stdout, stderr } = await here.run(['check', name, '-o', 'json', ...flags]);
    assert.deepEqual([code, /^\{"notes":\["from the mirror, synced .* ago"\]\}\n$/.test(stderr)], [0, true], stderr);
    return JSON.parse(stdout) as Rows;
  };
  const ids = (rows: Rows, member: string): readonly string[] => rows.map((row) => row[member] ?? '').toSorted();

  before(async () => {
    relations = text(
      'SELECT Id FROM PvRelationData WHERE Id IN (SELECT RelationId FROM PvTelephoneNumberData) ORDER BY seq LIMIT 6',
    );
    relationships = text('SELECT Id FROM PvRelationshipData ORDER BY seq LIMIT 9').slice(5);
    const [a = '', b = '', c = '', d = '', e = ''] = relations;
    here.execute(`UPDATE PvRelationData SET ImportKey = 'Twice' WHERE Id IN ('${a}', '${b}');
      UPDATE PvRelationData SET ImportKey = 'twice' WHERE Id = '${c}';
      UPDATE PvRelationData SET ImportKey = ' ' WHERE Id IN ('${d}', '${e}');
      UPDATE PvTelephoneNumberData SET Value = 'number ' || seq || ' 9' || (7000000 + seq);
      UPDATE PvTelephoneNumberData SET Value = '+31 (0)20-123 45 67' WHERE RelationId = '${a}';
      UPDATE PvTelephoneNumberData SET Value = '020 1234567' WHERE RelationId = '${b}';
      UPDATE PvTelephoneNumberData SET Value = '+32 9 765 43 21' WHERE RelationId = '${c}';
      UPDATE PvTelephoneNumberData SET Value = '+31 9 765 43 21' WHERE RelationId = '${d}';
      UPDATE PvTelephoneNumberData SET Value = 'none' WHERE RelationId = '${e}'`);
    const gone = 'ffffffff-0000-4000-8000-00000000000';
    here.execute(`UPDATE PvRelationshipData SET ParentRelationId = '${gone}1' WHERE Id IN ('${relationships[0]}', '${relationships[2]}');
      UPDATE PvRelationshipData SET ChildRelationId = '${gone}2' WHERE Id IN ('${relationships[1]}', '${relationships[2]}');
      UPDATE PvRelationshipData SET Openening = ' ', OptOut = 0, IsInactive = 0 WHERE Id = '${relationships[3]}'`);
    const { code, stderr } = await here.run([
      'mirror',
      'sync',
      'relations',
      'relationships',
      'telephone_book',
      '--quiet',
    ]);
    assert.equal(code, 0, stderr);
  });

  it('finds import keys that are the same to the letter', async () => {
    assert.deepEqual(
      ids(await rowsOf('import-keys'), 'RelationId'),
      text("SELECT Id FROM PvRelationData WHERE ImportKey = 'Twice'").toSorted(),
    );
  });

  it('finds the same number however it is written, and not that of another country', async () => {
    const rows = await rowsOf('telephone-numbers');
    assert.deepEqual(new Set(rows.map(({ RelationId }) => RelationId)), new Set(relations.slice(0, 2)));
    assert.deepEqual(new Set(rows.map(({ Digits }) => Digits)), new Set(['201234567']));
  });

  it('finds relationships without parent or child', async () => {
    const rows = await rowsOf('missing-relations');
    const missing = Object.fromEntries(rows.map(({ RelationshipId = '', Missing }) => [RelationshipId, Missing]));
    const [parent = '', child = '', both = ''] = relationships;
    assert.deepEqual(missing, { [parent]: 'parent', [child]: 'child', [both]: 'both' });
  });

  it('finds relationships without salutation that mailings go to', async () => {
    const found = ids(await rowsOf('salutations'), 'RelationshipId');
    assert.ok(found.includes(relationships[3] ?? ''));
    const wanted = text(
      "SELECT Id FROM PvRelationshipData WHERE trim(coalesce(Openening, '')) = '' AND OptOut = 0 AND IsInactive = 0",
    );
    assert.deepEqual(found, wanted.toSorted());
  });

  it('finds relations in use of which no number has a digit', async () => {
    const found = ids(await rowsOf('without-number'), 'RelationId');
    assert.ok(found.includes(relations[4] ?? ''));
    const wanted = text(`SELECT Id FROM PvRelationData WHERE IsInactive = 0 AND Id NOT IN
      (SELECT RelationId FROM PvTelephoneNumberData WHERE Value GLOB '*[0-9]*')`);
    assert.deepEqual(found, wanted.toSorted());
  });

  it('counts the rows of each, and of some', async () => {
    const { code, stdout, stderr } = await here.run(['check', '-o', 'ndjson']);
    assert.deepEqual([code, stderr.startsWith('{"notes":') || stderr === ''], [0, true], stderr);
    const counts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Count);
    assert.equal(counts.length, 5);
    for (const { Check, Rows } of counts) assert.equal(Rows, (await rowsOf(Check)).length, Check);
    const some = await here.run(['check', '--only', 'salutations, import-keys', '-o', 'csv', '--columns', 'Check']);
    assert.deepEqual([some.code, some.stdout, some.stderr], [0, 'Check\nimport-keys\nsalutations\n', '']);
  });

  it('ends with 12 where rows are found, if asked to, after it printed them', async () => {
    const found = await here.run(['check', 'import-keys', '--exit-code', '-o', 'csv', '--limit', '1']);
    assert.deepEqual([found.code, found.stdout.trimEnd().split('\n').length], [12, 2]);
    const none = ['check', 'import-keys', '--exit-code', '--count', '--filter', "ImportKey == 'twice'"];
    const { code, stdout } = await here.run(none);
    assert.deepEqual([code, stdout], [0, '0\n']);
    assert.equal((await here.run(['check', '--exit-code', '-q'])).code, 12);
    const dropped = await here.run(['check', '--exit-code', '--filter', "Check == 'none'", '-o', 'csv']);
    assert.equal(dropped.code, 0, dropped.stderr);
  });

  it('says what is wrong with a command line, and what the mirror has not', async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['import-key'], 2, /there is no check 'import-key'.*import-keys/s],
      [['--only', 'salutation'], 2, /--only: there is no check 'salutation'/],
      [['salutations', '--only', 'salutations'], 2, /--only chooses among the counts/],
      [['--limit', '3'], 2, /--limit goes with the NAME/],
      [['--to', here.fresh('other.db')], 5, /there is no mirror in .*relctl mirror sync --to/s],
    ];
    for (const [args, wanted, words] of cases) {
      const { code, stdout, stderr } = await here.run(['check', ...args]);
      assert.deepEqual([code, stdout], [wanted, ''], stderr);
      assert.match(stderr, words);
    }
    const to = here.fresh('half.db');
    await here.run(['mirror', 'sync', 'relations', '--to', to, '--quiet']);
    const half = await here.run(['check', 'salutations', '--to', to]);
    assert.equal(half.code, 5);
    assert.match(half.stderr, /the mirror has no relationships yet.*relctl mirror sync relationships --to/s);
  });
});
