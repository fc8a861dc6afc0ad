import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { within } from '../../bench/place.js';
import { peakMeter } from '../support/tracer.js';
import { home, relctlProcess } from '../support/relctl.js';

const pageSize = 1000;

async function linesIn(file: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface(createReadStream(file))) count += line === '' ? 0 : 1;
  return count;
}

describe('An export of many rows', function () {
  const own = home();
  after(() => own.remove());

  it('needs no more memory for five times as many, and has all of them', async function () {
    const peaks = await within(async (service) => {
      const found: number[] = [];
      for (const rows of [50_000, 250_000]) {
        const meter = peakMeter(this, own.folder, { ...own.env, ...service.env({ pages: rows / pageSize }) });
        const file = join(own.folder, `${rows}.csv`);
        const run = await relctlProcess(['relation', 'list', '-o', 'csv', '--output-file', file, '--quiet'], meter);
        assert.deepEqual([run.code, run.stdout], [0, ''], run.stderr);
        assert.equal(await linesIn(file), rows + 1);
        found.push(Math.round(meter.take() / 2 ** 20));
      }
      return found;
    });
    const [few = 0, many = 0] = peaks;
    assert.ok(many <= few * 1.1 + 10, `${few} MiB, and ${many} MiB for five times as many`);
  });
});
