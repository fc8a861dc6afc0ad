import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyStale, canRunHere } from './in-process.js';
import { home, relctl, relctlProcess } from './relctl.js';
import { sandbox, type RunningSandbox } from './sandbox.js';

describe('Tests of the built program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-fresh-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string, second: number): string => {
    const file = join(folder, name);
    writeFileSync(file, '');
    utimesSync(file, second, second);
    return file;
  };

  it('say that it was not built, or which source is newer than it', () => {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    at('src/a.ts', 100);
    const deep = at('src/deep/b.ts', 200);
    const sources = [join(folder, 'src'), at('package.json', 100)];
    const built = join(folder, 'start.js');
    assert.equal(whyStale(built, sources), `${built} is not there. Try: npm run build`);
    at('start.js', 150);
    assert.equal(whyStale(built, sources), `${deep} is newer than ${built}. Try: npm run build`);
    at('start.js', 250);
    assert.equal(whyStale(built, sources), undefined);
  });
});

const list = ['relation', 'list', '-o', 'csv', '-p', 'sandbox', '--page-size', '5', '--set', 'retries=0'];
const get = ['relation', 'get', '-p', 'sandbox', '-o', 'json'];
const add =
  'activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 1 ' +
  '--amount 1 --purchase-amount 1 --vat 00000000-0062-4000-8000-000000000001 --set retries=0 -p sandbox';

/** Title, exit code, arguments, fault of the service, and stdin. */
const cases: readonly (readonly [string, number, readonly string[], string?, string?])[] = [
  ['help', 0, ['relation', 'list', '--help']],
  ['a list', 0, list],
  ['a table', 0, ['relation', 'list', '-p', 'sandbox']],
  ['a note', 0, [...list, '--columns', 'Id,IsRoot'], 'missing-fields'],
  ['ids from stdin', 0, [...get, '--ids', '-'], '', '00000000-0000-4000-8000-000000000101\n'],
  ['an unknown flag', 2, [...list, '--limt', '3']],
  ['credentials that are refused', 3, list, 'status=401'],
  ['a call that is refused', 4, list, 'fault'],
  ['a record that is not there', 5, [...get, 'ffffffff-0010-4000-8000-ffffffffffff']],
  ['a service that is busy', 6, list, 'status=503'],
  ['a page of HTML', 7, list, 'html=200'],
  ['a list that stops short', 8, list, 'status=503;after=1'],
  ['a write whose answer is lost', 9, add.split(' '), 'reset=before'],
  ['a folder that is not there', 10, [...list, '--output-file', join('/', 'relctl-no-folder', 'x.csv')]],
];

describe('A run in the process of the tests', () => {
  const place = home();
  let running: RunningSandbox;
  before(async () => {
    running = await sandbox(place.env, ['--relations', '25']);
  });
  after(async () => {
    await running.stop('SIGTERM');
    place.remove();
  });

  for (const [title, code, args, spec = '', input = ''] of cases) {
    it(`says and ends as a process of its own does: ${title}`, async () => {
      const faults = `${running.url}/faults`;
      const again = async (): Promise<void> => {
        await fetch(faults, { method: 'DELETE' });
        const headers = { 'content-type': 'application/json' };
        if (spec !== '') await fetch(faults, { method: 'POST', headers, body: JSON.stringify({ spec }) });
      };
      await again();
      const here = await relctl(args, { env: place.env, input });
      await again();
      assert.deepEqual(here, await relctlProcess(args, { env: place.env, input }));
      assert.equal(here.code, code, here.stderr);
    });
  }

  it('is none where the process makes a difference', () => {
    assert.ok(canRunHere(list, place.env));
    assert.ok(!canRunHere(['--version'], place.env));
    assert.ok(!canRunHere(['sandbox', 'start'], place.env));
    assert.ok(!canRunHere(list, { ...place.env, TZ: 'Pacific/Chatham' }));
    assert.ok(!canRunHere(list, { ...place.env, NODE_EXTRA_CA_CERTS: 'ca.pem' }));
  });
});
