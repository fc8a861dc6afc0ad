import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { openDatabase } from '../../../src/state/sqlite/open.js';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, home, program, relctl, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { needs } from '../../support/skip.js';
import { openTerminal } from '../../support/terminal.js';

const { personId, organisationId, relationshipId, activityId } = known;
const otherId = '00000000-0000-4000-8000-000000000101';

describe('Names of records in the mirror', () => {
  const here = place();
  const file = (): string => join(here.folder, 'state', 'relctl', 'mirrors', `${profile()}.db`);
  let ofProfile: string | undefined;
  const profile = (): string => ofProfile ?? 'unknown';
  /** Changes the mirror beside the program. */
  const inMirror = (sql: string): void => {
    const database = openDatabase({ file: file(), what: 'The mirror' });
    try {
      database.execute(sql);
    } finally {
      database.close();
    }
  };
  const rename = (id: string, name: string): void =>
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = '${name}' WHERE "Id" = '${id}'`);
  const sync = async (...tables: readonly string[]): Promise<void> => {
    await ends(here.run(['mirror', 'sync', ...tables]), 0, '');
  };
  const idOf = async (name: string, ...more: readonly string[]): Promise<Run> =>
    here.run(['relation', 'get', name, '-o', 'csv', '--columns', 'Id', ...more]);
  const found = (id: string): string => `Id\n${id}\n`;

  before(async () => {
    ofProfile = (await here.json<{ Profile: string }>(['whoami'])).Profile;
    rename(personId, 'Jo\u00eblle Veen');
    rename(organisationId, 'Twins');
    rename(otherId, 'Twins');
  });

  it('need a mirror: without one an error says how it is made', async () => {
    await ends(
      idOf('Veen'),
      2,
      /^Error: ID: 'Veen' is not a GUID, and relctl resolves names in the mirror, and there is none yet\n {2}Try: relctl mirror sync relations\n/,
    );
    await sync('relations', 'relationships');
  });

  it('stand for Ids in any form of their characters, print what the Id prints, and are reported', async () => {
    const [byId, composed, apart, byKey] = await Promise.all([
      here.run(['relation', 'get', personId, '-o', 'csv']),
      here.run(['relation', 'get', 'Jo\u00eblle Veen', '-o', 'csv']),
      here.run(['relation', 'get', 'Joe\u0308lle Veen', '-o', 'csv']),
      here.run([
        'relation',
        'get',
        String(here.rows('SELECT "ImportKey" FROM "PvRelationData" WHERE "Id" = ?', personId)[0]?.[0]),
        '-o',
        'csv',
      ]),
    ]);
    assert.deepEqual([byId.code, byId.stderr], [0, '']);
    for (const each of [composed, apart, byKey]) {
      assert.deepEqual([each.code, each.stdout], [0, byId.stdout]);
      assert.match(
        each.stderr,
        new RegExp(`^Note: ID: relation '.*' is ${personId} by the mirror, synced \\d+ seconds? ago\\n$`),
      );
    }
  });

  it('are reported with the age of the mirror, unless --quiet is given', async () => {
    inMirror(`UPDATE "_sources" SET synced_at = '${new Date(Date.now() - 3.5 * 3_600_000).toISOString()}'`);
    const says = `ID: relation 'Jo\u00eblle Veen' is ${personId} by the mirror, synced 3 hours ago`;
    assert.equal((await idOf('Jo\u00eblle Veen')).stderr, `Note: ${says}\n`);
    assert.equal((await idOf('Jo\u00eblle Veen', '--quiet')).stderr, '');
    const json = await here.run(['relation', 'get', 'Jo\u00eblle Veen', '-o', 'json']);
    assert.deepEqual(JSON.parse(json.stderr), { notes: [says] });
    const target = here.fresh('activities.csv');
    const args = ['relation', 'activities', 'Jo\u00eblle Veen', '--output-file', target, '--meta', '--quiet'];
    assert.equal((await here.run(args)).code, 0);
    const meta = JSON.parse(readFileSync(`${target}.meta.json`, 'utf8')) as { names?: unknown };
    assert.deepEqual(meta.names, [says]);
  });

  it('that several records have are told with lines that can be pasted', async () => {
    const { code, stdout, stderr } = await idOf('Twins');
    assert.deepEqual([code, stdout], [2, '']);
    const lines = [...stderr.matchAll(/^ {4}relctl (.*)$/gm)].map(([, line]) => line ?? '');
    assert.equal(lines.length, 2);
    const ids = await Promise.all(lines.map(async (line) => (await here.run(line.split(' '))).stdout));
    assert.deepEqual(ids.toSorted(), [found(organisationId), found(otherId)].toSorted());
    assert.match(stderr, /Try: relctl find .*Twins/);
  });

  it('cannot put a line of their own among those', async () => {
    rename(organisationId, 'Bad\nrelctl rm');
    rename(otherId, 'Bad\nrelctl rm');
    await sync('relations');
    const { stderr } = await ends(idOf('Bad\nrelctl rm'), 2);
    assert.doesNotMatch(stderr, /^\s*relctl rm/m);
    // Where somebody types, zsh takes no # for a comment, and runs what stands behind a ; in it.
    assert.match(stderr, /^ {4}# 'Bad\u23cerelctl rm, [^']*'$/m);
    rename(organisationId, 'Twins');
    rename(otherId, 'twins');
    await sync('relations');
  });

  it('count their case, and an error shows those in another case', async () => {
    assert.equal((await idOf('twins')).stdout, found(otherId));
    const { stderr } = await ends(idOf('JO\u00ebLLE veen'), 2);
    assert.ok(stderr.includes(`    relctl relation get ${personId} -o csv --columns Id\n`), stderr);
    assert.match(stderr, /matches exactly/);
  });

  it('that nobody has lead to find, and say how old the mirror is', async () => {
    const { code, stderr } = await idOf("O'Nobody");
    assert.equal(code, 2);
    assert.match(stderr, /no DisplayName or ImportKey of a record \(relation\) in the mirror, synced \d+ seconds? ago/);
    assert.match(stderr, /Try: relctl find .*'O'\\''Nobody'/);
  });

  it('never stand before a GUID, which needs no mirror: a broken one is not opened', async () => {
    const kept = readFileSync(file());
    try {
      writeFileSync(file(), 'no database');
      for (const form of argv`
        ${personId} {${personId.toUpperCase()}} ${personId.replaceAll('-', '')} urn:uuid:${personId}
      `)
        assert.equal((await idOf(form)).stdout, found(personId), form);
      await ends(idOf('twins'), 10);
    } finally {
      for (const ending of ['-wal', '-shm']) rmSync(`${file()}${ending}`, { force: true });
      writeFileSync(file(), kept);
    }
    assert.equal((await idOf('twins')).stdout, found(otherId));
  });

  it('do not take a slip in a GUID for a name', async () => {
    await ends(idOf(personId.slice(0, -1)), 2, /ID takes a GUID such as .*: it has 31 digits, and a GUID has 32/);
  });

  it('are synced first with --max-age, and only then', async () => {
    rename(personId, 'New Name');
    assert.equal((await idOf('New Name')).code, 2);
    assert.equal((await idOf('New Name', '--max-age', '1h')).code, 2);
    const trace = here.fresh('trace');
    assert.equal((await idOf('New Name', '--max-age', '0s', `--trace=${trace}`)).stdout, found(personId));
    assert.deepEqual(new Set(callsIn(trace).map(({ operation }) => operation)), new Set(['RelationGet']));
    assert.equal((await idOf('New Name')).stdout, found(personId));
    rename(personId, 'Jo\u00eblle Veen');
    await sync('relations');
  });

  it('of another service are refused', async () => {
    inMirror("UPDATE _mirror SET value = 'https://elsewhere.example/' WHERE name = 'url'");
    await ends(idOf('twins'), 3, /belongs to another service/);
    inMirror(`UPDATE _mirror SET value = '${here.url()}/V1/service.asmx' WHERE name = 'url'`);
    assert.equal((await idOf('twins')).code, 0);
  });

  it('are completed where variables are the profile', async () => {
    const own = home();
    try {
      const folder = join(own.folder, 'state', 'relctl', 'mirrors');
      mkdirSync(folder, { recursive: true });
      const mirror = openDatabase({ file: file(), what: 'The mirror' });
      const names = mirror.statement('SELECT name, value FROM _mirror').all();
      // What was written last may still be in a file beside it.
      mirror.execute(`VACUUM INTO '${join(folder, 'environment.db')}'`);
      chmodSync(join(folder, 'environment.db'), 0o600);
      mirror.close();
      const kept = new Map(names.map(([name, value]) => [String(name), String(value)]));
      const env = {
        ...own.env,
        RELCTL_BASE_URL: here.url(),
        RELCTL_API_KEY: otherId,
        RELCTL_NAMESPACE: kept.get('namespace'),
        RELCTL_DATABASE_ID: kept.get('database'),
      };
      const line = 'relctl relation get Jo\u00eblle';
      const { stdout } = await relctl(['autocomplete', 'bash', `--line=${line}`, '--word=Jo\u00eblle'], { env });
      assert.ok(stdout.includes('Jo\u00eblle\\ Veen'), stdout);
    } finally {
      own.remove();
    }
  });

  it('are completed at Tab as the shell writes them, by the mirror of the same service alone', async () => {
    const offered = async (word: string): Promise<readonly string[]> => {
      const line = `relctl relation get ${word}`;
      const { stdout } = await ends(here.run(['autocomplete', 'bash', `--line=${line}`, `--word=${word}`]), 0, '');
      return stdout.trim().split('\n').slice(1);
    };
    assert.ok((await offered('Jo\u00eblle')).includes('Jo\u00eblle\\ Veen'));
    assert.deepEqual(await offered('No such name'), []);
    assert.ok((await offered('')).length > 20 && (await offered('')).length <= 50);
    inMirror("UPDATE _mirror SET value = 'https://elsewhere.example/' WHERE name = 'url'");
    assert.deepEqual(await offered('Jo\u00eblle'), []);
    inMirror(`UPDATE _mirror SET value = '${here.url()}/V1/service.asmx' WHERE name = 'url'`);
  });
});

describe('A write by a name of the mirror', () => {
  const here = place();
  const name = 'Someone to write to';
  const line = argv`
    --entity-type ${known.lineEntityTypeId} --datastore ${known.datastoreEntityTypeId} --field
    00000000-0041-4000-8000-000000000401=Rekenen
  `;
  const add = ['relationship', 'add-line', name, ...line];

  before(async () => {
    here.execute(`UPDATE "PvRelationshipData" SET "DisplayName" = '${name}' WHERE "Id" = '${relationshipId}'`);
    assert.equal((await here.run(['mirror', 'sync', 'relationships'])).code, 0);
  });

  it('is refused without a terminal, before anything is sent, with the line that has the Id', async () => {
    const trace = here.fresh('trace');
    for (const more of [[], ['--yes'], ['--envelope']]) {
      const { code, stdout, stderr } = await here.run([...add, ...more, `--trace=${trace}`]);
      assert.deepEqual([code, stdout], [2, ''], more.join());
      assert.match(
        stderr,
        new RegExp(`relationship '${name}' is ${relationshipId} by the mirror, .*; a write resolves a name only in a`),
      );
      assert.match(stderr, new RegExp(`Try: relctl relationship add-line ${relationshipId} `));
    }
    assert.ok(!existsSync(trace) || callsIn(trace).length === 0);
    await ends(here.run([...add, '--dry-run'].map((word) => (word === name ? relationshipId : word))), 0);
  });

  it('is asked about in a terminal, with what the name was found to mean', async function () {
    needs(this, 'tmux');
    const terminal = openTerminal([process.execPath, program, ...add], here.env, 200);
    try {
      const question = await terminal.until(/\(y\/N\)/);
      assert.match(question.replace(/\s+/g, ' '), new RegExp(`'${name}' is ${relationshipId} by the mirror`));
      terminal.type('n');
      terminal.press('Enter');
      assert.match(await terminal.until(/Pane is dead/), /not confirmed; nothing was sent/);
    } finally {
      terminal.close();
    }
  });
});

describe('Several records of a name', () => {
  const here = place();

  before(async () => {
    here.execute(
      `UPDATE "PvRelationData" SET "DisplayName" = 'Twins' WHERE "Id" IN ('${personId}', '${organisationId}')`,
    );
    assert.equal((await here.run(['mirror', 'sync', 'relations'])).code, 0);
  });

  it('are listed in a terminal too, and nobody is asked', async function () {
    needs(this, 'tmux');
    const terminal = openTerminal([process.execPath, program, 'relation', 'get', 'Twins'], here.env, 200);
    try {
      const shown = await terminal.until(/Pane is dead/);
      assert.ok(shown.includes(personId) && shown.includes(organisationId), shown);
    } finally {
      terminal.close();
    }
  });

  it('leave an activity alone that is none of them', async () => {
    await ends(here.run(['activity', 'involved', 'Twins']), 5, /the mirror has no activities yet/);
    assert.equal((await here.run(['activity', 'involved', activityId])).code, 0);
  });
});
