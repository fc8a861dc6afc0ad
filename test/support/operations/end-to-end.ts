import assert from 'node:assert/strict';
import { operations, type OperationName } from '../../../src/contract/service.js';
import type { Run, RunOptions } from '../relctl.js';
import { callsIn, type Place } from './place.js';

/** The program in one SOAP version. */
export interface Calling extends Pick<Place, 'run' | 'json'> {
  readonly soap: '1.1' | '1.2';
}

/** What a promise does. */
type Work = (calling: Calling) => Promise<void>;

/** A mistake: the arguments, and what the message must name. */
export type Mistake = readonly [args: readonly string[], names: RegExp];

/** What an end-to-end test of one operation has to show. */
export interface EndToEnd {
  /** Promises of the commands that call the operation; each is kept in SOAP 1.1 and in 1.2. */
  readonly works: Readonly<Record<string, Work>>;
  /** Bad input that is refused before anything is sent. */
  readonly refuses: readonly Mistake[];
}

async function refused(place: Place, [args, names]: Mistake): Promise<void> {
  const trace = place.fresh('trace');
  const { code, stdout, stderr } = await place.run([...args, `--trace=${trace}`]);
  const what = `${args.join(' ')}\n${stderr}`;
  assert.equal(code, 2, what);
  assert.equal(stdout, '', what);
  assert.match(stderr, names, what);
  assert.deepEqual(callsIn(trace), [], what);
}

/** Runs mistakes: each is exit code 2, is named, and sends nothing. */
export async function allRefused(place: Place, mistakes: readonly Mistake[]): Promise<void> {
  const before = place.digest();
  await Promise.all(mistakes.map((mistake) => refused(place, mistake)));
  assert.equal(place.digest(), before);
}

/** Keeps a promise in one SOAP version. */
async function kept(place: Place, operation: OperationName, work: Work, soap: Calling['soap']): Promise<void> {
  const trace = place.fresh('trace');
  const flags = ['--set', `soapVersion=${soap}`, `--trace=${trace}`];
  const run = (args: readonly string[], options?: RunOptions): Promise<Run> => place.run([...args, ...flags], options);
  await work({ soap, run, json: (args, options) => place.json([...args, ...flags], options) });
  const calls = callsIn(trace);
  assert.ok(
    calls.some((call) => call.operation === operation),
    JSON.stringify(calls),
  );
  assert.deepEqual([...new Set(calls.map((call) => call.soap))], [soap]);
}

/**
 * The end-to-end test of an operation: the built program against the sandbox, in both SOAP versions; what reads runs in
 * both at once. That the operation was called, and in that version, is read from the trace. The name must be written out:
 * coverage.test.ts and the documentation look for it.
 */
export function endToEnd(place: Place, operation: OperationName, { works, refuses }: EndToEnd): void {
  describe(operation, () => {
    for (const [title, work] of Object.entries(works)) {
      it(`${title}, in SOAP 1.1 and 1.2`, async () => {
        const first = kept(place, operation, work, '1.1');
        if (operations[operation].access !== 'read') await first;
        await Promise.all([first, kept(place, operation, work, '1.2')]);
      });
    }
    it('refuses bad input by name, before anything is sent', () => allRefused(place, refuses));
  });
}
