import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultService, type ResultService } from '../support/result-service.js';
import { deployedWsdl, element } from '../support/wsdl/deployed.js';

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
    const { code, stderr } = await service.run(['operations', 'import', file]);
    assert.equal(code, 0, stderr);
  };

  it('prints each difference of the kept WSDL, with what it means and the commands', async () => {
    await imported(deployedWsdl([importKey, element('Score', 's:decimal')]));
    const { code, stdout, stderr } = await service.run(['operations', 'diff', '-o', 'json']);
    assert.equal(code, 0, stderr);
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
          Meaning: 'printed, with its type once it is imported',
        },
      ],
    );
    assert.ok(rows[0]?.Commands?.includes('relation list'), JSON.stringify(rows[0]));
  });

  const lineOfDoctor = async (): Promise<unknown> => {
    const { stdout } = await service.run(['doctor', '-o', 'json']);
    return (JSON.parse(stdout) as readonly { readonly Check: string }[]).find(({ Check }) => Check === 'wsdl');
  };

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
    assert.match(stderr, /\nNote: jobs of .*jobs\.yaml that call what changed: people\n$/);
  });

  it('is told in one line of profile test and of doctor, with what it means', async () => {
    const { stdout } = await service.run(['profile', 'test', '-o', 'json']);
    const { Checks } = JSON.parse(stdout) as { readonly Checks: readonly Readonly<Record<string, string>>[] };
    const line = {
      Check: 'wsdl',
      State: 'warning',
      Detail: 'the imported WSDL differs from the contract in 2 places: 1 member that commands print is missing',
      Try: 'relctl operations diff --profile there',
    };
    assert.deepEqual(
      Checks.find(({ Check }) => Check === 'wsdl'),
      line,
    );
    assert.deepEqual(await lineOfDoctor(), line);
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
    const { code, stdout } = await service.run(['operations', 'diff', '--exit-code', '-o', 'csv']);
    assert.equal(code, 0);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    const detail = 'the imported WSDL is as the contract says';
    assert.deepEqual(await lineOfDoctor(), { Check: 'wsdl', State: 'ok', Detail: detail, Try: null });
  });

  it('asks the service with --live, and when nothing was imported', async () => {
    const asked = (): readonly string[] => service.server.requests.map(({ method, target }) => `${method} ${target}`);
    await service.run(['operations', 'diff', '--live']);
    assert.deepEqual(asked().slice(-1), ['GET /V1/service.asmx?WSDL']);
    const before = asked().length;
    await service.run(['operations', 'diff']);
    assert.equal(asked().length, before);
    await service.run(['operations', 'import', '--forget']);
    const detail = 'none imported: commands go by the contract alone';
    assert.deepEqual(await lineOfDoctor(), { Check: 'wsdl', State: 'ok', Detail: detail, Try: null });
    assert.equal(asked().length, before);
    const { code } = await service.run(['operations', 'diff']);
    assert.notEqual(code, 0);
    assert.equal(asked().length, before + 1);
  });
});
