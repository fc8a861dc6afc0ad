import assert from 'node:assert/strict';
import type { Source } from '../../src/mirror/store.js';
import { mirrorKinds } from '../support/mirror/kinds.js';

const whole = (table: string): Source => ({ name: table, table, input: {} });

for (const [where, makeKind] of Object.entries(mirrorKinds)) {
  describe(`The sources of a mirror in ${where}`, function () {
    this.timeout(120_000);
    const kind = makeKind();
    before(async function () {
      await kind.begin(this);
    });
    after(() => kind.end());

    it('are added all or none', async () => {
      const mirror = await kind.open(kind.place());
      try {
        await mirror.add(whole('relations'));
        const again = async (): Promise<void> => mirror.add(whole('marks'), whole('relations'));
        await assert.rejects(again, /has a source relations already/);
        const names = async (): Promise<readonly string[]> => (await mirror.sources()).map(({ name }) => name);
        assert.deepEqual(await names(), ['relations']);
        await mirror.add(whole('marks'), whole('products'));
        assert.deepEqual(await names(), ['relations', 'marks', 'products']);
      } finally {
        await mirror.close();
      }
    });
  });
}
