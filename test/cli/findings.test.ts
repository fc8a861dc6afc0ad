import assert from 'node:assert/strict';
import { summaryOf, type Finding } from '../../src/cli/findings.js';
import { home, relctl } from '../support/relctl.js';

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
    const { code, stdout, stderr } = await relctl(['profile', 'test', 'sandbox', ...args], { env: place.env });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };

  it('are a table with the summary as its last line, and in JSON the same checks in the record', async () => {
    const table = await run();
    assert.match(table, /^Check +State +Detail\naddress +ok +http/);
    assert.match(table, /\n6 checks: 6 ok\.\n$/);
    const record = JSON.parse(await run('-o', 'json')) as {
      Answer: string;
      Checks: { Check: string; State: string }[];
    };
    assert.equal(record.Answer, 'a page of 1 relation');
    const inTable = table.trim().split('\n').slice(1, -1);
    assert.deepEqual(
      record.Checks.map(({ Check, State }) => [Check, State]),
      inTable.map((line) => line.split(/ +/).slice(0, 2)),
    );
  });

  it('have no summary behind columns that were chosen, nor in formats for programs', async () => {
    assert.match(await run('--columns', 'Answer'), /^Answer +a page of 1 relation\n$/);
    assert.doesNotMatch(await run('-o', 'yaml'), /6 checks/);
  });
});
