import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerOf, checkAnswer, lists, rowsOf, styles, writtenIn } from '../support/soap/answered-rows.js';

const put = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Array.from('<>&;"/! =]'), ']]>', '</', '\r', '\n  ', '\0', '\u001f') },
  { weight: 3, arbitrary: fc.constantFrom('<!-- x -->', '<![CDATA[<&]]>', '<?go?>', '<Id>', '<Id/>', '</Id>', '<b/>') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '&#0;',
      '&#xD800;',
      '&#x110000;',
      '&bad;',
      '&#x41;',
      '&#65',
      '&amp',
      '\ufffe',
      'é',
      ' x="1"',
    ),
  },
  { weight: 1, arbitrary: fc.constant('') },
);
/** A change of an answer: bytes that are removed at a place, and what is put there; perhaps half of a character. */
const change = fc.record({ at: fc.integer({ min: 0, max: 99_999 }), removed: fc.nat(4), put });

function changed(bytes: Buffer, changes: readonly { at: number; removed: number; put: string }[]): Buffer {
  let all = bytes;
  for (const { at, removed, put: text } of changes) {
    const place = Math.floor((at / 100_000) * all.length);
    all = Buffer.concat([all.subarray(0, place), Buffer.from(text), all.subarray(place + removed)]);
  }
  return all;
}

const sizes = fc.oneof(
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 49, arbitrary: fc.integer({ min: 2, max: 65_536 }) },
);

describe('Answers in which something was changed', () => {
  for (const list of lists) {
    it(`of ${list.operation.name} are read by the kernel as they are event by event`, async () => {
      const written = await writtenIn(async () => {
        for (const rows of fc.sample(rowsOf(list), { numRuns: 25, seed: 7 })) {
          const bytes = answerOf(list, rows.slice(-6));
          await fc.assert(
            fc.asyncProperty(
              fc.array(change, { minLength: 1, maxLength: 3 }),
              fc.constantFrom(...styles),
              sizes,
              async (changes, style, size) => {
                await checkAnswer(list, changed(bytes, changes), { style, size });
              },
            ),
            { numRuns: 200 },
          );
        }
      });
      assert.ok(written > 500, `only ${written} rows`);
    });
  }
});
