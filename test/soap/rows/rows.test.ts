import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  answerOf,
  checkAnswer,
  conditionsOf,
  lists,
  rowsOf,
  styles,
  writtenIn,
} from '../../support/soap/answered-rows.js';

const sizes = fc.oneof(fc.constantFrom(1, 200, 5000, 65_536), fc.integer({ min: 1, max: 65_536 }));

describe('The rows that the kernel writes', () => {
  for (const list of lists) {
    const name = list.operation.name;

    it(`of ${name} are those of the records, in all formats and chunks`, async () => {
      const written = await writtenIn(() =>
        fc.assert(
          fc.asyncProperty(rowsOf(list), fc.constantFrom(...styles), sizes, async (rows, style, size) => {
            await checkAnswer(list, answerOf(list, rows), { style, size });
          }),
          { numRuns: 30 },
        ),
      );
      assert.ok(written > 100, `only ${written} rows`);
    });

    it(`of ${name} are those that any condition keeps of the records`, async () => {
      let kept = 0;
      const written = await writtenIn(() =>
        fc.assert(
          fc.asyncProperty(
            rowsOf(list),
            fc.constantFrom(...styles),
            conditionsOf(list.item),
            async (rows, style, filter) => {
              const { hasRows } = await checkAnswer(list, answerOf(list, rows), { style, size: 5000, filter });
              if (hasRows) kept += 1;
            },
          ),
          { numRuns: 15 },
        ),
      );
      assert.ok(written > 20 && kept > 1, `${written} rows, and ${kept} times some were kept`);
    });
  }
});
