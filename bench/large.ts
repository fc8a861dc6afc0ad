import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, costsOf, relctl } from './child.js';
import { openPlace } from './place.js';
import { figure, median, section, type Measure } from './timing.js';

const id = '00000000-0021-4000-8000-000000000001';

/** A large table, and large attachments both ways. */
export const large: Measure = async ({ rounds, megabytes, rows }) => {
  const place = await openPlace();
  const file = join(place.folder, 'up.bin');
  writeFileSync(file, Buffer.alloc(megabytes * 1_000_000, 'relctl'));
  const env = { ...place.env(megabytes, 0), RELCTL_PAGE_SIZE: String(1000) };
  const down = ['attachment', 'get', id, '--output-file', join(place.folder, 'down.bin'), '--force', '--quiet'];
  const small = join(place.folder, 'small.bin');
  writeFileSync(small, 'relctl');
  const up = ['activity', 'attach', id, file, '--yes', '--quiet'];
  const table = ['relation', 'list', '-o', 'table', '--limit', String(rows), '--quiet'];
  try {
    const costs = await costsOf(
      new Map([
        ['nothing: `relctl operations`', () => costOf([...relctl, 'operations', '-o', 'json'], env)],
        [
          `a table of ${rows.toLocaleString('en')} rows`,
          () => costOf([...relctl, ...table], place.env(Math.ceil(rows / 1000), 0)),
        ],
        ['an empty attachment down', () => costOf([...relctl, ...down], place.env(0, 0))],
        [
          'an attachment of 6 bytes up',
          () => costOf([...relctl, ...up.map((word) => (word === file ? small : word))], env),
        ],
        [`an attachment of ${megabytes} MB down`, () => costOf([...relctl, ...down], env)],
        [`an attachment of ${megabytes} MB up`, () => costOf([...relctl, ...up], env)],
      ]),
      Math.min(rounds, 5),
    );
    return section(
      'Large tables and attachments',
      'Whole processes. Goals: a table of 10,000 rows within a second; 100 MB/s for a large attachment, with 64 MiB above a small one.',
      {
        head: ['what', 's', 'MB/s', 'peak MiB'],
        rows: [...costs].map(([name, all]) => {
          const seconds = median(all.map(({ ms }) => ms)) / 1000;
          return [
            name,
            figure(seconds, 2),
            name.startsWith(`an attachment of ${megabytes} MB`) ? figure(megabytes / seconds) : '–',
            figure(median(all.map(({ peakMebibytes }) => peakMebibytes))),
          ];
        }),
      },
    );
  } finally {
    await place.close();
  }
};
