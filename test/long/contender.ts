import { once, EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import type { Claim, Page } from '../../src/client/pages.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { runExport } from '../../src/lists/export/export-run.js';
import { planFor } from '../support/export/plan.js';

const [traces = ''] = process.argv.slice(2);
const told = new EventEmitter();

/** Two pages; between them the others have their turn. */
async function* pages(): AsyncGenerator<Page, Claim> {
  const page = { duplicates: 0, retries: 0 };
  yield { ...page, number: 1, signature: 'a', records: [{ Id: '1' }, { Id: '2' }] };
  await once(told, 'release');
  yield { ...page, number: 2, signature: 'b', records: [{ Id: '3' }] };
  return {
    pages: 3,
    rows: 3,
    duplicates: 0,
    changed: 0,
    retries: 0,
    firstId: '1',
    lastId: '3',
    ended: 'empty page',
    shifted: false,
    more: false,
  };
}

async function outcome(file: string): Promise<string> {
  try {
    await runExport(planFor(file, { target: { registry: traces }, pages }));
    return 'done';
  } catch (thrown) {
    const { kind, exitCode } = RelctlError.from(thrown);
    return `${kind} ${exitCode}`;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'release') told.emit('release');
  else void outcome(line).then((how) => process.stdout.write(`${how}\n`));
});
process.stdout.write('ready\n');
