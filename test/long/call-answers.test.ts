import assert from 'node:assert/strict';
import { resultService } from '../support/called.js';
import { peakMeter } from '../support/tracer.js';
import { ends } from '../support/relctl.js';

describe('call --raw-output', () => {
  it('prints an answer of any size with --raw-output, where a list is in it', async () => {
    const product = `<PvProductData_V2><Name>${'n'.repeat(4096)}</Name></PvProductData_V2>`.repeat(8_400);
    const service = await resultService(() => `<Products>${product}</Products>`);
    try {
      const run = await ends(service.run(['call', 'ProductGetAll_V2', '--raw-output']), 0);
      assert.ok(run.stdout.length > 33 * 1024 * 1024);
      assert.match(run.stdout.slice(-20), /Envelope>\s*$/);
    } finally {
      await service.close();
    }
  });

  it('keeps the bytes of a list for --raw-output, and no rows beside them', async function () {
    const product = '<PvProductData_V2><Code>00001</Code><Name>Bricks, small and red</Name></PvProductData_V2>';
    let rows = 0;
    const service = await resultService(() => `<Products>${product.repeat(rows)}</Products>`);
    try {
      const meter = peakMeter(this, service.place.folder, service.env);
      const found: { readonly bytes: number; readonly peak: number }[] = [];
      for (rows of [100_000, 300_000]) {
        const run = await service.run(['call', 'ProductGetAll_V2', '--raw-output'], { env: meter.env });
        assert.equal(run.stdout.split(product).length, rows + 1, run.stderr.slice(0, 500));
        found.push({ bytes: run.stdout.length, peak: meter.take() });
      }
      const [few = assert.fail(), many = assert.fail()] = found;
      const grown = (many.peak - few.peak) / (many.bytes - few.bytes);
      assert.ok(grown < 2, `${grown} bytes of memory for each byte of the answer`);
    } finally {
      await service.close();
    }
  });
});
