import assert from 'node:assert/strict';
import { createMask } from '../../../src/core/secrets/mask.js';
import { cutData } from '../../../src/soap/wire/raw.js';

const asItIs = (text: string): string => text;

describe('What came with a refusal', () => {
  it('is kept as it is where it is short', () => {
    const data = { Id: '7', Items: [{ Name: 'a', Amount: 1, Note: null }, 'b', true, []], Empty: {} };
    assert.deepEqual(cutData(data, asItIs), data);
  });

  it('is cut where it is long, and says how much is left out', () => {
    const items = Array.from({ length: 500_000 }, (_, at) => ({ Id: String(at) }));
    const { Items, Other } = cutData({ Items: items, Other: 'x' }, asItIs) as {
      readonly Items: readonly unknown[];
      readonly Other?: unknown;
    };
    const kept = Items.length - 1;
    // The last one that is kept may be cut itself.
    assert.deepEqual(Items.slice(0, kept - 1), items.slice(0, kept - 1));
    assert.ok(kept > 1000 && kept < 16_384);
    assert.equal(Items[kept], `… ${500_000 - kept} more`);
    assert.equal(Other, undefined);
    const values = cutData({ Values: Array<null>(500_000).fill(null), Last: 1 }, asItIs);
    assert.deepEqual(Object.keys(values), ['Values', '…']);
    assert.equal(values['…'], '1 more members');
  });

  it('shows no half of a secret where it is cut', () => {
    const secret = 'k3y-0f-the-service';
    for (const length of [1, 9, 17]) {
      const text = `${'x'.repeat(16 * 1024 - 'Text'.length - length)}${secret}`;
      const { Text } = cutData({ Text: text }, createMask([secret]));
      assert.ok(typeof Text === 'string');
      assert.match(Text, /^x+\**…?$/);
    }
  });
});
