import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { needs } from '../../../support/skip.js';
import { isZone, offsetAt, offsetOnClock, wallClock, zoneOfMachine } from '../../../../src/core/text/time/zone.js';
import { argv } from '../../../support/argv.js';

const offsetMinutes = (zone: string, wallMs: number): number => offsetOnClock(zone, wallMs).minutes;
const wall = (text: string): number => Date.parse(`${text}Z`);

describe('A time zone', () => {
  it('is known by its name, and nothing else is one', () => {
    for (const name of ['UTC', 'Europe/Amsterdam', 'Asia/Kolkata', 'America/St_Johns']) assert.ok(isZone(name), name);
    for (const name of ['', 'Amsterdam', 'Europe/Amsterdm', 'CEST?', '../etc', 'Europe/Amsterdam ']) {
      assert.ok(!isZone(name), name);
    }
  });

  const offsets: readonly (readonly [zone: string, clock: string, minutes: number])[] = [
    ['UTC', '2026-07-01T12:00:00', 0],
    ['Europe/Amsterdam', '2026-01-01T12:00:00', 60],
    ['Europe/Amsterdam', '2026-07-01T12:00:00', 120],
    ['America/New_York', '2026-07-01T00:00:00', -240],
    ['Asia/Kolkata', '2026-07-01T00:00:00', 330],
    ['America/St_Johns', '2026-01-01T00:00:00', -210],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00', 840],
    ['Europe/Amsterdam', '0001-01-01T00:00:00', 18],
  ];
  for (const [zone, clock, minutes] of offsets) {
    it(`has its offset at its clock's ${clock}: ${zone}`, () => {
      const found = offsetMinutes(zone, wall(clock));
      // Before there were zones, clocks went by the sun: ICU and tz count those seconds differently.
      if (clock.startsWith('0001')) assert.ok(Math.abs(found - minutes) <= 2, String(found));
      else assert.equal(found, minutes);
    });
  }

  it('takes an hour that comes twice the first time, and counts one that is left out as before the change', () => {
    assert.equal(offsetMinutes('Europe/Amsterdam', wall('2026-10-25T02:30:00')), 120);
    assert.equal(offsetMinutes('Europe/Amsterdam', wall('2026-10-25T03:00:00')), 60);
    assert.equal(offsetMinutes('Europe/Amsterdam', wall('2026-03-29T02:30:00')), 60);
    assert.equal(offsetMinutes('Europe/Amsterdam', wall('2026-03-29T03:00:00')), 120);
    assert.equal(offsetMinutes('Europe/Amsterdam', wall('2026-03-29T01:59:59')), 60);
  });

  it('says when its clock shows a time twice or never, and which instants that can mean', () => {
    const of = (zone: string, clock: string): readonly unknown[] => {
      const [earlier, later] = (['earlier', 'later'] as const).map((side) => offsetOnClock(zone, wall(clock), side));
      assert.equal(earlier?.doubt, later?.doubt);
      return [earlier?.minutes, later?.minutes, later?.doubt];
    };
    assert.deepEqual(of('Europe/Amsterdam', '2026-10-25T02:30:00'), [120, 60, 'twice']);
    assert.deepEqual(of('Europe/Amsterdam', '2026-03-29T02:30:00'), [120, 60, 'never']);
    assert.deepEqual(of('America/New_York', '2026-11-01T01:59:59'), [-240, -300, 'twice']);
    // Half an hour, and midnight itself.
    assert.deepEqual(of('Australia/Lord_Howe', '2026-10-04T02:15:00'), [660, 630, 'never']);
    assert.deepEqual(of('Africa/Cairo', '2026-04-24T00:00:00'), [180, 120, 'never']);
    for (const clock of ['2026-10-25T01:59:59', '2026-10-25T03:00:00', '2026-03-29T01:59:59', '2026-03-29T03:00:00']) {
      assert.equal(of('Europe/Amsterdam', clock)[2], undefined, clock);
    }
  });

  it('has another offset in each of the two hours that look the same', () => {
    assert.equal(offsetAt('Europe/Amsterdam', Date.parse('2026-10-25T00:30:00Z')), 120);
    assert.equal(offsetAt('Europe/Amsterdam', Date.parse('2026-10-25T01:30:00Z')), 60);
  });

  it('shows its clock at an instant, and the offset at that clock leads back to the instant', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Amsterdam', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran');
    const seconds = fc.integer({ min: Date.UTC(1971, 0) / 1000, max: Date.UTC(2037, 0) / 1000 });
    fc.assert(
      fc.property(zones, seconds, (zone, second) => {
        const instant = second * 1000;
        const clock = wallClock(zone, instant);
        const back = clock - offsetMinutes(zone, clock) * 60_000;
        // The second time of an hour that comes twice is taken for the first.
        assert.ok(back === instant || wallClock(zone, back) === clock, `${zone} ${instant}`);
      }),
    );
  });
});

describe('The zone of this machine', () => {
  const { TZ: before } = process.env;
  const setZone = (text: string | undefined): void => {
    if (text === undefined) delete process.env['TZ'];
    else process.env['TZ'] = text;
  };
  afterEach(() => setZone(before));

  /** Minutes east of UTC at a time, by the program date. */
  const byDate = (text: string, at: string): number => {
    const said = spawnSync('date', ['-u', '-d', `TZ="${text}" ${at}`, '+%s'], { encoding: 'utf8' }).stdout;
    return (Date.parse(`${at}Z`) / 1000 - Number(said)) / 60;
  };

  it('is that of date for what TZ says, or not known', function () {
    needs(this, 'date of GNU');
    const known = argv`UTC Europe/Amsterdam US/Eastern Asia/Kolkata Etc/GMT-3 EST5EDT GMT GMT0 UTC0`;
    const offsets = ['GMT+1', 'CET-1', '<+03>-3', 'UTC+5:00', 'EST5', 'XYZ-14'];
    for (const text of [...known, ...offsets]) {
      setZone(text);
      const zone = zoneOfMachine(text);
      assert.ok(zone !== undefined, text);
      for (const at of ['2026-01-15T09:00:00', '2026-07-01T09:00:00'])
        assert.equal(offsetMinutes(zone, wall(at)), byDate(text, at), `${text} at ${at}`);
    }
    const unknown = [
      'CET-1CEST,M3.5.0,M10.5.0/3',
      'CET-1CEST',
      'Europe/Amsterdam\r',
      'europe/amsterdam',
      'Nonsense/Zone',
    ];
    for (const text of [...unknown, 'Factory', 'XYZ-25', 'CET-1:30', ' ', 'Europe/Amsterdam ']) {
      setZone(text);
      assert.equal(zoneOfMachine(text), undefined, text);
    }
  });

  it('is UTC where TZ is empty', () => {
    setZone('');
    assert.equal(zoneOfMachine(''), 'UTC');
  });

  it('is known by all names of zones', () => {
    for (const text of Intl.supportedValuesOf('timeZone')) {
      setZone(text);
      assert.equal(zoneOfMachine(text), text);
    }
  });
});
