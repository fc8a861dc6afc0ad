import assert from 'node:assert/strict';
import { summaryOf, type Finding } from '../../src/kit/findings.js';
import { answers, brokenServer } from '../support/broken-server.js';
import { ends, home, relctl } from '../support/relctl.js';
import { envelope, namespace } from '../support/soap-answers.js';
import { valuesOf } from '../support/thrown.js';

const ok: Finding = { check: 'a', state: 'ok', detail: '' };

describe('The summary of findings', () => {
  it('counts each state that there is', () => {
    assert.equal(summaryOf([ok, ok]), '2 checks: 2 ok.');
    const wrong: Finding = { check: 'b', state: 'wrong', detail: '' };
    assert.equal(summaryOf([wrong, ok, { ...ok, state: 'skipped' }]), '3 checks: 1 ok, 1 wrong, 1 skipped.');
  });

  it('says what to do first: about what is wrong, before warnings', () => {
    const warning: Finding = { check: 'b', state: 'warning', detail: '', hint: 'look' };
    const wrong: Finding = { check: 'c', state: 'wrong', detail: '', hint: 'mend' };
    assert.equal(summaryOf([warning, ok]), '2 checks: 1 ok, 1 warning. First: look');
    assert.equal(summaryOf([warning, wrong]), '2 checks: 1 warning, 1 wrong. First: mend');
  });
});

describe('Findings as they are printed', () => {
  const place = home();
  after(() => place.remove());
  const run = async (...args: readonly string[]): Promise<string> => {
    return (await ends(relctl(['profile', 'test', 'sandbox', ...args], { env: place.env }), 0, '')).stdout;
  };

  it('are a table with the summary as its last line, and the same records in JSON', async () => {
    const table = await run();
    assert.match(table, /^Check +State +Detail\naddress +ok +http/);
    assert.match(table, /\nlist +ok +a page of 1 relation\n/);
    assert.match(table, /\n6 checks: 6 ok\.\n$/);
    const records = JSON.parse(await run('-o', 'json')) as { Check: string; State: string }[];
    const inTable = table.trim().split('\n').slice(1, -1);
    assert.deepEqual(
      valuesOf(records, 'Check', 'State'),
      inTable.map((line) => line.split(/ +/).slice(0, 2)),
    );
  });

  it('have no summary in formats for programs', async () => {
    assert.doesNotMatch(await run('-o', 'yaml'), /6 checks/);
  });

  it('warn of what works and should be looked at: no TLS, no calibration', async () => {
    const result = '<RelationGetAllResult><Relations /></RelationGetAllResult>';
    const answer = envelope('1.2', `<RelationGetAllResponse xmlns="${namespace}">${result}</RelationGetAllResponse>`);
    const proxy = await brokenServer({ answer: answers(answer) });
    try {
      const env = { ...place.env, RELCTL_PROXY: `http://127.0.0.1:${proxy.port}` };
      const add = ['profile', 'add', 'far', '--base-url', 'http://crm.test', '--namespace', namespace];
      const input = '00000000-0000-4000-8000-000000000011';
      assert.equal((await relctl([...add, '--api-key-stdin'], { env, input })).code, 0);
      const { stdout } = await ends(relctl(['profile', 'test', 'far', '-o', 'json'], { env }), 0);
      const findings = JSON.parse(stdout) as { Check: string; State: string; Try: string | null }[];
      assert.deepEqual(
        findings.flatMap(({ Check, State, Try }) => (State === 'ok' ? [] : [[Check, State, Try]])),
        [
          ['address', 'warning', 'relctl profile edit far --base-url https://…'],
          ['paging', 'warning', 'relctl profile test far --calibrate'],
        ],
      );
    } finally {
      await proxy.close();
    }
  });
});
