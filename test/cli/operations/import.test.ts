import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { answers, brokenServer } from '../../support/broken-server.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const path = (file: string): string => fileURLToPath(new URL(`../../interop/programs/${file}`, import.meta.url));

interface Logged {
  readonly operation: string;
  readonly parameters: unknown;
}

describe('operations import', () => {
  let here: Home;
  let server: ChildProcess;
  const wsdl = (): string => join(here.folder, 'library.wsdl');
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env: here.env });
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0)).stdout;
  };
  const called = (): readonly Logged[] =>
    readFileSync(join(here.folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Logged);

  before(async () => {
    here = home();
    copyFileSync(path('library.wsdl'), wsdl());
    writeFileSync(join(here.folder, 'log'), '');
    server = spawn(process.execPath, [path('library-server.mjs')], {
      env: { ...here.env, RELCTL_WSDL: wsdl(), RELCTL_LOG: join(here.folder, 'log') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(createInterface(server.stdout ?? assert.fail()), 'line')) as [string];
    Object.assign(here.env, {
      RELCTL_BASE_URL: `http://127.0.0.1:${port}/library.asmx`,
      RELCTL_NAMESPACE: 'http://library.example/',
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_SOAP_VERSION: '1.1',
    });
  });
  after(async () => {
    server.kill();
    await once(server, 'close');
    here.remove();
  });

  it('asks the service of the profile for its WSDL, and tells what is new', async () => {
    const rows = await done('operations', 'import', '-o', 'csv');
    assert.deepEqual(rows.trim().split(/\r?\n/), [
      'Name,Change,What',
      'BooksGet,new,Lists the books of the library. (counts as a write)',
      'BookAdd,new,counts as a write',
    ]);
    const file = join(here.folder, 'config', 'relctl', 'wsdl', 'environment.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('lets operations list and describe them', async () => {
    const list = await done('operations', '-o', 'csv', '--columns', 'Name,Access,Source');
    assert.ok(list.includes('BooksGet,add,imported'), list);
    assert.ok(list.includes('RelationGetAll,read,document'), list);
    const text = await done('operations', 'booksget');
    assert.match(text, /Published {2}string \(date\) {4}Opt/);
    assert.match(text, /Title .* What it is called\./);
  });

  it('lets call check, send and read them', async () => {
    const page = await done('call', 'BooksGet', '--read', '--param', 'pagenumber=0', '--param', 'pageSize=3');
    assert.deepEqual(JSON.parse(page), {
      Count: '3',
      Book: [
        {
          Title: 'First & foremost',
          Price: '12.50',
          Published: '1999-12-31',
          Rating: '1.5E3',
          Binding: 'hard',
          Author: ['A', 'B'],
        },
        { Title: 'Second', Price: '0.10', Binding: 'soft', Author: [] },
        { Title: 'Third', Published: '2020-02-29Z', Author: ['C'] },
      ],
    });
    assert.deepEqual(called().at(-1), { operation: 'BooksGet', parameters: { pageNumber: 0, pageSize: 3 } });
  });

  it('makes no credentials a part of what takes none', async () => {
    const envelope = await done(...argv`call BooksGet --read --envelope --param pageNumber=0 --param pageSize=1`);
    assert.doesNotMatch(envelope, /credentials|ApiKey/);
  });

  it('counts them as writes until something else is said', async () => {
    const call = ['call', 'BooksGet', '--param', 'pageNumber=0', '--param', 'pageSize=1'];
    const written = async (): Promise<number> =>
      (JSON.parse(await done('writes', 'list', '-o', 'json')) as readonly unknown[]).length;
    await done(...call);
    assert.equal(await written(), 1);
    await done('operations', 'import', '--reads', '*Get');
    await done(...call);
    assert.equal(await written(), 1);
    assert.ok((await done('operations', '-o', 'csv', '--columns', 'Name,Access')).includes('BooksGet,read'));
  });

  for (const [what, args, message] of [
    ['a parameter of another type', ['--param', 'pageNumber=x'], /--param pageNumber takes a whole number/],
    ['an unknown parameter', ['--param', 'pageNumer=1'], /BooksGet has no parameter 'pageNumer'.*pageNumber/s],
    ['a parameter that is missing', ['--param', 'pageNumber=1'], /pageSize is missing/],
  ] as const) {
    it(`refuses ${what} before anything is sent`, async () => {
      const before = called().length;
      await ends(run('call', 'BooksGet', '--read', ...args), 2, message);
      assert.equal(called().length, before);
    });
  }

  it('lets call read a list whose elements stand in no element of their own, to a file', async () => {
    const env = { ...here.env, RELCTL_FIRST_PAGE: '0' };
    const line = ['call', 'BooksGet', '--list', 'Book', '--set', 'pageSize=2', '-o', 'csv', '--columns', 'Title,Price'];
    const file = join(here.folder, 'books-read.csv');
    await ends(relctl([...line, '--output-file', file], { env }), 0);
    const rows = ['Title,Price', 'First & foremost,12.50', 'Second,0.10', 'Third,'];
    assert.deepEqual(readFileSync(file, 'utf8').trim().split(/\r?\n/), rows);
    const asked = called().filter(({ parameters }) => (parameters as { pageSize?: number }).pageSize === 2);
    assert.deepEqual(
      asked.map(({ parameters }) => (parameters as { pageNumber: number }).pageNumber).slice(0, 3),
      [0, 1, 2],
    );
  });

  it('calls one for each row of a file', async () => {
    const rows = join(here.folder, 'books.csv');
    writeFileSync(rows, 'book.Title,book.Price\nAs it was,00.10\n=1+1,2\n');
    await done('call', 'BookAdd', '--file', rows, '--yes');
    assert.deepEqual(
      called()
        .filter(({ operation }) => operation === 'BookAdd')
        .map(({ parameters }) => (parameters as { book: { Title: string } }).book.Title),
      ['As it was', '=1+1'],
    );
  });

  it('tells what changed the next time: types, what came and what went', async () => {
    assert.match(await done('operations', 'import', '-o', 'csv'), /^Name,Change,What\r?\n$/);
    const text = readFileSync(wsdl(), 'utf8');
    writeFileSync(
      join(here.folder, 'next.wsdl'),
      text.replace('name="Price" type="xs:decimal"', 'name="Price" type="xs:double"').replaceAll('BookAdd', 'BookPut'),
    );
    const file = join(here.folder, 'jobs.yaml');
    const other = join(here.folder, 'other.yaml');
    writeFileSync(
      file,
      [
        'version: 1',
        'defaults: { output: csv }',
        'jobs:',
        '  all-books: { command: call, args: BooksGet, flags: { list: Book }, output-file: books.csv }',
        '  people: { command: relation list, output-file: people.csv }',
        '  gone: { command: call, args: [BookAdd], flags: { list: Book, read: true }, output-file: gone.csv }',
        '  elsewhere: { command: call, args: BooksGet, flags: { list: Book }, profile: sandbox, output-file: e.csv }',
      ].join('\n'),
    );
    writeFileSync(other, 'version: 1\njobs: { people: { command: relation list, output-file: people.csv } }\n');
    const columns = ['-o', 'csv', '--columns', 'Name,Change', '--jobs', file, '--jobs', other];
    const { stdout, stderr } = await run('operations', 'import', join(here.folder, 'next.wsdl'), ...columns);
    assert.deepEqual(stdout.trim().split(/\r?\n/), ['Name,Change', 'BooksGet,changed', 'BookPut,new', 'BookAdd,gone']);
    const [, address, ...told] = stderr.trimEnd().split('\n');
    assert.match(
      address ?? '',
      /the WSDL says that its service is at http:.*; calls go to http:.*, that of the profile$/,
    );
    assert.deepEqual(told, [`Note: jobs of ${file} with changed operations: all-books, gone`]);
  });

  it('imports nothing when a job file has a mistake, or is not there', async () => {
    const kept = join(here.folder, 'config', 'relctl', 'wsdl', 'environment.json');
    const before = readFileSync(kept, 'utf8');
    const wrong = join(here.folder, 'wrong.yaml');
    writeFileSync(wrong, 'version: 1\njobs:\n  a: { command: relation lst, output-file: a.csv }\n');
    assert.deepEqual(await run('operations', 'import', '--jobs', wrong), {
      code: 2,
      signal: null,
      stdout: '',
      stderr: [
        `${wrong}:3:17: unknown command 'relation lst'; did you mean relation list?`,
        `Error: ${wrong} has 1 mistake; nothing was imported`,
        '  code job-file',
        '  Correct the file; each mistake has its line and column.',
        `  Try: \${EDITOR:-vi} ${wrong}`,
        '',
      ].join('\n'),
    });
    const none = await run('operations', 'import', '--jobs', `${wrong}.none`);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /wrong\.yaml\.none cannot be read: there is no such file\n {2}Try: /);
    assert.equal(readFileSync(kept, 'utf8'), before);
  });

  it('knows no operation of it when the profile is of another service', async () => {
    const env = { ...here.env, RELCTL_BASE_URL: 'http://127.0.0.1:9/other.asmx' };
    const { code, stderr } = await relctl(['call', 'BooksGet', '--param', 'pageNumber=0'], { env });
    assert.equal(code, 2);
    assert.match(stderr, /the imported operations are of another service/);
    assert.match(stderr, /Try: relctl operations import/);
  });

  it('begins anew when the profile is of another service: all is new, and no name is said to read', async () => {
    const kept = join(here.folder, 'config', 'relctl', 'wsdl', 'environment.json');
    const before = readFileSync(kept, 'utf8');
    await done('operations', 'import', '--reads', '*');
    const env = { ...here.env, RELCTL_BASE_URL: 'http://127.0.0.1:9/other.asmx' };
    const { stdout } = await ends(relctl(['operations', 'import', wsdl(), '-n', '-o', 'csv'], { env }), 0);
    const rows = stdout.trim().split(/\r?\n/);
    assert.equal(rows.length, 3);
    for (const row of rows.slice(1)) assert.match(row, /,new,.*counts as a write/);
    writeFileSync(kept, before);
  });

  it('tells which operations only read before, and count as writes by other patterns', async () => {
    const kept = join(here.folder, 'config', 'relctl', 'wsdl', 'environment.json');
    const before = readFileSync(kept, 'utf8');
    await done('operations', 'import', wsdl(), '--reads', 'Books*');
    const tried = await run('operations', 'import', wsdl(), '--reads', 'Other*', '-n');
    assert.match(tried.stderr, /operations that were reads before, and would count as writes now: BooksGet$/m);
    const { stdout, stderr } = await run('operations', 'import', wsdl(), '--reads', 'Other*');
    assert.equal(stdout, '');
    assert.match(stderr, /^Nothing changed\.$/m);
    assert.match(stderr, /operations that were reads before, and count as writes now: BooksGet$/m);
    assert.doesNotMatch((await run('operations', 'import', wsdl())).stderr, /only read before/);
    // What says that it reads keeps what was said before, and where the WSDL came from.
    const { stderr: refused } = await ends(run('call', 'BooksGet', '--list', 'Book'), 2);
    assert.ok(refused.includes(`relctl operations import ${wsdl()} --reads 'Other*' --reads BooksGet.`), refused);
    writeFileSync(kept, before);
  });

  it('keeps nothing with --dry-run', async () => {
    const before = await done('operations', '-o', 'csv');
    assert.match(await done('operations', 'import', '--dry-run', '-o', 'csv'), /^BookAdd,new,/m);
    assert.equal(await done('operations', '-o', 'csv'), before);
  });

  it('is taken back by --forget', async () => {
    await done('operations', 'import', '--forget');
    assert.doesNotMatch(await done('operations'), /BooksGet/);
  });

  for (const [what, content, message] of [
    ['a document type', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d>&x;</d>', /document type/],
    ['a page of HTML', '<html><body/></html>', /is an HTML page, and no WSDL/],
    ['what is no WSDL', '<note/>', /is neither a WSDL nor a schema/],
    [
      'a document from elsewhere',
      '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/"><w:import location="https://other.invalid/x.wsdl"/></w:definitions>',
      /--allow/,
    ],
    [
      'a file from elsewhere',
      '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/"><w:import location="../../etc/x.wsdl"/></w:definitions>',
      /--allow/,
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const file = join(here.folder, 'hostile.wsdl');
      writeFileSync(file, content);
      const { code, stderr } = await run('operations', 'import', file);
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    });
  }

  it('refuses a document of more than 24 MiB, from an address as from a file', async () => {
    const large = Buffer.alloc(24 * 1024 * 1024 + 1, ' ');
    const file = join(here.folder, 'large.wsdl');
    writeFileSync(file, large);
    const ofFile = await run('operations', 'import', file);
    const served = await brokenServer({ answer: answers({ headers: { 'Content-Type': 'text/xml' }, body: large }) });
    const ofAddress = await run('operations', 'import', `${served.url}/large.wsdl`);
    await served.close();
    const words = /large\.wsdl has more than 25165824 bytes/;
    assert.deepEqual([ofFile.code, words.test(ofFile.stderr)], [2, true], ofFile.stderr);
    assert.deepEqual([ofAddress.code, words.test(ofAddress.stderr)], [7, true], ofAddress.stderr);
  });
});
