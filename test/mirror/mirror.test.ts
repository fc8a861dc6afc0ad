import assert from 'node:assert/strict';
import type { Source } from '../../src/mirror/sources.js';
import { MirrorFiles } from '../support/mirror/files.js';

const whole = (table: string): Source => ({ name: table, table, input: {} });

describe('The sources of a mirror', () => {
  const mirrors = new MirrorFiles();
  after(() => mirrors.remove());

  it('are added all or none', async () => {
    const mirror = mirrors.open(mirrors.place());
    try {
      mirror.add(whole('relations'));
      const again = async (): Promise<void> => mirror.add(whole('marks'), whole('relations'));
      await assert.rejects(again, /has a source relations already/);
      const names = async (): Promise<readonly string[]> => mirror.sources().map(({ name }) => name);
      assert.deepEqual(await names(), ['relations']);
      mirror.add(whole('marks'), whole('products'));
      assert.deepEqual(await names(), ['relations', 'marks', 'products']);
    } finally {
      await mirror.close();
    }
  });
});
