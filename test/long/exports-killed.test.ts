import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hashOf, inLanes, sizeOf, started, until } from '../support/export-lane.js';
import { lots } from '../support/cases.js';
import { ends, home, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';

const rows = 1000;
const pageSize = 10;
/** Kill points of CSV exports; RELCTL_TEST_KILLS=10000 takes hours. */
const killPoints = Number(process.env['RELCTL_TEST_KILLS'] ?? 10);
/** Each export is killed so often, and then resumed to its end. */
const killsEach = 5;

interface Lane {
  readonly seed: number;
  readonly file: string;
  readonly format: string;
  readonly kills: number;
}

/** One page failed as often as it may: with a page of this run before it that is 8, else what the failure itself says. */
const isShort = ({ code, stderr }: Pick<Run, 'code' | 'stderr'>): boolean =>
  code === 8 || ([6, 7].includes(code ?? 0) && stderr.includes(', 3 attempts'));

/** A run may say that it asks less often: how soon a second refusal and how slow an answer comes is up to the machine. */
const onlySlower = /^(?:[^\n]*relctl calls the service less often from now on: [^\n]*\n)*$/;

describe(`An export of ${rows / pageSize} pages from a service that fails now and then`, function () {
  const place = home();
  const whole = new Map<string, { readonly hash: string | undefined; readonly size: number }>();
  let service: RunningSandbox;

  const args = (file: string, format: string): string[] => {
    const what = ['relation', 'list', '--profile', 'sandbox', '-o', format, '--page-size', String(pageSize)];
    return [...what, '--output-file', file];
  };
  const kindOf = ({ file, format }: Pick<Lane, 'file' | 'format'>): string =>
    file.endsWith('.gz') ? `${format}.gz` : format;

  before(async () => {
    service = await sandbox(
      place.env,
      argv`
      --relations ${String(rows)} --fault reset=amid;every=23 --fault status=503;every=37 --fault
      truncate=50%;every=61
    `,
    );
    for (const [format, ending] of [
      ['csv', ''],
      ['csv', '.gz'],
      ['ndjson', ''],
      ['ndjson', '.gz'],
      ['json', ''],
    ] as const) {
      const file = join(place.folder, `whole.${format}${ending}`);
      await ends(relctl(args(file, format), { env: place.env }), 0, onlySlower, '');
      whole.set(kindOf({ file, format }), { hash: hashOf(file), size: sizeOf(file) });
    }
  });
  after(async () => {
    await service.stop();
    place.remove();
  });

  /** Lets one run of an export begin or go on, and kills it; tells how it ended if it came to that before. */
  async function killedOnce(lane: Lane, draw: (below: number) => number): Promise<'killed' | 'short' | 'done'> {
    const { size } = whole.get(kindOf(lane)) ?? { size: 0 };
    const part = `${lane.file}.part`;
    const run = started([...args(lane.file, lane.format), '--resume'], { env: place.env });
    if (draw(4) === 0) {
      // By time: also while it starts, reads what is there, or ends.
      await Promise.race([pause(draw(1200)), run.ended]);
    } else {
      // By what was written since, so that the points lie all over the file.
      const before = Math.max(0, sizeOf(part));
      const goal = before + draw(Math.ceil((size - before) / 2));
      await until(run, () => sizeOf(part) > goal);
    }
    run.child.kill('SIGKILL');
    const { signal, code, stderr } = await run.ended;
    const isOneShort = isShort({ code, stderr });
    assert.ok(signal === 'SIGKILL' || code === 0 || isOneShort, `seed ${lane.seed}: ${code} ${stderr}`);
    return signal === 'SIGKILL' ? 'killed' : isOneShort ? 'short' : 'done';
  }

  const toItsEnd = ({ file, format }: Lane): Promise<Run> =>
    relctl([...args(file, format), '--resume'], { env: place.env });

  async function tortured(lane: Lane): Promise<number> {
    const draw = lots(lane.seed);
    let kills = 0;
    for (let end = ''; kills < lane.kills && end !== 'done'; kills += end === 'killed' ? 1 : 0) {
      end = await killedOnce(lane, draw);
    }
    // One that ended before it was killed is a new export when it is begun again, which is whole too.
    let last = await toItsEnd(lane);
    while (isShort(last)) last = await toItsEnd(lane);
    assert.deepEqual([last.code, last.stdout], [0, ''], `seed ${lane.seed}: ${last.stderr}`);
    assert.match(last.stderr, onlySlower, `seed ${lane.seed}`);
    assert.equal(
      hashOf(lane.file),
      whole.get(kindOf(lane))?.hash,
      `seed ${lane.seed}: not the file of a run in one go`,
    );
    // The try at a lock of a run that was killed right then holds nobody up.
    const left = readdirSync(place.folder).filter(
      (name) =>
        name.startsWith(`${basename(lane.file)}.`) &&
        !/\.lock(?:\.[0-9a-f]{16})*(?:\.[0-9a-f]{16}|\.new\.\d+)$/.test(name),
    );
    assert.deepEqual(left, [], `seed ${lane.seed}: something was left`);
    return kills;
  }

  it(`is byte for byte the same after kill -9 at ${killPoints} points, each time resumed`, async () => {
    let kills = 0;
    let seed = 1;
    while (kills < killPoints) {
      const seeds = Array.from({ length: Math.ceil((killPoints - kills) / killsEach) }, () => seed++);
      await inLanes(6, seeds, async (each) => {
        const file = join(place.folder, `lane-${each}.csv`);
        kills += await tortured({ seed: each, file, format: 'csv', kills: killsEach });
      });
    }
  });

  it('is so too as csv.gz, ndjson, ndjson.gz and json', async () => {
    const others = [
      ['csv', '.gz'],
      ['ndjson', ''],
      ['ndjson', '.gz'],
      ['json', ''],
    ] as const;
    // At once: each of them waits most of its time, for the next try of a call that failed.
    await inLanes(others.length, others, async ([format, ending]) => {
      let kills = 0;
      for (let seed = 1; kills < 3; seed += 1) {
        const file = join(place.folder, `${format}${ending}-${seed}.${format}${ending}`);
        kills += await tortured({ seed: seed + 1000, file, format, kills: 3 });
      }
    });
  });
});
