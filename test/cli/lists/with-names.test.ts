import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

type Relationship = Readonly<Record<string, unknown>>;

const { userId, relationshipId, personId } = known;

describe('The names behind Ids', () => {
  const here = place();
  const list = ['relationship', 'list'];
  const nameOf = (id: unknown): string | undefined => {
    const [row] = here.rows('SELECT "DisplayName" FROM "PvRelationData" WHERE "Id" = ?', String(id));
    return typeof row?.[0] === 'string' && row[0] !== '' ? row[0] : undefined;
  };
  let file = '';

  before(async () => {
    const { Profile } = await here.json<{ Profile: string }>(['whoami']);
    file = join(here.folder, 'state', 'relctl', 'mirrors', `${Profile}.db`);
    await ends(here.run(['name', 'set', 'user', 'Jan', userId]), 0);
  });

  /** A record as it is printed with names, put together by another way than the program's. */
  function named(record: Relationship, names: (member: string, id: unknown) => string | undefined): Relationship {
    const entries = Object.entries(record).flatMap(([member, value]): readonly [string, unknown][] => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return [[member, named(value as Relationship, names)]];
      const name = member.endsWith('Id') && member !== 'Id' ? names(member, value) : undefined;
      const ofUser = member.endsWith('ByUser') ? names(member, value) : undefined;
      const known = name ?? ofUser;
      return known === undefined
        ? [[member, value]]
        : [
            [member, value],
            [`${member}.Name`, known],
          ];
    });
    return Object.fromEntries(entries);
  }
  const ofProfile = (_member: string, id: unknown): string | undefined => (id === userId ? 'Jan' : undefined);

  it('are those of the profile where there is no mirror', async () => {
    const plain = await here.json<readonly Relationship[]>(list);
    const { stdout } = await ends(here.run([...list, '--with-names', '-o', 'json']), 0);
    const expected = plain.map((record) => named(record, ofProfile));
    assert.ok(JSON.stringify(expected).includes('.Name'));
    assert.equal(stdout, `${JSON.stringify(expected, null, 2)}\n`);
    assert.ok(!existsSync(file));
  });

  it('stand beside the Ids that the mirror knows, in records within records too, and change nothing else', async () => {
    assert.equal((await here.run(['mirror', 'sync', 'relations', 'relationships'])).code, 0);
    const plain = await here.json<readonly Relationship[]>(list);
    const { stdout } = await here.run([...list, '--with-names', '-o', 'json']);
    const expected = plain.map((record) =>
      named(record, (member, id) => (member.endsWith('RelationId') ? nameOf(id) : ofProfile(member, id))),
    );
    assert.equal(stdout, `${JSON.stringify(expected, null, 2)}\n`);
    assert.ok(stdout.includes('"ParentRelationId.Name"'));
  });

  it('are columns of CSV behind their Ids, each whatever the mirror knows', async () => {
    const { stdout, stderr } = await here.run([...list, '--with-names', '-o', 'csv', '--limit', '1', '--quiet']);
    assert.equal(stderr, '');
    const [header = ''] = stdout.split('\n');
    assert.match(header, /ParentRelationId,ParentRelationId\.Name,ChildRelationId,ChildRelationId\.Name/);
    assert.match(header, /AuditData\.CreatedByUser,AuditData\.CreatedByUser\.Name/);
    const asked = await here.run([...list, '-o', 'csv', '--columns', 'ChildRelationId,childrelationid.NAME']);
    const [titles, ...rows] = asked.stdout.trimEnd().split('\n');
    assert.equal(titles, 'ChildRelationId,ChildRelationId.Name');
    assert.ok(rows.length > 10);
    for (const row of rows) {
      const [id = '', ...rest] = row.split(',');
      const name = rest
        .join(',')
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"');
      assert.equal(name, nameOf(id) ?? '');
    }
  });

  it('are asked of by --where and --sort as other members are', async () => {
    const name = String(nameOf(personId));
    const { stdout, stderr } = await here.run(
      argv`${list} --with-names -o json --columns Id --where "ChildRelationId.Name = '${name}'"`,
    );
    const expected = here.rows('SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?', personId).flat();
    const ids = (JSON.parse(stdout) as readonly { Id: string }[]).map(({ Id }) => Id);
    assert.deepEqual(ids.toSorted(), expected.map(String).toSorted(), stderr);
    assert.ok(ids.length > 0);
  });

  it('are in tables and cards once there is a mirror, whose age a terminal is told', async () => {
    const activity = await here.run(['activity', 'involved', known.activityId], { env: { RELCTL_FORCE_TTY: '200' } });
    assert.match(activity.stdout, /^RelationshipId\.Name +RelationshipId/);
    assert.match(activity.stderr, /^Note: names come from the mirror, synced \d+ \w+ ago\n$/);
    const card = await here.run([...list, '-o', 'card', '--limit', '2', '--quiet']);
    assert.match(card.stdout, new RegExp(`^ChildRelationId +${personId} \\(.+\\)$`, 'm'));
    assert.ok(card.stdout.includes(`${personId} (${nameOf(personId) ?? ''})`));
    assert.equal(card.stderr, '');
  });

  it('of one export are from one state of the mirror: --resume refuses another one', async () => {
    const target = here.fresh('names.csv');
    const job = [...list, '--with-names', '--output-file', target, '--page-size', '10'];
    await here.fault('fault=Server;page=3');
    const broken = await here.run(job);
    await here.calm();
    assert.notEqual(broken.code, 0);
    assert.ok(existsSync(`${target}.part`), broken.stderr);
    assert.equal((await here.run(['mirror', 'sync', 'relations'])).code, 0);
    const other = await here.run([...job, '--resume']);
    assert.notEqual(other.code, 0);
    assert.match(other.stderr, /names was .*, is /);
    const anew = await here.run([...job, '--restart', '--quiet']);
    const whole = await here.run([...list, '--with-names', '-o', 'csv']);
    assert.equal(anew.code, 0, anew.stderr);
    assert.equal(readFileSync(target, 'utf8'), whole.stdout);
  });

  it('need no mirror in a table, but an error says why they are missing where they were asked for', async () => {
    const kept = readFileSync(file);
    const table = ['activity', 'involved', known.activityId];
    try {
      writeFileSync(file, 'no database');
      const { code, stdout, stderr } = await here.run(table, { env: { RELCTL_FORCE_TTY: '200' } });
      assert.equal(code, 0);
      assert.match(stdout, /^RelationshipId/);
      assert.match(stderr, /^Note: relctl does not show names: /);
      assert.equal((await here.run([...table, '--with-names'])).code, 10);
    } finally {
      writeFileSync(file, kept);
    }
  });

  it('cost no call', async () => {
    const trace = here.fresh('trace');
    assert.equal((await here.run([...list, '--with-names', '-o', 'csv', `--trace=${trace}`])).code, 0);
    assert.deepEqual(new Set(callsIn(trace).map(({ operation }) => operation)), new Set(['RelationshipGetAll']));
    assert.ok(relationshipId);
  });
});
