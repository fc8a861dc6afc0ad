import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { thisProcess } from '../../src/state/locks/holder.js';
import { place } from '../support/profiles/place.js';

const markOf = (held: string): string => createHash('sha256').update(held).digest('hex').slice(0, 16);

const contender = fileURLToPath(new URL('contender.ts', import.meta.url));

interface Contender {
  /** Lets it begin on a file; tells how it ended. */
  begin(file: string): Promise<string>;
  /** Lets the one that is at work end. */
  release(): void;
  end(): void;
}

/** A process that exports to files when it is told to. */
async function contending(traces: string): Promise<Contender> {
  const child = spawn(process.execPath, ['--import', 'tsx', contender, traces], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const step: IteratorResult<string, undefined> = await lines.next();
    return step.done === true ? 'ended' : step.value;
  };
  assert.equal(await next(), 'ready');
  return {
    begin: (file) => {
      child.stdin.write(`${file}\n`);
      return next();
    },
    release: () => child.stdin.write('release\n'),
    end: () => child.stdin.end(),
  };
}

describe('Fifty processes that export to one file at once', function () {
  const here = place();
  const contenders: Contender[] = [];

  before(async () => {
    // A few at a time: each start is a second of work.
    for (let count = 0; count < 50; count += 10) {
      contenders.push(...(await Promise.all(Array.from({ length: 10 }, () => contending(here.at('traces'))))));
    }
  });
  after(() => {
    for (const each of contenders) each.end();
    here.remove();
  });

  /** What each came to; the winner waits within its work until the others have ended. */
  async function contest(file: string): Promise<readonly string[]> {
    const ended: string[] = [];
    const all = contenders.map(async (each) => {
      const how = await each.begin(file);
      ended.push(how);
      if (ended.length === contenders.length - 1) for (const other of contenders) other.release();
    });
    await Promise.all(all);
    return ended;
  }

  it('in twenty rounds, with the engine alone in processes started before, have one winner each, 49 locked out with 11, and a valid file', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const file = here.at(`list-${round}.csv`);
      // In every other round the lock of a process that was killed is in the way; in every fourth so is that of one that
      // was killed while it removed the first.
      const name = `list-${round}.csv.lock`;
      if (round % 2 === 0) here.put(name, deadLock('1'));
      if (round % 4 === 0) here.put(`${name}.${markOf(deadLock('1'))}`, deadLock('2'));
      const ended = await contest(file);
      assert.deepEqual(
        [ended.filter((how) => how === 'done').length, ended.filter((how) => how === 'locked 11').length],
        [1, 49],
        `round ${round}: ${[...new Set(ended)].join(', ')}`,
      );
      assert.equal(readFileSync(file, 'utf8'), 'Id\n1\n2\n3\n');
      const left = readdirSync(here.folder).filter((name) => name.startsWith(`list-${round}.csv.`));
      assert.deepEqual(left, []);
      rmSync(file);
    }
  });

  /** The lock of a process that has ended: this machine's own, with a start that is another's. */
  function deadLock(started: string): string {
    return JSON.stringify({ ...thisProcess(), started });
  }
});
