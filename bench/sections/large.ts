import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { combine, seconds, show, type Found } from '../figures.js';
import { within, type Place } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Section } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';

const id = '00000000-0021-4000-8000-000000000001';

const names = {
  nothing: 'nothing: `relctl operations`',
  table: 'a table',
  emptyDown: 'an empty attachment down',
  emptyUp: 'an attachment of 6 bytes up',
  down: 'a large attachment down',
  up: 'a large attachment up',
} as const;

function candidates(place: Place, { megabytes, rows }: Scale): ReadonlyMap<string, Candidate> {
  const [file, small] = [join(place.folder, 'up.bin'), join(place.folder, 'small.bin')];
  writeFileSync(file, Buffer.alloc(megabytes * 1_000_000, 'relctl'));
  writeFileSync(small, 'relctl');
  const run =
    (pages: number, ...args: readonly string[]): Candidate =>
    () =>
      costOf({ command: [...relctl, ...args, '--quiet'], env: place.env({ pages }) });
  const down = ['attachment', 'get', id, '--output-file', join(place.folder, 'down.bin'), '--force'];
  const up = (path: string): readonly string[] => ['activity', 'attach', id, path, '--yes'];
  return new Map([
    [names.nothing, run(1, 'operations', '-o', 'json')],
    [names.table, run(Math.ceil(rows / pageSize), 'relation', 'list', '-o', 'table', '--limit', String(rows))],
    [names.emptyDown, run(0, ...down)],
    [names.emptyUp, run(0, ...up(small))],
    [names.down, run(megabytes, ...down)],
    [names.up, run(megabytes, ...up(file))],
  ]);
}

/** A large table, and large attachments both ways. */
export const large: Section = {
  title: 'Large tables and attachments',
  async measure(scale) {
    const { rounds, megabytes, rows } = scale;
    const turns = new Turns();
    await within((place) => inTurns(turns, candidates(place, scale), rounds));
    const time = (name: string): Found => seconds(turns.median(name, 'ms'));
    const rate = (name: string): Found => combine([time(name)], (value) => megabytes / value);
    const peak = (name: string): Found => turns.median(name, 'peakMebibytes');
    const above = (name: string, floor: string): Found =>
      combine([peak(name), peak(floor)], (value = Number.NaN, least = Number.NaN) => value - least);
    return {
      words: `Whole processes. The table has ${rows.toLocaleString('en')} rows, a large attachment ${megabytes} MB.`,
      tables: [
        {
          head: ['what', 's', 'MB/s', 'peak MiB'],
          rows: turns.names.map((name) => [
            name,
            show(time(name), 2),
            name.startsWith('a large') ? show(rate(name)) : '–',
            show(peak(name)),
          ]),
        },
      ],
      figures: {
        table: time(names.table),
        down: rate(names.down),
        up: rate(names.up),
        'down-memory': above(names.down, names.emptyDown),
        'up-memory': above(names.up, names.emptyUp),
      },
      notes: turns.notes,
    };
  },
};
