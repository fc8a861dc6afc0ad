import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { allRefused, type Mistake, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const activities = ['relation', 'activities', known.personId];

describe('The times of a command', () => {
  const here = place();

  /** The period as it goes out. */
  const sent = async (from: string, to: string, env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> => {
    const args = [...activities, `--from=${from}`, `--to=${to}`, '--envelope'];
    const { stdout } = await ends(here.run(args, { env }), 0);
    return /<from>(.*)<\/from>\s*<to>(.*)<\/to>/.exec(stdout)?.slice(1) ?? [];
  };

  it('go out as they are when they have a zone, and with one when they have none', async () => {
    const [zoned, bare, short, dates] = await Promise.all([
      sent('2026-01-31T09:30:00+05:30', '2026-01-31T09:30:00.1234567Z'),
      sent('2026-01-31T09:30:00', '2026-01-31 09:30:00.5'),
      sent('2026-01-31T09:30', '2026-01-31T09:30Z'),
      sent('2026-01-31', '2026-02-28'),
    ]);
    assert.deepEqual(zoned, ['2026-01-31T09:30:00+05:30', '2026-01-31T09:30:00.1234567Z']);
    assert.deepEqual(bare, ['2026-01-31T09:30:00+00:00', '2026-01-31T09:30:00.5+00:00']);
    assert.deepEqual(short, ['2026-01-31T09:30:00+00:00', '2026-01-31T09:30:00Z']);
    assert.deepEqual(dates, ['2026-01-31T00:00:00+00:00', '2026-02-28T00:00:00+00:00']);
  });

  it("are read in the profile's zone, else in the machine's, with summer time", async () => {
    const seasons = ['2026-01-31T12:00', '2026-07-31T12:00'] as const;
    const machine = await sent(...seasons, { TZ: 'America/New_York' });
    assert.deepEqual(machine, ['2026-01-31T12:00:00-05:00', '2026-07-31T12:00:00-04:00']);
    assert.equal((await here.run(['profile', 'edit', 'local', '--set', 'timeZone=Europe/Amsterdam'])).code, 0);
    const profile = await sent(...seasons, { TZ: 'America/New_York' });
    assert.deepEqual(profile, ['2026-01-31T12:00:00+01:00', '2026-07-31T12:00:00+02:00']);
    assert.equal((await here.run(['profile', 'edit', 'local', '--unset', 'timeZone'])).code, 0);
  });

  it('that a clock shows twice or never are the earlier for --from and the later for --to, and stderr says so', async () => {
    assert.equal((await here.run(['profile', 'edit', 'local', '--set', 'timeZone=Europe/Amsterdam'])).code, 0);
    const period = async (from: string, to: string): Promise<readonly string[]> => {
      const { stdout, stderr } = await here.run([...activities, `--from=${from}`, `--to=${to}`, '--envelope']);
      return [...(/<from>(.*)<\/from>\s*<to>(.*)<\/to>/.exec(stdout)?.slice(1) ?? []), ...stderr.trimEnd().split('\n')];
    };
    // The hour that is left out in spring, and the one that occurs twice in autumn.
    assert.deepEqual(await period('2026-03-29T02:30', '2026-10-25T02:30'), [
      '2026-03-29T01:30:00+01:00',
      '2026-10-25T02:30:00+01:00',
      'Note: --from 2026-03-29T02:30 does not exist in Europe/Amsterdam, where clocks change then: the earlier instant applies, 2026-03-29T01:30:00+01:00',
      'Note: --to 2026-10-25T02:30 occurs twice in Europe/Amsterdam, where clocks change then: the later instant applies, 2026-10-25T02:30:00+01:00',
    ]);
    assert.deepEqual((await period('2025-10-26T02:30', '2026-03-29T02:30')).slice(0, 2), [
      '2025-10-26T02:30:00+02:00',
      '2026-03-29T03:30:00+02:00',
    ]);
    assert.deepEqual(await period('2026-03-28T24:00', '2026-10-25T02:30:00+02:00'), [
      '2026-03-29T00:00:00+01:00',
      '2026-10-25T02:30:00+02:00',
      '',
    ]);
    assert.equal((await here.run(['profile', 'edit', 'local', '--unset', 'timeZone'])).code, 0);
  });

  it('that a clock shows twice are the earlier where what a mirror asks for begins', async () => {
    assert.equal((await here.run(['profile', 'edit', 'local', '--set', 'timeZone=Europe/Amsterdam'])).code, 0);
    await ends(
      here.run(['mirror', 'add', 'activities', '--by-relation', '--from', '2026-10-25T02:30']),
      0,
      /^Note: --from 2026-10-25T02:30 occurs twice .*: the earlier .*, 2026-10-25T02:30:00\+02:00$/m,
    );
    const { stdout } = await here.run(['mirror', 'status', '--columns', 'Source,Request', '-o', 'json']);
    assert.match(stdout, /2026-10-25T02:30:00\+02:00/);
    assert.equal((await here.run(['profile', 'edit', 'local', '--unset', 'timeZone'])).code, 0);
  });

  it('that are none, or in the wrong order, are refused by the name of the flag', () => {
    const wrong = ['2026-02-29', '2026-1-1', '31-01-2026', '09:30', '2026-01-31T24:01', '+02:00', '-7', 'Today', ''];
    const more = ['2026-01-31T09:30+15:00', '2026-01-31T09:30:00 Z', '12026-01-01T00:00:00Z'];
    const mistakes: Mistake[] = [...wrong, ...more].map((text) => [
      [...activities, `--from=${text}`],
      /--from takes a time such as/,
    ]);
    return allRefused(here, [
      ...mistakes,
      [[...activities, '--from', '2026-01-01T12:00:00+02:00', '--to', '2026-01-01T09:59:59Z'], /is after --to/],
      [[...activities, '--from=2026-01-01T00:00:00.0000002Z', '--to=2026-01-01T00:00:00.0000001Z'], /is after --to/],
    ]);
  });

  it('that a clock shows twice or never are refused where one instant is written, in flags, rows and conditions', async () => {
    assert.equal((await here.run(['profile', 'edit', 'local', '--set', 'timeZone=Europe/Amsterdam'])).code, 0);
    const never = '2026-03-29T02:30';
    const twice = '2026-10-25T02:30';
    const words: Readonly<Record<string, string>> = {
      [never]:
        'does not exist in Europe/Amsterdam, where clocks change then: write 2026-03-29T01:30:00\\+01:00 or 2026-03-29T03:30:00\\+02:00',
      [twice]:
        'occurs twice in Europe/Amsterdam, where clocks change then: write 2026-10-25T02:30:00\\+02:00 or 2026-10-25T02:30:00\\+01:00',
    };
    const update = ['activity', 'update', '--nil', 'end,owner,queue,in-agenda,reminder', '--yes'];
    const id = '00000000-0020-4000-8000-000000000001';
    await allRefused(here, [
      ...[never, twice].map((time): Mistake => [
        [...update, id, '--start', time],
        new RegExp(`--start ${time} ${words[time]}`),
      ]),
      ...[never, twice].map((time): Mistake => {
        const file = here.fresh('times.csv');
        writeFileSync(file, `id,start\n${id},${time}\n`);
        return [[...update, '--file', file], new RegExp(`:2:start: .*${time} ${words[time]}`)];
      }),
      ...[never, twice].map((time): Mistake => [
        [...activities, '--from', '2026-01-01', '--where', `ViewSortingDate > '${time}'`],
        /'2026-\S+' (?:comes twice|does not exist) in Europe\/Amsterdam: add the offset/,
      ]),
    ]);
    const listed = await here.run(['writes', 'list', '--from', twice]);
    assert.equal(listed.code, 0);
    assert.match(listed.stderr, /--from 2026-10-25T02:30 occurs twice .*: the earlier instant applies/);
    const run = await here.run([...update, id, '--start', `${twice}:00+01:00`, '--envelope']);
    assert.match(run.stdout, /<Start>2026-10-25T02:30:00\+01:00<\/Start>/);
    assert.equal((await here.run(['profile', 'edit', 'local', '--unset', 'timeZone'])).code, 0);
  });

  it('have the zone that TZ says as date reads it, or are refused where it is not known and none is given', async () => {
    assert.deepEqual(await sent('2026-07-01T09:00', '2026-07-31', { TZ: '' }), [
      '2026-07-01T09:00:00+00:00',
      '2026-07-31T00:00:00+00:00',
    ]);
    assert.deepEqual((await sent('2026-07-01T09:00', 'now', { TZ: 'GMT+1' }))[0], '2026-07-01T09:00:00-01:00');
    const unknown = { TZ: 'CET-1CEST,M3.5.0,M10.5.0/3' };
    const run = await here.run([...activities, '--from=2026-07-01T09:00'], { env: unknown });
    assert.deepEqual([run.code, run.stdout], [2, '']);
    assert.match(run.stderr, /^Error: the variable TZ, 'CET-1CEST,M3\.5\.0,M10\.5\.0\/3', is not a known time zone/);
    const zoned = ['2026-07-01T09:00+02:00', '2026-07-31T09:00Z'] as const;
    assert.deepEqual(await sent(...zoned, unknown), ['2026-07-01T09:00:00+02:00', '2026-07-31T09:00:00Z']);
    const named = argv`${activities} --from=2026-07-01T09:00 --to=2026-07-02 --envelope --set timeZone=Europe/Amsterdam`;
    assert.match((await here.run(named, { env: unknown })).stdout, /<from>2026-07-01T09:00:00\+02:00</);
  });
});
