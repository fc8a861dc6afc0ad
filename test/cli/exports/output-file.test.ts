import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { answers, brokenServer } from '../../support/broken-server.js';
import { ends, home, relctl } from '../../support/relctl.js';
import { count, namespace } from '../../support/soap-answers.js';

const id = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';

describe('The format of an output file', () => {
  const place = home();
  after(() => place.remove());

  const written = async (name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const file = join(place.folder, name);
    const run = await relctl(
      ['mark', 'list', '-p', 'sandbox', '--columns', 'Name', '--limit', '1', '--quiet', '--output-file', file, ...args],
      { env: { ...place.env, ...env } },
    );
    assert.equal(run.code, 0, run.stderr);
    return readFileSync(file, 'utf8');
  };

  it('is that of -o before anything else, and the name comes before the environment', async () => {
    assert.equal(await written('b.csv', ['-o', 'ndjson']), '{"Name":"Nieuwsbrief"}\n');
    assert.equal(await written('c.csv', [], { RELCTL_OUTPUT: 'yaml' }), 'Name\nNieuwsbrief\n');
    assert.equal(await written('c', [], { RELCTL_OUTPUT: 'ndjson' }), '{"Name":"Nieuwsbrief"}\n');
  });

  it('is a table when nothing says otherwise', async () => {
    assert.equal(await written('d.txt'), 'Name\nNieuwsbrief\n');
  });

  it('is not guessed from an ending that is none: exit code 2, before anything is called, unless -o says it', async () => {
    for (const name of ['x.xml', 'x.csv.zip', 'x.gz', 'x.2026']) {
      for (const command of [
        ['mark', 'list'],
        ['notification', 'count'],
        ['call', 'MarkGetAll'],
      ]) {
        const file = join(place.folder, name);
        const run = await relctl([...command, '--output-file', file], {
          env: {
            ...place.env,
            RELCTL_NAMESPACE: 'urn:x',
            RELCTL_BASE_URL: 'http://127.0.0.1:9',
            RELCTL_API_KEY: id,
            RELCTL_USER_ID: id,
            RELCTL_OUTPUT: 'csv',
          },
        });
        assert.equal(run.code, 2, `${command.join(' ')} ${name}: ${run.stderr}`);
        assert.match(run.stderr, /its ending is unknown; known are \.csv, .*\n.*Try: .*-o csv/s);
        assert.ok(!existsSync(file));
      }
    }
    assert.equal(await written('x.xml', ['-o', 'csv']), 'Name\nNieuwsbrief\n');
    assert.match(await written('x.yml'), /^- Name: Nieuwsbrief/);
    assert.match(await written('x.jsonl'), /^{"Name"/);
  });

  it('is compressed when the name ends in .gz, also of a list without pages, and of an answer to --query', async () => {
    for (const [name, args, text] of [
      ['z.csv.gz', [], 'Name\nNieuwsbrief\n'],
      ['z.CSV.GZ', [], 'Name\nNieuwsbrief\n'],
      ['z2.csv.gz', ['--no-header', '--where', "Name = ''"], ''],
    ] as const) {
      await written(name, args);
      assert.equal(gunzipSync(readFileSync(join(place.folder, name))).toString(), text, name);
    }
    const file = join(place.folder, 'paged.JSON.GZ');
    for (const asked of [[], ['--query', '[].Id']]) {
      const args = ['relation', 'list', '-p', 'sandbox', '--limit', '2', '--quiet', '--output-file', file, ...asked];
      await ends(relctl(args, { env: place.env }), 0);
      const records = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly unknown[];
      assert.equal(records.length, 2);
    }
  });

  it('is not given to a file that somebody else put in its place during the call', async () => {
    const file = join(place.folder, 'raced.csv');
    const server = await brokenServer({
      answer: (socket, request) => {
        writeFileSync(file, 'theirs');
        return answers(count)(socket, request);
      },
    });
    const env = {
      ...place.env,
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: id,
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      RELCTL_USER_ID: '00000000-0000-4000-8000-000000000003',
    };
    const run = await relctl(['notification', 'count', '--output-file', file], { env });
    const forced = await relctl(['notification', 'count', '--output-file', file, '--force'], { env });
    await server.close();
    assert.equal(run.code, 10, run.stderr);
    assert.match(
      run.stderr,
      /raced\.csv was changed by another program during this run\n {2}Try: relctl notification count .* --force/,
    );
    assert.deepEqual([forced.code, readFileSync(file, 'utf8')], [0, 'NumberOfNotifications\n7\n']);
  });
});

describe('Flags of CSV', () => {
  const place = home();
  after(() => place.remove());

  const flags = [
    ['--decimal', 'comma'],
    ['--null-as', '-'],
  ];

  it('are refused in a format that has no use for them, before anything is called', async () => {
    const list = ['mark', 'list'];
    const env = { ...place.env, RELCTL_NAMESPACE: 'urn:x', RELCTL_BASE_URL: 'http://127.0.0.1:9', RELCTL_API_KEY: id };
    for (const [format, given] of [
      ...flags.map((given) => ['json', given] as const),
      ...['table', 'card', 'ndjson', 'yaml', 'xlsx'].map((name) => [name, ['--null-as', '-']] as const),
      ['tsv', ['--delimiter', ';']] as const,
    ]) {
      const run = await relctl([...list, '-o', format, ...given], { env });
      assert.equal(run.code, 2, `${format} ${given.join(' ')}: ${run.stderr}`);
      assert.match(run.stderr, new RegExp(`${given[0]} is for (csv|csv and tsv), not for ${format}`));
    }
  });

  it('and --no-header are refused where there is no header', async () => {
    const env = { ...place.env, RELCTL_NAMESPACE: 'urn:x', RELCTL_BASE_URL: 'http://127.0.0.1:9', RELCTL_API_KEY: id };
    for (const format of ['json', 'ndjson', 'yaml', 'card', 'parquet']) {
      const run = await ends(relctl(['mark', 'list', '-o', format, '--no-header'], { env }), 2);
      assert.ok(run.stderr.includes(`--no-header is for table, csv, tsv and xlsx, not for ${format}`), run.stderr);
      assert.match(run.stderr, /Try: relctl mark list --no-header -o csv|"relctl mark list --no-header -o csv"/);
    }
    const list = ['mark', 'list', '-p', 'sandbox', '--limit', '1', '--columns', 'Name', '--quiet', '--no-header'];
    for (const format of ['table', 'csv', 'tsv']) {
      const run = await relctl([...list, '-o', format], { env: place.env });
      assert.deepEqual([run.code, run.stdout], [0, 'Nieuwsbrief\n'], format);
    }
  });

  it('are refused before a write or a download, with a column that is not there', async () => {
    const trace = join(place.folder, 'trace');
    const create = ['call', 'DatastoreCreateItem_V3', '--param', `entityTypeId=${id}`, '--yes'];
    const get = ['attachment', 'get', id];
    for (const args of [
      [...create, '--no-header'],
      [...create, '-o', 'csv', '--columns', 'Nobody'],
      [...get, '--no-header'],
      [...get, '--output-dir', place.folder, '-o', 'json', '--no-header'],
      [...get, '--output-dir', place.folder, '-o', 'csv', '--columns', 'Nobody'],
    ]) {
      const run = await relctl([...args, '-p', 'sandbox', `--trace=${trace}`], { env: place.env });
      assert.deepEqual([run.code, existsSync(trace)], [2, false], `${args.join(' ')}: ${run.stderr}`);
      assert.match(run.stderr, /--no-header is for|Nobody/);
    }
  });

  it('are taken by CSV, and all but --delimiter by TSV', async () => {
    const list = ['mark', 'list', '-p', 'sandbox', '--limit', '1', '--columns', 'Name', '--quiet'];
    const csv = await relctl([...list, '-o', 'csv', '--delimiter', ';', ...flags.flat()], { env: place.env });
    const tsv = await relctl([...list, '-o', 'tsv', ...flags.flat()], { env: place.env });
    assert.deepEqual([csv.stdout, tsv.stdout], ['Name\nNieuwsbrief\n', 'Name\nNieuwsbrief\n']);
  });
});

describe('A format of bytes', () => {
  const place = home();
  after(() => place.remove());

  it('is refused on a terminal, before anything is called', async () => {
    const env = { ...place.env, RELCTL_FORCE_TTY: '80' };
    for (const [format, what] of [
      ['xlsx', 'a workbook'],
      ['parquet', 'a Parquet file'],
    ] as const) {
      const run = await relctl(['mark', 'list', '-o', format, '-p', 'sandbox'], { env });
      assert.deepEqual([run.code, run.stdout], [2, '']);
      assert.ok(
        run.stderr.startsWith(`Error: ${what} cannot be printed in a terminal\n  Try: relctl mark list `),
        run.stderr,
      );
      assert.ok(run.stderr.endsWith(` --output-file list.${format}\n`), run.stderr);
    }
  });
});

describe('An output file that is a symbolic link', () => {
  const place = home();
  after(() => place.remove());

  const commands = [
    { what: 'a list without pages', args: ['mark', 'list', '--limit', '1', '-o', 'csv'], begins: 'Id,' },
    { what: 'a list in pages', args: ['relation', 'list', '--limit', '1', '-o', 'csv'], begins: 'Id,' },
    { what: 'a record', args: ['notification', 'count', '-o', 'ndjson'], begins: '{' },
    { what: 'a workbook', args: ['mark', 'list', '-o', 'xlsx'], begins: 'PK' },
    {
      what: 'the content of an attachment',
      args: ['attachment', 'get', '00000000-0021-4000-8000-000000000001'],
      begins: '',
    },
  ];
  for (const [at, { what, args, begins }] of commands.entries()) {
    it(`stays, and its target is replaced: ${what}`, async () => {
      const [target, link] = [join(place.folder, `target-${at}`), join(place.folder, `link-${at}`)];
      writeFileSync(target, 'somebody else wrote this');
      symlinkSync(target, link);
      const run = (more: readonly string[]): ReturnType<typeof relctl> =>
        relctl([...args, '-p', 'sandbox', '--quiet', '--output-file', link, ...more], { env: place.env });
      const refused = await run([]);
      assert.deepEqual([refused.code, readFileSync(target, 'utf8')], [10, 'somebody else wrote this']);
      for (const more of [['--force'], []]) {
        await ends(run(more), 0);
        assert.ok(lstatSync(link).isSymbolicLink());
        assert.ok(!lstatSync(target).isSymbolicLink());
        const content = readFileSync(target, 'latin1');
        assert.ok(content.startsWith(begins) && content !== 'somebody else wrote this');
      }
    });
  }

  it('that leads nowhere is refused: exit code 10', async () => {
    const link = join(place.folder, 'nowhere');
    symlinkSync(join(place.folder, 'not-there'), link);
    const run = await relctl(['mark', 'list', '-p', 'sandbox', '-o', 'csv', '--output-file', link], { env: place.env });
    assert.deepEqual([run.code, run.stdout], [10, '']);
    assert.match(run.stderr, /nowhere cannot be written/);
  });
});
