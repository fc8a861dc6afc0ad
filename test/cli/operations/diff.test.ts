import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenServer, httpAnswer, type BrokenServer } from '../../support/broken-server.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { resultService, type ResultService } from '../../support/called.js';
import { namespace } from '../../support/soap-answers.js';
import { deployedWsdl, element } from '../../support/wsdl.js';

const importKey = '<s:element minOccurs="0" maxOccurs="1" name="ImportKey" type="s:string" />';

describe('operations diff', () => {
  let service: ResultService;
  before(async () => {
    service = await resultService(({ operation }) => (operation === 'RelationGetAll' ? '<Relations/>' : ''));
  });
  after(() => service.close());

  const imported = async (text: string): Promise<void> => {
    const file = join(service.place.folder, 'service.wsdl');
    writeFileSync(file, text);
    await ends(service.run(['operations', 'import', file]), 0);
  };

  it('prints each difference of the kept WSDL, with what it means and the commands', async () => {
    await imported(deployedWsdl([importKey, element('Score', 's:decimal')]));
    const { stdout } = await ends(service.run(['operations', 'diff', '-o', 'json']), 0);
    const rows = JSON.parse(stdout) as readonly { readonly Commands?: readonly string[] }[];
    assert.deepEqual(
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'Commands'))),
      [
        {
          Kind: 'member',
          Difference: 'less',
          Where: 'PvRelationData',
          Name: 'ImportKey',
          Contract: 'string',
          Meaning: 'commands print nothing there',
        },
        {
          Kind: 'member',
          Difference: 'more',
          Where: 'PvRelationData',
          Name: 'Score',
          Service: 'decimal',
          Meaning: 'printed',
        },
      ],
    );
    assert.ok(rows[0]?.Commands?.includes('relation list'), JSON.stringify(rows[0]));
  });

  it('says what a presence of the WSDL means for what is read and sent, whichever the contract has', async () => {
    const name = (attributes: string): string => `<s:element ${attributes} name="Name" type="s:string" />`;
    const own = name('minOccurs="0" maxOccurs="1"');
    const text = deployedWsdl();
    assert.ok(text.includes(own));
    const meanings = async (wsdl: string): Promise<readonly string[]> => {
      await imported(wsdl);
      const { stdout } = await service.run(['operations', 'diff', '-o', 'json']);
      const rows = JSON.parse(stdout) as readonly Readonly<Record<string, string>>[];
      return [
        ...new Set(
          rows.flatMap(({ Difference, Contract = '', Service = '', Where, Meaning = '' }) =>
            Difference === 'presence' && Where === 'PvProductData_V2' ? [`${Contract} ${Service}: ${Meaning}`] : [],
          ),
        ),
      ].sort();
    };
    // The record is sent by product update, and read by product list.
    assert.deepEqual(await meanings(text.replaceAll(own, name('minOccurs="1" maxOccurs="1" nillable="true"'))), [
      'Opt Nil: commands may omit it, and the service expects nil; it is always present, and may be nil',
    ]);
    assert.deepEqual(await meanings(text.replaceAll(own, name('minOccurs="1" maxOccurs="1"'))), [
      'Opt Req: the service may refuse calls without it',
    ]);
    const isInactive = '<s:element minOccurs="1" maxOccurs="1" name="IsInactive" type="s:boolean" />';
    assert.ok(text.includes(isInactive));
    assert.deepEqual(
      await meanings(text.replaceAll(isInactive, isInactive.replace('minOccurs="1"', 'minOccurs="0"'))),
      ['Req Opt: it may be missing'],
    );
    assert.deepEqual(
      await meanings(text.replaceAll(isInactive, isInactive.replace('name=', 'nillable="true" name='))),
      ['Req Nil: it is always present, and may be nil'],
    );
    await imported(deployedWsdl([importKey, element('Score', 's:decimal')]));
  });

  it('names the jobs of commands whose operation changed since the import', async () => {
    const jobs = join(service.place.folder, 'jobs.yaml');
    writeFileSync(
      jobs,
      [
        'version: 1',
        'jobs:',
        '  people: { command: relation list, output-file: people.csv }',
        '  marks: { command: mark list, output-file: marks.csv }',
      ].join('\n'),
    );
    const file = join(service.place.folder, 'more.wsdl');
    writeFileSync(file, deployedWsdl([importKey, element('Score', 's:decimal') + element('Rank', 's:int')]));
    const { stderr } = await service.run(['operations', 'import', file, '--jobs', jobs, '--dry-run']);
    assert.match(stderr, /\nNote: jobs of .*jobs\.yaml with changed operations: people\n$/);
  });

  it('is told in one line of profile test, with what it means', async () => {
    const { stdout } = await service.run(['profile', 'test', '-o', 'json']);
    const checks = JSON.parse(stdout) as readonly Readonly<Record<string, string>>[];
    assert.deepEqual(
      checks.find(({ Check }) => Check === 'wsdl'),
      {
        Check: 'wsdl',
        State: 'warning',
        Detail: 'the imported WSDL differs from the contract in 2 places',
        Try: 'relctl operations diff --profile there',
      },
    );
  });

  it('prints CSV and a table', async () => {
    const csv = await service.run(['operations', 'diff', '-o', 'csv', '--columns', 'Kind,Difference,Where,Name']);
    assert.deepEqual(csv.stdout.trimEnd().split(/\r?\n/), [
      'Kind,Difference,Where,Name',
      'member,less,PvRelationData,ImportKey',
      'member,more,PvRelationData,Score',
    ]);
    assert.match((await service.run(['operations', 'diff'])).stdout, /PvRelationData +ImportKey/);
  });

  it('ends with 12 with --exit-code, after its output', async () => {
    const { code, stdout, stderr } = await service.run(['operations', 'diff', '--exit-code', '-o', 'csv']);
    assert.equal(code, 12);
    assert.match(stdout, /ImportKey/);
    assert.match(stderr, /differs from the contract in 2 places/);
  });

  it('ends with 0 where nothing differs', async () => {
    await imported(deployedWsdl());
    const { stdout } = await ends(service.run(['operations', 'diff', '--exit-code', '-o', 'csv']), 0);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    const tested = await service.run(['profile', 'test', '-o', 'csv', '--columns', 'Check,State,Detail']);
    assert.match(tested.stdout, /^wsdl,ok,the imported WSDL matches the contract\r?$/m);
  });

  it('tells operations of the contract as it has them when their types change', async () => {
    const file = join(service.place.folder, 'changed.wsdl');
    writeFileSync(
      file,
      deployedWsdl([importKey, ''], ['name="SalesPrice" type="s:decimal"', 'name="SalesPrice" type="s:double"']),
    );
    const columns = ['-o', 'csv', '--columns', 'Name,What', '--dry-run'];
    const { stdout } = await service.run(['operations', 'import', file, ...columns]);
    assert.match(stdout, /^RelationGetAll,Lists all relations. \(reads\)\r?$/m);
    assert.match(stdout, /^ProductUpdate_V2,Writes all fields of a product. \(writes\)\r?$/m);
    assert.doesNotMatch(stdout, /counts as a write/);
  });

  it('asks the service with --live, and when nothing was imported', async () => {
    const asked = (): readonly string[] => service.server.requests.map(({ method, target }) => `${method} ${target}`);
    await service.run(['operations', 'diff', '--live']);
    assert.deepEqual(asked().slice(-1), ['GET /V1/service.asmx?WSDL']);
    const before = asked().length;
    await service.run(['operations', 'diff']);
    assert.equal(asked().length, before);
    await service.run(['operations', 'import', '--forget']);
    const { code } = await service.run(['operations', 'diff']);
    assert.notEqual(code, 0);
    assert.equal(asked().length, before + 1);
  });
});

describe('operations diff of the WSDL that a service gives', () => {
  let server: BrokenServer;
  let here: Home;
  before(async () => {
    here = home();
    server = await brokenServer({
      answer(socket, { target }) {
        const isWsdl = target.endsWith('?WSDL');
        const elsewhere = `<s:import namespace="urn:else" schemaLocation="http://localhost:${server.port}/else.xsd"/>`;
        const changes = [['<s:element name="RelationGet">', `${elsewhere}<s:element name="RelationGet">`]] as const;
        const schema = '<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:else"/>';
        const score = [importKey, `${importKey}${element('Score', 's:decimal')}`] as const;
        const value = ['value="Service"', 'value="Service"/><s:enumeration value="Bundle"'] as const;
        socket.write(httpAnswer({ body: isWsdl ? deployedWsdl(score, value, ...changes) : schema }));
      },
    });
    Object.assign(here.env, {
      RELCTL_BASE_URL: server.url,
      RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
      RELCTL_NAMESPACE: namespace,
    });
  });
  after(async () => {
    await server.close();
    here.remove();
  });

  const run = (...args: readonly string[]): Promise<Run> => relctl(['operations', ...args], { env: here.env });
  const meanings = ['-o', 'csv', '--columns', 'Name,Meaning'];

  it('reads documents of another origin where --allow says so', async () => {
    await ends(run('diff', '--live'), 2, /add --allow http:\/\/localhost:/);
    await ends(run('diff', '--live', '--allow', `http://localhost:${server.port}`), 0);
  });

  it('says what an import would do, and after it what it does', async () => {
    const allow = ['--allow', `http://localhost:${server.port}`];
    assert.deepEqual((await run('diff', ...allow, ...meanings)).stdout.trim().split(/\r?\n/), [
      'Name,Meaning',
      'Score,"printed, with its type once it is imported"',
      'Bundle,unknown until it is imported; commands omit it',
    ]);
    assert.equal((await run('import', ...allow)).code, 0);
    assert.deepEqual((await run('diff', ...meanings)).stdout.trim().split(/\r?\n/), [
      'Name,Meaning',
      'Score,printed',
      'Bundle,read like other values; commands omit it',
    ]);
  });

  it('looks up no secret of calls, says which program asks, and what a gateway wants, and so does an import', async () => {
    const { RELCTL_BASE_URL: url = '', PATH, HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME } = here.env;
    const env = { PATH, HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME };
    const looked = (name: string): string => join(here.folder, name);
    const secrets = ['api-key', 'password'].flatMap((name) => [`--${name}-from`, `cmd:touch ${looked(name)}`]);
    const settings = ['--base-url', url, '--namespace', namespace, '--secret', 'gatewayToken=cmd:printf %s t0ken'];
    await ends(relctl(['profile', 'add', 'crm', ...settings, ...secrets], { env }), 0);
    const from = server.requests.length;
    const allow = ['--allow', `http://localhost:${server.port}`];
    for (const words of [
      ['diff', '--live'],
      ['import', '--dry-run'],
    ])
      assert.equal((await relctl(['operations', ...words, '-p', 'crm', ...allow], { env })).code, 0);
    const wsdl = server.requests.slice(from).filter(({ target }) => target.endsWith('?WSDL'));
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    const sent = wsdl.map(({ headers }) => [headers['user-agent'], headers['authorization']]);
    assert.deepEqual(sent, Array(2).fill([`relctl/${version}`, 'Bearer t0ken']));
    assert.deepEqual(
      ['api-key', 'password'].map((name) => existsSync(looked(name))),
      [false, false],
    );
    // A call looks them up.
    await relctl(['mark', 'list', '-p', 'crm'], { env });
    assert.ok(existsSync(looked('api-key')));
  });
});
