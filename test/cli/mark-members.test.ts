import assert from 'node:assert/strict';
import { place } from '../support/operations/place.js';

type Members = readonly Readonly<Record<string, string | boolean | null>>[];

describe('relctl mark members', () => {
  const here = place();
  const members = ['mark', 'members', 'Nieuwsbrief'];
  const text = (sql: string): readonly string[] => here.rows(sql).flat().map(String);
  const carrying = `SELECT DISTINCT r.Id FROM PvRelationshipData r JOIN PvRelationshipMarkData m ON m.RelationshipId = r.Id
    WHERE m.MarkId = (SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief')`;

  async function listed(...flags: readonly string[]): Promise<{ readonly members: Members; readonly notes: string }> {
    const { code, stdout, stderr } = await here.run([...members, '-o', 'json', ...flags]);
    assert.equal(code, 0, stderr);
    return { members: JSON.parse(stdout) as Members, notes: stderr };
  }
  const ids = (rows: Members): readonly string[] => rows.map(({ RelationshipId }) => String(RelationshipId)).toSorted();

  before(() => {
    here.execute(`UPDATE PvRelationshipMarkData SET MarkId = (SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief') WHERE seq % 5 > 0;
      UPDATE PvRelationshipData SET OptOut = seq % 3 = 0, IsInactive = seq % 4 = 0;
      INSERT INTO PvRelationshipMarkData (Id, RelationshipId, MarkId, PreferredAddress, Date, DateKey, RelationshipSeq)
        SELECT '00000000-0054-4000-8000-0000000fffff', m.RelationshipId, m.MarkId, 'BillingAddress',
          '2039' || substr(m.Date, 5), '2039' || substr(m.DateKey, 5), m.RelationshipSeq
        FROM PvRelationshipMarkData m JOIN PvRelationshipData r ON r.Id = m.RelationshipId
        WHERE m.seq % 5 > 0 AND r.OptOut = 0 AND r.IsInactive = 0 LIMIT 1`);
  });

  /** The line that an error says to try, as words. */
  const triedIn = (stderr: string): readonly (readonly string[])[] =>
    (/^ *Try: (.*)$/m.exec(stderr)?.[1] ?? '').split(' && ').map((line) => line.split(' ').slice(1));

  it('says what was never read, and the lines to try lead there', async () => {
    const lines: string[] = [];
    let last = await here.run(members);
    assert.deepEqual([last.code, last.stdout], [2, '']);
    for (let tries = 0; last.code !== 0 && tries < 3; tries += 1) {
      for (const words of triedIn(last.stderr)) {
        lines.push(words.join(' '));
        const { code, stderr } = await here.run([...words, '--quiet']);
        assert.equal(code, 0, stderr);
      }
      last = await here.run(members);
    }
    assert.equal(last.code, 0, last.stderr);
    assert.deepEqual(lines, [
      'mirror sync marks campaign_marks',
      'mirror add marks --by-relation',
      'mirror sync relations relationships relation_marks',
    ]);
  });

  describe('with the marks in the mirror', () => {
    it('lists those that mailings go to, once each, with what the relationship has and the address of the mark', async () => {
      const { members: rows, notes } = await listed();
      assert.deepEqual(ids(rows), text(`${carrying} AND r.OptOut = 0 AND r.IsInactive = 0`).toSorted());
      const outs = text(`${carrying} AND r.OptOut = 1`).length;
      const inactives = text(`${carrying} AND r.OptOut = 0 AND r.IsInactive = 1`).length;
      assert.ok(outs > 0 && inactives > 0);
      const told = `left out: ${outs} with OptOut (--include-opt-out), ${inactives} inactive (--include-inactive)`;
      assert.ok(notes.includes(told), notes);
      const copied = [
        'ParentRelationId',
        'ChildRelationId',
        'DisplayName',
        'Addressing',
        'Openening',
        'AddresStyle',
        'DisplayCity',
      ];
      for (const row of rows) {
        const id = String(row['RelationshipId']);
        const kept = here.rows(`SELECT ${copied.join(', ')} FROM PvRelationshipData WHERE Id = ?`, id)[0];
        assert.deepEqual(
          copied.map((name) => row[name]),
          kept,
        );
        const [last] = here.rows(
          `SELECT PreferredAddress, Date FROM PvRelationshipMarkData WHERE RelationshipId = ? AND MarkId =
            (SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief') ORDER BY DateKey DESC`,
          id,
        );
        assert.deepEqual([row['PreferredAddress'], row['Date']], last);
      }
      const twice = rows.filter((row) => String(row['Date']).startsWith('2039'));
      assert.deepEqual(
        twice.map((row) => row['PreferredAddress']),
        ['BillingAddress'],
      );
    });

    it('lists the others when asked to', async () => {
      assert.deepEqual(
        ids((await listed('--include-opt-out')).members),
        text(`${carrying} AND r.IsInactive = 0`).toSorted(),
      );
      assert.deepEqual(
        ids((await listed('--include-inactive')).members),
        text(`${carrying} AND r.OptOut = 0`).toSorted(),
      );
      const all = await listed('--include-opt-out', '--include-inactive');
      assert.deepEqual(ids(all.members), text(carrying).toSorted());
      assert.doesNotMatch(all.notes, /left out/);
    });

    it('is silent in cron, and takes the flags of rows', async () => {
      const { code, stdout, stderr } = await here.run([
        ...members,
        '-o',
        'csv',
        '--columns',
        'RelationshipId',
        '--limit',
        '500',
      ]);
      assert.deepEqual([code, stderr, stdout.split('\n')[0]], [0, '', 'RelationshipId']);
      const { stdout: count } = await here.run([...members, '--count', '--filter', 'OptOut']);
      assert.equal(count, '0\n');
    });

    it('passes --rate on to the sync that --max-age makes', async () => {
      const started = Date.now();
      const { code, stderr } = await here.run([...members, '--max-age', '1ms', '--rate', '40', '-o', 'csv']);
      assert.equal(code, 0, stderr);
      const relations = Number(text('SELECT count(*) FROM PvRelationData')[0]);
      assert.ok(Date.now() - started >= ((relations - 1) / 40) * 1000);
      const wrong = await here.run([...members, '--rate', 'fast']);
      assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
      assert.match(wrong.stderr, /--rate takes a number of calls a second/);
    });

    it('knows no mark that is not there, and none of two names', async () => {
      const none = await here.run(['mark', 'members', '00000000-0050-4000-8000-0000000fffff']);
      assert.deepEqual([none.code, none.stdout], [5, '']);
      assert.match(none.stderr, /there is no mark .* in the mirror/);
      here.execute("UPDATE PvMarkData SET Name = 'Nieuwsbrief' WHERE Name = 'Kerstkaart'");
      await here.run(['mirror', 'sync', 'marks', '--quiet']);
      const { code, stdout, stderr } = await here.run(members);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /the name of 2 records.*relctl mark members 00000000-0050/s);
    });
  });
});
