import assert from 'node:assert/strict';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { place } from '../support/operations/place.js';
import { ends, inShell, program } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { resultService } from '../support/called.js';

const joelle = '00000000-0000-4000-8000-000000000102';

describe('A mirror that is filled in part', () => {
  const here = place();
  const read = async (...words: readonly string[]): Promise<readonly [number | null, string, string]> => {
    const { code, stdout, stderr } = await here.run(words);
    return [code, stdout, stderr];
  };
  before(async () => {
    assert.equal((await here.run(['mirror', 'sync', 'marks'])).code, 0);
  });

  it('is no answer of sql, find, names and mirror list about a table that no sync filled', async () => {
    const asked: readonly (readonly [words: readonly string[], hint: RegExp])[] = [
      [['sql', 'SELECT count(*) FROM relations'], /Try: relctl mirror sync .*relations/],
      [['sql', 'SELECT count(*) FROM all_telephone_numbers'], /Try: relctl mirror sync .*telephone_book/],
      [['sql', 'SELECT count(*) FROM activities'], /Try: relctl mirror add --help/],
      [['find', 'veen'], /no sync has read/],
      [['find', 'veen', '--type', 'activity'], /Try: relctl mirror add --help/],
      [['relation', 'get', 'Joëlle Veen'], /Try: relctl mirror sync .*relations/],
      [['mirror', 'list', 'relations'], /Try: relctl mirror sync .*relations/],
    ];
    for (const [words, hint] of asked) {
      const [code, stdout, stderr] = await read(...words);
      assert.deepEqual([code, stdout], [5, ''], `${words.join(' ')}: ${stderr}`);
      assert.match(stderr, hint);
    }
    assert.deepEqual(await read('sql', 'SELECT count(*) > 0 AS n FROM marks', '-o', 'csv'), [0, 'n\n1\n', '']);
  });

  it('says beside what find found what it did not look into', async () => {
    const [code, stdout, stderr] = await read('find', 'nieuwsb', '-o', 'csv');
    assert.deepEqual([code, stdout.split('\n').length > 2], [0, true], stderr);
    assert.match(stderr, /not searched, because it was never read: telephone_book, relations/);
    assert.deepEqual((await read('find', 'nieuwsb', '--type', 'mark', '-o', 'csv'))[2], '');
  });

  it('says that not all that fills a table was read', async () => {
    assert.equal((await here.run(['mirror', 'sync', 'system_datastores PaymentMethod'])).code, 0);
    const [code, , stderr] = await read('sql', 'SELECT count(*) FROM system_datastores');
    assert.deepEqual([code, /not all of system_datastores has been read yet/.test(stderr)], [0, true], stderr);
  });

  it('is filled to the end by a sync of which the reader wants one line', async () => {
    const words = `"${process.execPath}" "${program}" mirror sync -o csv | sed 1q`;
    const run = await inShell(words, here.env);
    assert.deepEqual([run.code, run.stdout.split('\n').length], [0, 2], run.stderr);
    const status = await here.json<readonly { readonly Rows: number | null }[]>(['mirror', 'status']);
    assert.ok(status.every(({ Rows }) => Rows !== null));
  });
});

describe('Times of the mirror that are ahead of the clock', () => {
  const here = place();
  const change = async (sql: string): Promise<void> => {
    const { stdout } = await here.run(['sql', '--print-file']);
    const database = openDatabase({ file: stdout.trim(), what: 'The mirror' });
    database.execute(sql);
    database.close();
  };

  it('are old for every age, and told', async () => {
    assert.equal((await here.run(['mirror', 'sync'])).code, 0);
    const asked: readonly (readonly string[])[] = [
      ['sql', "SELECT DisplayName FROM relations WHERE Id = 'ID'", '--max-age', '20d', '-o', 'csv'],
      ['find', '100001', '--type', 'relation', '--max-age', '20d', '-o', 'csv'],
    ];
    let count = 0;
    for (const words of asked) {
      count += 1;
      here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Named ${count}' WHERE "Id" = '${joelle}'`);
      await change(`UPDATE "_sources" SET synced_at = '2099-01-01T00:00:00.000Z'`);
      const status = await here.json<readonly { readonly Age: string }[]>(['mirror', 'status']);
      assert.deepEqual(new Set(status.map(({ Age }) => Age)), new Set(['none: the clock was ahead']));
      const run = await here.run(words.map((word) => word.replace("'ID'", `'${joelle}'`)));
      assert.deepEqual([run.code, run.stdout.includes(`Named ${count}`)], [0, true], run.stdout + run.stderr);
    }
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Joëlle Veen' WHERE "Id" = '${joelle}'`);
    const now = await here.run(
      argv`sql "SELECT DisplayName FROM relations WHERE Id = '${joelle}'" --max-age 0s -o csv`,
    );
    assert.equal(now.stdout, 'DisplayName\nJoëlle Veen\n');
  });
});

describe('GUIDs in a mirror', () => {
  const here = place();
  const rows = async (sql: string, ...words: readonly string[]): Promise<string> => {
    const run = await ends(here.run(['sql', sql, '-o', 'csv', '--no-header', ...words]), 0);
    return run.stdout.trim();
  };
  before(async () => {
    // A service may spell the Ids of one list in capitals.
    here.execute('UPDATE "PvRelationshipData" SET "ParentRelationId" = upper("ParentRelationId")');
    assert.equal((await here.run(['mirror', 'sync', 'relations'])).code, 0);
    assert.equal((await here.run(['mirror', 'sync', 'relationships'])).code, 0);
  });

  it('are the same in any case of letters, and stay as they are spelt', async () => {
    const [[count = 0] = []] = here.rows('SELECT count(*) FROM "PvRelationshipData"');
    const join = 'SELECT count(*) FROM relationships p JOIN relations r ON r.Id = p.ParentRelationId';
    assert.equal(await rows(join), String(count));
    assert.equal(await rows(`SELECT Id FROM relations WHERE Id = '${joelle.toUpperCase()}'`), joelle);
    assert.equal(
      await rows(`SELECT count(*) FROM relations WHERE upper(Id) IN (SELECT Id FROM relations)`),
      await rows('SELECT count(*) FROM relations'),
    );
  });

  it('are taken in any form from parameters, and a text in another form is refused with its repair', async () => {
    const forms = argv`
      {${joelle}} ${joelle.replaceAll('-', '')} (${joelle.toUpperCase()}) urn:uuid:${joelle} ${joelle}
    `;
    for (const form of forms) {
      for (const condition of ['Id = :id', ':id = r.Id', 'r.Id IN (:id)', 'r.Id IS :id'])
        assert.equal(await rows(`SELECT Id FROM relations r WHERE ${condition}`, '--param', `id=${form}`), joelle);
    }
    const run = await here.run(['sql', `SELECT Id FROM relations WHERE Id IN ('x', '{${joelle}}')`]);
    assert.equal(run.code, 2);
    assert.match(run.stderr, new RegExp(`has GUIDs with dashes.*Try: [^\\n]*, '\\\\''${joelle}'\\\\''\\)`, 's'));
    // A text that is compared with no Id stays as it is.
    assert.equal(await rows('SELECT :id', '--param', `id={${joelle}}`), `{${joelle}}`);
  });
});

describe('find --count', () => {
  const here = place();

  it('counts all, and only --limit cuts', async () => {
    assert.equal((await here.run(['mirror', 'sync'])).code, 0);
    const listed = await here.run(['find', 'an', '--limit', '100000', '-o', 'csv', '--no-header']);
    const all = listed.stdout.trim().split('\n').length;
    assert.ok(all > 20, listed.stdout);
    const find = ['find', 'an'];
    assert.deepEqual((await here.run([...find, '--count'])).stdout, `${all}\n`);
    assert.deepEqual((await here.run([...find, '--query', 'length(@)'])).stdout, `${all}\n`);
    assert.deepEqual((await here.run([...find, '--count', '--limit', '5'])).stdout, '5\n');
    const [last] = (
      await here.run([...find, '--sort', 'Name:desc', '-o', 'csv', '--no-header', '--columns', 'Name'])
    ).stdout.split('\n');
    const [best] = (
      await here.run(argv`${find} --limit 100000 --sort Name:desc -o csv --no-header --columns Name`)
    ).stdout.split('\n');
    assert.equal(last, best);
    const shown = await here.run([...find, '-o', 'csv', '--no-header']);
    assert.equal(shown.stdout.trim().split('\n').length, 20);
  });
});

describe('Pages without rows amid a list that a mirror knows', () => {
  const id = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const page = (from: number): string =>
    Array.from({ length: 100 }, (_, at) => `<PvRelationData><Id>${id(from + at)}</Id></PvRelationData>`).join('');

  it('are no end of it: the page where its last row stood is read too', async () => {
    let empty: readonly number[] = [];
    const asked: number[] = [];
    const service = await resultService(({ page: number }) => {
      asked.push(number);
      const isThere = number >= 1 && number <= 10 && !empty.includes(number);
      return `<Relations>${isThere ? page(number * 100) : ''}</Relations>`;
    });
    try {
      const sync = (): ReturnType<typeof service.run> =>
        service.run(['mirror', 'sync', 'relations', '--page-size', '100']);
      await ends(sync(), 0);
      empty = [4, 5];
      await ends(sync(), 8, /page 4 has no records, but page 10 after it has 100/);
      const count = await service.run(['sql', 'SELECT count(*) FROM relations', '-o', 'csv', '--no-header']);
      assert.equal(count.stdout, '1000\n');
      // A list that did become shorter is read to its end, with one page more.
      empty = [4, 5, 6, 7, 8, 9, 10];
      asked.length = 0;
      const third = await service.run(['mirror', 'sync', 'relations', '--page-size', '100', '--max-shrink', '100']);
      assert.deepEqual([third.code, asked.includes(10)], [0, true], third.stderr);
      assert.equal(
        (await service.run(['sql', 'SELECT count(*) FROM relations', '-o', 'csv', '--no-header'])).stdout,
        '300\n',
      );
    } finally {
      await service.close();
    }
  });
});

describe('A mirror of another format', () => {
  const here = place();

  it('is refused with the line that removes it, and with it a new one is made', async () => {
    assert.equal((await here.run(['mirror', 'sync', 'marks'])).code, 0);
    const { stdout: file } = await here.run(['sql', '--print-file']);
    const database = openDatabase({ file: file.trim(), what: 'The mirror' });
    const format = Number(database.statement('PRAGMA user_version').first()?.[0]);
    database.execute(`PRAGMA user_version = ${format - 1}`);
    database.close();
    const { code, stderr } = await here.run(['mirror', 'list', 'marks']);
    assert.deepEqual([code, stderr.includes(`has format ${format - 1}`)], [10, true], stderr);
    assert.match(stderr, /Use the version of relctl that created it, or remove the mirror and fill it again\./);
    const [, line = ''] = /Try: relctl (.*)/.exec(stderr) ?? [];
    assert.equal((await here.run([...line.split(' '), '--yes'])).code, 0, line);
    assert.equal((await here.run(['mirror', 'sync', 'marks'])).code, 0);
  });
});
