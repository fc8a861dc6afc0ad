import assert from 'node:assert/strict';
import { callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const relationId = '00000000-0000-4000-8000-000000000102';

describe('The names of marks', () => {
  const here = place();
  const marks = ['relation', 'marks', relationId];
  const cell = (sql: string, ...values: readonly string[]): string => String(here.rows(sql, ...values)[0]?.[0]);
  const nameOf = (id: string): string => cell('SELECT "Name" FROM "PvMarkData" WHERE "Id" = ?', id);
  /** The operations that a run calls. */
  const calledBy = async (args: readonly string[]): Promise<readonly string[]> => {
    const trace = here.fresh('trace');
    await ends(here.run([...args, `--trace=${trace}`]), 0);
    return callsIn(trace).map(({ operation }) => operation);
  };
  it('stand in tables and cards, as the database has them', async () => {
    const [{ MarkId = '' } = {}] = await here.json<readonly { MarkId?: string }[]>(marks);
    const name = nameOf(MarkId);
    assert.ok(name.length > 3);
    const table = await here.run(marks);
    assert.match(table.stdout, /^RelationshipId +Mark\.Name +Date/);
    assert.ok(table.stdout.includes(`  ${name}  `), table.stdout);
    const card = await here.run([...marks, '-o', 'card']);
    assert.match(card.stdout, new RegExp(`^Mark\\.Name +${name}$`, 'm'));
    const each = await here.run(['relation', 'marks', '--ids', '-'], { input: relationId });
    assert.ok(each.stdout.includes(`  ${name}  `), each.stdout);
  });

  it('are read by one call, and only where they are shown', async () => {
    assert.deepEqual(await calledBy(marks), ['MarkGetAll', 'RelationGetMarksModified']);
    const many = ['relation', 'marks', '--ids', '-'];
    const { stdout } = await here.run([...many, '--envelope'], { input: relationId });
    assert.doesNotMatch(stdout, /MarkGetAll/);
    for (const args of [['-o', 'csv'], ['--json'], ['--columns', 'Id,MarkId'], ['-o', 'csv', '--columns', 'Id']])
      assert.deepEqual(await calledBy([...marks, ...args]), ['RelationGetMarksModified'], args.join(' '));
  });

  it('are left out, and a note says so, where the service refuses them, unless --columns asks for them', async () => {
    await here.failing('fault=Server,message="Not for you";operation=MarkGetAll', async () => {
      await ends(here.run(marks), 0, /^Note: relctl does not show the names of marks: .*Not for you/, /Mark\.Name/);
      const asked = await here.run([...marks, '--columns', 'Mark.Name']);
      assert.deepEqual([asked.code, asked.stdout], [4, '']);
    });
  });

  it('stand beside the Ids by a call where no mirror has them, and only where they are asked for', async () => {
    const withNames = [...marks, '--with-names'];
    assert.deepEqual(await calledBy([...withNames, '-o', 'csv']), ['MarkGetAll', 'RelationGetMarksModified']);
    const rows = await here.json<readonly Record<string, string>[]>(withNames);
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.equal(row['MarkId.Name'], nameOf(row['MarkId'] ?? ''));
      const members = Object.keys(row);
      assert.equal(members[members.indexOf('MarkId') + 1], 'MarkId.Name');
    }
    const { stdout } = await here.run([...marks, '-o', 'csv', '--columns', 'MarkId.Name']);
    assert.equal(stdout.split('\n')[1], rows[0]?.['MarkId.Name']);
  });

  describe('once a mirror has them', () => {
    before(async () => {
      await ends(here.run(['mirror', 'sync', 'marks', 'campaign_marks']), 0);
    });
    it('come from it, in one column, without a call', async () => {
      assert.deepEqual(await calledBy(marks), ['RelationGetMarksModified']);
      const { stdout } = await here.run(marks);
      assert.match(stdout, /^RelationshipId +MarkId\.Name +MarkId +Date/);
      assert.doesNotMatch(stdout, /Mark\.Name.*MarkId\.Name/);
      const [{ MarkId = '' } = {}] = await here.json<readonly { MarkId?: string }[]>(marks);
      assert.ok(stdout.includes(`  ${nameOf(MarkId)}  `), stdout);
      const card = await here.run([...marks, '-o', 'card']);
      assert.ok(card.stdout.includes(`${MarkId} (${nameOf(MarkId)})`), card.stdout);
      assert.deepEqual(await calledBy([...marks, '--with-names', '-o', 'csv']), ['RelationGetMarksModified']);
    });

    it('come from it to Mark.Name too with --with-names, and are those of the service', async () => {
      const words = [...marks, '-o', 'csv', '--columns', 'MarkId,Mark.Name'];
      const [called, mirrored] = [await here.run(words), await here.run([...words, '--with-names'])];
      assert.deepEqual([mirrored.code, mirrored.stdout, mirrored.stderr], [0, called.stdout, '']);
      assert.match(mirrored.stdout, /^MarkId,Mark\.Name\n[0-9a-f-]{36},\S/);
      assert.deepEqual(await calledBy([...words, '--with-names']), ['RelationGetMarksModified']);
    });

    it('are read from the service where --columns names Mark.Name', async () => {
      assert.deepEqual(await calledBy([...marks, '-o', 'csv', '--columns', 'Mark.Name']), [
        'MarkGetAll',
        'RelationGetMarksModified',
      ]);
    });
  });
});
