import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { known } from '../../src/sandbox/dataset/known.js';
import { peakMeter } from '../support/tracer.js';
import { home } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { sandbox } from '../support/sandbox.js';
import { exchange } from '../support/sandbox/asmx/http.js';
import { soap } from '../support/sandbox/faults/place.js';

const wide = `<PvFieldValueData><Id>${known.activityId}</Id><Value>€ab</Value></PvFieldValueData>`;
const filled = (part: string, megabytes: number): string =>
  part.repeat(Math.floor((megabytes * 1e6) / Buffer.byteLength(part)));

/** Requests of as many bytes as one may have, and of more, by what they are made of, with what is answered. */
const kinds: readonly (readonly [string, string, RegExp])[] = [
  ['of many small parts with letters outside Latin-1', filled(wide, 33), /There is no field/],
  ['of more parts than it takes', filled(wide, 80), /at most 33554432 bytes besides the content of a file/],
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

  const pages = (number: number, size: number): string =>
    `<pageNumber>${number}</pageNumber><pageSize>${size}</pageSize>`;
  const isActivity = `<activityEntityTypeId>${known.activityEntityTypeId}</activityEntityTypeId>`;
  const asked: readonly ((number: number, size: number) => ReturnType<typeof soap>)[] = [
    (number, size) =>
      soap(
        'RelationGetAll',
        `${pages(number, size)}<includeFields>true</includeFields><includeCounters>false</includeCounters>`,
      ),
    (number, size) =>
      soap(
        'RelationGetAll',
        `${pages(number, size)}<includeFields>false</includeFields><includeCounters>true</includeCounters>`,
      ),
    (number, size) => soap('RelationshipGetAll', `${pages(number, size)}<includeFields>true</includeFields>`),
    (number, size) =>
      soap(
        'ActivitySearchByField',
        `${isActivity}${pages(number, size)}<includeFields>true</includeFields><includeCounters>false</includeCounters>`,
      ),
    (number, size) => soap('RelationGetTelephoneBook', pages(number, size)),
  ];

  for (const [rows, relations] of [
    ['stored rows', 10_000],
    // So many that their rows are in outline.
    ['rows that are made again', 20_000],
  ] as const)
    it(`needs less than 300 MB, with 40 of the longest pages of ${rows}, and answers each as one by itself`, async function () {
      const peak = peakMeter(this, place.folder, place.env);
      const service = await sandbox(peak.env, argv`--db ${place.folder}/${relations}.db --relations ${relations}`);
      const port = Number(new URL(service.url).port);
      const hashOf = async (at: number): Promise<string> => {
        const [kind, which] = [at % asked.length, Math.floor(at / asked.length)];
        const request = asked[kind]?.(1 + (which % 5), 1000 - Math.floor(which / 5)) ?? assert.fail();
        const { headers, body } = request;
        const { status, bytes } = await exchange(port, {
          ...(headers && { headers }),
          ...(body === undefined ? {} : { body }),
        });
        return status === 503 ? hashOf(at) : `${status} ${createHash('sha256').update(bytes).digest('hex')}`;
      };
      const numbers = Array.from({ length: 40 }, (_, at) => at);
      const together = await Promise.all(numbers.map(hashOf));
      const alone: string[] = [];
      for (const at of numbers) alone.push(await hashOf(at));
      assert.deepEqual(together, alone);
      assert.ok(together.every((each) => each.startsWith('200 ')));
      assert.equal(new Set(together).size, 40);
      assert.equal(await service.stop(), 0);
      const taken = peak.take();
      assert.ok(taken < 300e6, `${taken} bytes`);
    });
});
