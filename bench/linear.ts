// npx tsx bench/linear.ts [ROWS]: a list of so many rows to CSV, ten million if nothing is said, against a tenth of it.
// By hand, because it takes minutes; needs a build.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { exportTo } from './export.js';
import { within } from './place.js';
import { pageSize } from './prepared.js';

const most = Number(process.argv[2] ?? 10_000_000);

await within(async (place) => {
  for (const rows of [most / 10, most]) {
    const { ms, cpuMs, peakMebibytes } = await exportTo('csv', place, { pages: rows / pageSize })();
    const megabytes = statSync(join(place.folder, 'out', 'list.csv')).size / 1e6;
    const time = `${(ms / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s of processor time`;
    console.log(
      `${rows.toLocaleString('en')} rows: ${time}, ${peakMebibytes.toFixed(0)} MiB, ${megabytes.toFixed(0)} MB`,
    );
  }
});
