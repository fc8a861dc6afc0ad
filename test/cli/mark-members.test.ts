import assert from 'node:assert/strict';
import { openDatabase } from '../../src/sqlite/open.js';
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

  before(async () => {
    here.execute(`UPDATE PvRelationshipMarkData SET MarkId = (SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief') WHERE seq % 5 > 0;
      UPDATE PvRelationshipData SET OptOut = seq % 3 = 0, IsInactive = seq % 4 = 0`);
    assert.equal((await here.run(['mirror', 'sync', '--quiet'])).code, 0);
  });

  it('says that the marks on relationships were never read', async () => {
    const { code, stdout, stderr } = await here.run(members);
    assert.deepEqual([code, stdout], [5, '']);
    assert.match(stderr, /the mirror has no relation_marks yet.*relctl mirror add marks --by-relation/s);
  });

  describe('with the marks in the mirror', () => {
    before(async () => {
      const file = (await here.run(['sql', '--print-file'])).stdout.trimEnd();
      const mirror = openDatabase({ file, what: 'The mirror' });
      const now = new Date().toISOString();
      mirror
        .statement(
          `INSERT INTO "_sources" (id, name, "table", input, synced_from, synced_at, rows, added, changed, gone)
          VALUES (900, 'marks by relation', 'relation_marks', '{}', ?, ?, 0, 0, 0, 0)`,
        )
        .run(now, now);
      const insert = mirror.statement(`INSERT INTO all_relation_marks ("_source", "Id", "RelationshipId", "MarkId",
        "PreferredAddress", "Date", "Date_instant", "_record", "_hash", "_first_seen", "_changed_at")
        VALUES (900, ?, ?, ?, ?, ?, ?, '{}', '', '', '')`);
      const rows = here.rows(
        'SELECT Id, RelationshipId, MarkId, PreferredAddress, Date, Date FROM PvRelationshipMarkData WHERE Id IS NOT NULL',
      );
      for (const row of rows) insert.run(...row);
      // Twice on one relationship, the second one later.
      const [, relationship = null, mark = null] =
        here.rows(`SELECT 1, RelationshipId, MarkId FROM PvRelationshipMarkData
        WHERE RelationshipId IN (${carrying} AND r.OptOut = 0 AND r.IsInactive = 0) AND seq % 5 > 0`)[0] ?? [];
      insert.run('later', relationship, mark, 'BillingAddress', '9999-01-01T00:00:00', '9999-01-01T00:00:00');
      mirror.close();
    });

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
        const [address, date] =
          here.rows(
            'SELECT PreferredAddress, Date FROM PvRelationshipMarkData WHERE RelationshipId = ? AND seq % 5 > 0 ORDER BY DateKey DESC',
            id,
          )[0] ?? [];
        const isLater = row['Date'] === '9999-01-01T00:00:00';
        assert.deepEqual(
          [row['PreferredAddress'], row['Date']],
          isLater ? ['BillingAddress', row['Date']] : [address, date],
        );
      }
      assert.equal(rows.filter((row) => row['Date'] === '9999-01-01T00:00:00').length, 1);
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
