import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { known } from '../../src/sandbox/dataset/known.js';
import { peakMeter } from '../support/peak.js';
import { home } from '../support/relctl.js';
import { sandbox } from '../support/sandbox.js';
import { exchange } from '../support/sandbox/asmx/http.js';
import { soap } from '../support/sandbox/faults/place.js';

const item = `<PvFieldValueData><Id>${known.activityId}</Id><Value>a</Value></PvFieldValueData>`;
const wide = item.replace('>a<', '>€ab<');
const filled = (part: string, megabytes: number): string =>
  part.repeat(Math.floor((megabytes * 1e6) / Buffer.byteLength(part)));

/** Requests of as many bytes as one may have, and of more, by what they are made of, with what is answered. */
const kinds: readonly (readonly [string, string, RegExp])[] = [
  ['of many small parts', filled(item, 33), /There is no field/],
  ['of many small parts with letters outside Latin-1', filled(wide, 33), /There is no field/],
  ['of more parts than it takes', filled(wide, 120), /at most 33554432 bytes beside the content of a file/],
  [
    'of one text',
    `<PvFieldValueData><Id>${known.activityId}</Id><Value>${'a'.repeat(33e6)}</Value></PvFieldValueData>`,
    /has more than 16777216 characters/,
  ],
];

describe('The sandbox, asked by several at once with the largest requests', () => {
  const place = home();
  after(() => place.remove());

  for (const [what, values, answered] of kinds) {
    it(`needs less than 300 MB, with requests ${what}`, async function () {
      const peak = peakMeter(this, place.folder, place.env);
      const service = await sandbox(peak.env, ['--db', `${place.folder}/sandbox.db`]);
      const { headers, body } = soap(
        'ActivityUpdate',
        `<activityId>${known.activityId}</activityId><fieldValues>${values}</fieldValues>`,
      );
      const sent = { ...(headers && { headers }), body: Buffer.from(body ?? '') };
      const port = Number(new URL(service.url).port);
      const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(port, sent)));
      assert.equal(await service.stop(), 0);
      for (const { text } of answers) assert.match(text, answered);
      const taken = peak.take();
      assert.ok(taken < 300e6, `${taken} bytes`);
    });
  }

  it('needs less than 300 MB, with 200 of the longest pages, and answers each as one by itself', async function () {
    const peak = peakMeter(this, place.folder, place.env);
    // So many that their rows are in outline.
    const service = await sandbox(peak.env, ['--db', `${place.folder}/pages.db`, '--relations', '20000']);
    const port = Number(new URL(service.url).port);
    const page = (at: number) => {
      const [number, size] = [1 + (at % 20), 1000 - Math.floor(at / 20)];
      const { headers, body } = soap(
        'RelationGetAll',
        `<pageNumber>${number}</pageNumber><pageSize>${size}</pageSize>` +
          '<includeFields>true</includeFields><includeCounters>false</includeCounters>',
      );
      return { ...(headers && { headers }), ...(body === undefined ? {} : { body }) };
    };
    const hashOf = async (at: number): Promise<string> => {
      const { status, bytes } = await exchange(port, page(at));
      return `${status} ${createHash('sha256').update(bytes).digest('hex')}`;
    };
    const numbers = Array.from({ length: 200 }, (_, at) => at);
    // The second thread has started by the second time.
    await Promise.all(numbers.map(hashOf));
    const together = await Promise.all(numbers.map((at) => hashOf(at + 200)));
    const alone: string[] = [];
    for (const at of numbers) alone.push(await hashOf(at + 200));
    assert.deepEqual(together, alone);
    assert.ok(together.every((each) => each.startsWith('200 ')));
    assert.equal(await service.stop(), 0);
    const taken = peak.take();
    assert.ok(taken < 300e6, `${taken} bytes`);
  });
});
