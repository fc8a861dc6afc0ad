import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ends, home, relctl, type Home, type Run } from '../support/relctl.js';
import { needs } from '../support/skip.js';

const source = fileURLToPath(new URL('programs/library.cs', import.meta.url));

/** The handlers and assemblies that an .asmx page needs, in the place of all those that Mono would look for. */
const settings = `<configuration><system.web>
  <compilation><assemblies><clear/></assemblies></compilation>
  <customErrors mode="Off"/>
  <httpHandlers>
    <remove verb="*" path="*.asmx"/>
    <add verb="*" path="*.asmx" type="System.Web.Services.Protocols.WebServiceHandlerFactory, System.Web.Services, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a"/>
  </httpHandlers>
</system.web></configuration>`;

/** Makes the application of the page in a folder. Gives the program that serves it. */
function build(folder: string): string {
  const program = join(folder, 'bin', 'library.dll');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'Library.asmx'), '<%@ WebService Class="Library" %>');
  writeFileSync(join(folder, 'web.config'), settings);
  const libraries = ['System.Web', 'System.Web.Services', 'System.Xml'].map((name) => `-r:${name}.dll`);
  const args = [`-out:${program}`, '-target:exe', ...libraries, source];
  const { status, stdout, stderr } = spawnSync('mcs', args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return program;
}

/** What the page says of a book, by its number. */
const book = (number: number): Readonly<Record<string, unknown>> => ({
  Title: `Book ${number} & more`,
  Price: number % 2 === 0 ? null : `${number}.50`,
  Published: '1999-12-31',
  Rating: '1.5E+300',
  Binding: number % 2 === 0 ? 'soft' : 'hard',
  ...(number % 2 === 0 ? {} : { Author: ['A', null, 'B'] }),
  Code: [`x${number}`, 'y'],
  Id: `0000000${number}-0000-0000-0000-000000000000`,
  Loan: { Days: 7 },
  Cover: 'AQID',
  Shelf: -3,
  Copies: '18446744073709551615',
});

describe('an .asmx page of ASP.NET, by the WSDL that Mono makes of it', () => {
  let here: Home;
  let server: ChildProcess | undefined;
  const run = (version: string, ...args: readonly string[]): Promise<Run> =>
    relctl(args, { env: { ...here.env, RELCTL_SOAP_VERSION: version } });
  const done = async (version: string, ...args: readonly string[]): Promise<string> => {
    return (await ends(run(version, ...args), 0)).stdout;
  };

  before(async function () {
    here = home();
    needs(this, 'Mono');
    const folder = join(here.folder, 'page');
    mkdirSync(folder);
    const env = { ...here.env, TMPDIR: here.folder };
    server = spawn('mono', [build(folder), `${folder}/`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(createInterface(server.stdout ?? assert.fail()), 'line')) as [string];
    Object.assign(here.env, {
      RELCTL_BASE_URL: `http://127.0.0.1:${port}/Library.asmx`,
      RELCTL_NAMESPACE: 'http://library.example/',
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
    });
  });
  after(async () => {
    if (server !== undefined) {
      server.kill();
      await once(server, 'close');
    }
    here.remove();
  });

  it('is imported from what it says to ?WSDL, and what is not read is told', async () => {
    const rows = await done('1.1', 'operations', 'import', '--reads', '*Get', '-o', 'csv');
    assert.deepEqual(rows.trim().split(/\r?\n/), [
      'Name,Change,What',
      'BooksGet,new,Lists the books of the library. (reads)',
      'BookAdd,new,counts as a write',
      'Split,new,counts as a write',
      'Loan,unread,attribute Unit: read but never sent',
    ]);
  });

  for (const version of ['1.1', '1.2'] as const) {
    it(`takes and answers values of its types, to the letter, in SOAP ${version}`, async () => {
      const page = await done(version, 'call', 'BooksGet', '--param', 'pageNumber=2', '--param', 'pageSize=2');
      // The attribute that is never sent.
      const asRead = (number: number): ReturnType<typeof book> => ({
        ...book(number),
        Loan: { '@Unit': 'd', Days: 7 },
      });
      assert.deepEqual(JSON.parse(page), { BooksGetResult: [asRead(3), asRead(4)] });

      const given = { ...book(5), Title: ' <b> "é" ', Rating: '0.1', Published: '2020-02-29', Shelf: -128 };
      const added = await done(version, 'call', 'BookAdd', '--param', `book=${JSON.stringify(given)}`, '--yes');
      assert.deepEqual(JSON.parse(added), given);

      const split = await done(version, 'call', 'Split', '--param', 'left=5', '--yes');
      assert.deepEqual(JSON.parse(split), { SplitResult: 'yes', left: 6, at: '2020-01-02T03:04:05Z' });
    });

    it(`has its list exported, in SOAP ${version}`, async () => {
      const file = join(here.folder, `books-${version}.csv`);
      const list = ['call', 'BooksGet', '--list', 'BooksGetResult', '--set', 'pageSize=2'];
      await done(version, ...list, '-o', 'csv', '--columns', 'Title,Price,Author,Loan.Days', '--output-file', file);
      const rows = [1, 2, 3, 4, 5, 6, 7].map((number) =>
        number % 2 === 0 ? `Book ${number} & more,,,7` : `Book ${number} & more,${number}.50,"[""A"",null,""B""]",7`,
      );
      assert.deepEqual(readFileSync(file, 'utf8').trim().split(/\r?\n/), ['Title,Price,Author,Loan.Days', ...rows]);
    });

    it(`is told as a fault when it refuses, in SOAP ${version}`, async () => {
      const refused = JSON.stringify({ ...book(5), Title: 'refused' });
      await ends(run(version, 'call', 'BookAdd', '--param', `book=${refused}`, '--yes'), 4, /No such book\./);
    });
  }
});
