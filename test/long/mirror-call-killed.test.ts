import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RecordValue } from '../../src/core/values/value.js';
import { lots } from '../support/cases.js';
import { callPlace, type CallPlace } from '../support/mirror/calls.js';
import { program } from '../support/relctl.js';
import { broken, order } from '../support/sandbox/deployed.js';

const kills = 8;
const name = 'call_killed';

/** Orders of which some changed since the round before, some went and some came. */
const ordersOf = (round: number, draw: (most: number) => number): readonly RecordValue[] =>
  Array.from({ length: 55 }, (_, at) => at + 1)
    .filter((number) => (number + round) % 11 !== 0)
    .map((number) => order(number, draw(3) === 0 ? { Code: `round ${round}`, Notes: [`n${round}`, 'b'] } : {}));

/** The service sends nil for a list without items. */
const onTheWire = (row: RecordValue): unknown =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, Array.isArray(value) && value.length === 0 ? null : value]),
  );

/** What lists within orders are in a table: the number of the order, the place, and the value. */
const notesOf = (rows: readonly RecordValue[]): readonly string[] =>
  rows.flatMap(({ Number: number, Notes: notes }) =>
    (notes as readonly string[]).map((note, at) => `${Number(number)} ${at} ${note}`),
  );

function killedTests({ here, done, run, json, orders, importWith }: CallPlace, to: () => readonly string[]): void {
  const draw = lots(20_261_124);

  /** Syncs in a process that is killed while a page is asked for. */
  async function killedAt(page: number): Promise<void> {
    const words = ['mirror', 'sync', name, '--concurrency', '1', '--set', 'retries=0', ...to()];
    const child = spawn(process.execPath, [program, ...words], { env: here().env, stdio: 'ignore' });
    const ended = once(child, 'close');
    orders.onPage = (asked) => {
      if (asked !== page) return undefined;
      child.kill('SIGKILL');
      return broken();
    };
    await ended;
    orders.onPage = () => undefined;
    assert.equal(child.signalCode, 'SIGKILL');
  }

  /** Undefined before a sync has read the list to its end. */
  async function shown(): Promise<string | undefined> {
    const { code, stdout, stderr } = await run('mirror', 'list', name, '-o', 'ndjson', ...to());
    if (code === 5 && stderr.includes('no sync has read it')) return undefined;
    assert.equal(code, 0, stderr);
    return stdout;
  }

  async function checkRows(rows: readonly RecordValue[]): Promise<void> {
    const lines = ((await shown()) ?? '').split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      rows.map(onTheWire),
    );
    const notes = await json('sql', `SELECT _owner, _position, "Value" FROM ${name}_notes`, ...to());
    assert.deepEqual(
      notes.map(({ _owner, _position, Value }) => `${String(_owner)} ${String(_position)} ${String(Value)}`).sort(),
      [...notesOf(rows)].sort(),
    );
  }

  it('shows what it had until one reads to the end, and then each record once, as it is', async () => {
    await importWith();
    await done('mirror', 'add', 'call:OrderGetAll', '--list', 'Orders', '--key', 'Number', '--as', 'killed', ...to());
    let before: string | undefined;
    for (let round = 0; round < kills; round += 1) {
      orders.rows = ordersOf(round, draw);
      await killedAt(1 + draw(5));
      assert.equal(await shown(), before, `round ${round}`);
      await killedAt(5);
      assert.equal(await shown(), before, `round ${round}`);
      orders.pages.length = 0;
      await done('mirror', 'sync', name, ...to());
      // It goes on from its place; what is missing is confirmed from the beginning.
      assert.ok(round > 0 || !orders.pages.includes(1), `round ${round}: ${orders.pages.join(' ')}`);
      await checkRows(orders.rows);
      before = await shown();
    }
  });
}

describe('A mirror of a list of an operation whose syncs are killed', () => {
  const place = callPlace();
  killedTests(place, () => ['--mirror', join(place.here().folder, 'killed.db')]);
});
