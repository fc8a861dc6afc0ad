import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { place } from '../../support/operations/place.js';
import { ends, inShell } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { skip } from '../../support/skip.js';
import { valuesOf } from '../../support/thrown.js';

interface Entry {
  readonly Outcome: string;
  readonly What: string;
  readonly NewId: string | null;
  readonly Changes: readonly { readonly Name: string; readonly To: string | null }[];
}

describe('The ledger of writes by call', () => {
  const here = place();
  const last = (): Promise<Entry> => here.json(['writes', 'show', 'last']);
  const call = (...args: readonly string[]): readonly string[] => ['call', ...args, '--yes'];
  const line = (text: string): readonly string[] => argv`
    ActivityAddProductLine --param activityId=${known.activityId} --param description=${text} --param quantity=1 --param
    amount=2.00 --param purchaseAmount=1.00 --param productId=${known.productId} --param vatId=${known.vatId}
  `;
  const ledger = (): string => {
    const folder = join(here.env['XDG_STATE_HOME'] ?? '', 'relctl', 'writes');
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  };

  it('has the Id of what was made', async () => {
    const made = await ends(here.run(call(...line('One'))), 0);
    const { NewId, Outcome } = await last();
    assert.deepEqual([Outcome, made.stdout.includes(NewId ?? 'none')], ['done', true]);
  });

  it('has the size and the hash of XML that was given, and nothing of what it holds', async () => {
    const xml = `<activityId>${known.activityId}</activityId><fieldValues><PvFieldValueData><Id>00000000-0041-4000-8000-000000001101</Id><Value>TOPSECRET</Value></PvFieldValueData></fieldValues>`;
    const run = await ends(here.run(call('ActivityUpdate', '--input', '-', '--raw-output'), { input: xml }), 0);
    assert.match(run.stdout, /<\w*:?Envelope/);
    const [change] = (await last()).Changes;
    const sha256 = createHash('sha256').update(xml).digest('hex');
    assert.deepEqual([change?.Name, change?.To], ['XML', `[${xml.length} bytes, SHA-256 ${sha256}]`]);
    assert.ok(!ledger().includes('TOPSECRET'));
  });

  it('keeps no long text of an operation that is not in the contract', async () => {
    await here.run(call('ThingAdd', '--write', '--param', `data=${'QUJD'.repeat(300)}`, '--param', 'name=Lamp'));
    const { Changes } = await last();
    assert.deepEqual(valuesOf(Changes, 'Name', 'To'), [
      ['data', '[text of 1200 characters]'],
      ['name', 'Lamp'],
    ]);
  });

  it('keeps no content of an attachment', async () => {
    const content = Buffer.from('TOPSECRET'.repeat(9)).toString('base64');
    const given = { activityId: known.activityId, fileName: 'a.txt', base64EncodedFile: content };
    const params = Object.entries(given).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
    await ends(here.run(call('ActivityAddAttachment', ...params)), 0);
    assert.ok(!ledger().includes(content.slice(0, 40)));
    assert.ok((await last()).Changes.some(({ To }) => To === `[content of ${content.length} characters]`));
  });

  for (const way of [[], ['--raw-output']]) {
    it(`calls a write done whose answer cannot be printed ${way.join('')}`.trim(), async function () {
      if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full here');
      const words = call(...line('Two'), ...way);
      const { code, stderr } = await inShell(
        `relctl ${words.map((word) => `'${word}'`).join(' ')} > /dev/full`,
        here.env,
      );
      assert.match(stderr, /the write succeeded \(call ActivityAddProductLine\), do not repeat it/);
      assert.equal(code, 10, stderr);
      assert.equal((await last()).Outcome, 'done');
    });
  }
});
