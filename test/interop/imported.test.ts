import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { php } from '../support/interop/stacks.js';
import { ends, home, relctl, type Home, type Run } from '../support/relctl.js';
import { needs } from '../support/skip.js';

const path = (file: string): string => fileURLToPath(new URL(`programs/${file}`, import.meta.url));

/** The port that php -S says when it listens. */
async function portOf(server: ChildProcess): Promise<string> {
  for await (const line of createInterface(server.stderr ?? assert.fail())) {
    const port = /127\.0\.0\.1:(\d+)\) started/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  return assert.fail('php did not listen');
}

interface Logged {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

describe("a service of PHP's SoapServer, by its imported WSDL", () => {
  let here: Home;
  let server: ChildProcess | undefined;
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env: here.env });
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0)).stdout;
  };
  const calls = (): readonly Logged[] =>
    readFileSync(join(here.folder, 'log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Logged);
  const lastCall = (): Logged | undefined => calls().at(-1);

  const refused = (): string => join(here.folder, 'refused');

  before(async function () {
    here = home();
    needs(this, php);
    const wsdl = join(here.folder, 'library.wsdl');
    copyFileSync(path('library.wsdl'), wsdl);
    writeFileSync(join(here.folder, 'log'), '');
    server = spawn('php', ['-S', '127.0.0.1:0', path('library-server.php')], {
      env: { ...here.env, RELCTL_WSDL: wsdl, RELCTL_LOG: join(here.folder, 'log'), RELCTL_REFUSED: refused() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const port = await portOf(server);
    Object.assign(here.env, {
      RELCTL_BASE_URL: `http://127.0.0.1:${port}/library.asmx`,
      RELCTL_NAMESPACE: 'http://library.example/',
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_SOAP_VERSION: '1.1',
    });
  });
  after(async () => {
    if (server !== undefined) {
      server.kill();
      await once(server, 'close');
    }
    here.remove();
  });

  it('is imported from what it says to ?WSDL', async () => {
    const rows = await done('operations', 'import', '--reads', '*Get', '-o', 'csv');
    assert.deepEqual(rows.trim().split(/\r?\n/), [
      'Name,Change,What',
      'BooksGet,new,Lists the books of the library. (reads)',
      'BookAdd,new,counts as a write',
    ]);
  });

  it('takes typed parameters and answers typed members', async () => {
    const params = ['pageNumber=1', 'pageSize=2', 'since=2020-02-29', 'author=["A","B"]'];
    const page = await done('call', 'BooksGet', ...params.flatMap((text) => ['--param', text]));
    assert.deepEqual(JSON.parse(page), {
      Count: '7',
      Book: [
        {
          Title: 'Book 3 & more',
          Price: '3.50',
          Published: '1999-12-31',
          Rating: '1500',
          Binding: 'hard',
          Author: ['A', 'B'],
        },
        {
          Title: 'Book 4 & more',
          Price: '4.50',
          Published: '1999-12-31',
          Rating: '1500',
          Binding: 'soft',
          Author: [],
        },
      ],
    });
    assert.deepEqual(lastCall(), {
      operation: 'BooksGet',
      parameters: { pageNumber: 1, pageSize: 2, since: '2020-02-29', author: ['A', 'B'] },
    });
  });

  it('takes a record, and answers a number of more digits than a float has', async () => {
    const book = JSON.stringify({ Title: 'a <b> & "c"', Price: '00.10', Binding: 'soft' });
    const answer = await done('call', 'BookAdd', '--param', `book=${book}`, '--yes');
    assert.deepEqual(JSON.parse(answer), { Number: '9007199254740993' });
    assert.deepEqual(lastCall(), {
      operation: 'BookAdd',
      parameters: { book: { Title: 'a <b> & "c"', Price: '00.10', Binding: 'soft' } },
    });
  });

  it('writes the rows of a file, which are checked by its types before the first is sent', async () => {
    const file = join(here.folder, 'books.csv');
    const writes = (): Promise<Run> => run('call', 'BookAdd', '--file', file, '--yes');
    const before = calls().length;
    writeFileSync(file, 'book.Title,book.Price,book.Binding\nOne,00.10,soft\nTwo,ten,leather\n');
    await ends(writes(), 2, /books\.csv:3:book\.Price: .*books\.csv:3:book\.Binding: /s);
    assert.equal(calls().length, before);
    writeFileSync(file, 'book.Title,book.Price,book.Binding\nOne,00.10,soft\n"Two ""3""",12345678901234567.89,hard\n');
    await ends(writes(), 0);
    assert.deepEqual(
      calls()
        .slice(before)
        .map(({ parameters }) => parameters),
      [
        { book: { Title: 'One', Price: '00.10', Binding: 'soft' } },
        { book: { Title: 'Two "3"', Price: '12345678901234567.89', Binding: 'hard' } },
      ],
    );
  });

  it('has its list exported; an export that a fault ended is resumed to the same file, byte for byte', async () => {
    const env = { ...here.env, RELCTL_FIRST_PAGE: '0' };
    const line = ['call', 'BooksGet', '--list', 'Book', '--set', 'pageSize=2', '--set', 'retries=0', '-o', 'csv'];
    const exported = (name: string, ...more: readonly string[]): Promise<Run> =>
      relctl([...line, '--output-file', join(here.folder, name), ...more], { env });
    await ends(exported('whole.csv'), 0);
    const text = readFileSync(join(here.folder, 'whole.csv'), 'utf8');
    const authors = (number: number): string => (number % 2 === 0 ? '[]' : '"[""A"",""B""]"');
    const rows = [1, 2, 3, 4, 5, 6, 7].map(
      (number) =>
        `Book ${number} & more,${number}.50,1999-12-31,1500,${number % 2 === 0 ? 'soft' : 'hard'},${authors(number)}`,
    );
    assert.deepEqual(text.trim().split(/\r?\n/), ['Title,Price,Published,Rating,Binding,Author', ...rows]);

    writeFileSync(refused(), '2');
    const stopped = await exported('part.csv');
    assert.notEqual(stopped.code, 0);
    assert.match(stopped.stderr, /The catalogue is closed\./);
    assert.match(stopped.stderr, /stopped short at page 2 after 4 rows/);
    assert.equal(existsSync(join(here.folder, 'part.csv')), false);
    rmSync(refused());

    const before = calls().length;
    await ends(exported('part.csv', '--resume'), 0);
    // The last page that was written is read once more, to see that it is the same; none before it is.
    const pages = calls().slice(before);
    assert.equal(Math.min(...pages.map(({ parameters }) => Number(parameters['pageNumber']))), 1);
    assert.equal(readFileSync(join(here.folder, 'part.csv'), 'utf8'), text);
  });

  it('is told as a fault when it refuses', async () => {
    const { code, stderr } = await run('call', 'BookAdd', '--param', 'book={"Title":"refused"}', '--yes');
    assert.notEqual(code, 0);
    assert.match(stderr, /No such book\./);
  });
});
