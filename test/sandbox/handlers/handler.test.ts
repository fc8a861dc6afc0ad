import assert from 'node:assert/strict';
import { pageOf } from '../../../src/sandbox/handlers/handler.js';

describe('The page that is meant', () => {
  const cases: readonly (readonly [number | null | undefined, number | null | undefined, number, number])[] = [
    [1, 25, 1, 25],
    [0, 25, 1, 25],
    [-3, 25, 1, 25],
    [-2_147_483_648, -2_147_483_648, 1, 25],
    [undefined, undefined, 1, 25],
    [null, null, 1, 25],
    [2, 0, 2, 25],
    [7, 1, 7, 1],
    [1, 1000, 1, 1000],
    [1, 1001, 1, 1000],
    [2_147_483_647, 2_147_483_647, 2_147_483_647, 1000],
  ];
  for (const [number, size, pageNumber, pageSize] of cases) {
    it(`by pageNumber ${String(number)} and pageSize ${String(size)} is page ${pageNumber} of ${pageSize}`, () => {
      const asked = {
        ...(number === undefined ? {} : { pageNumber: number }),
        ...(size === undefined ? {} : { pageSize: size }),
      };
      assert.deepEqual(pageOf(asked), { pageNumber, pageSize });
    });
  }
});
