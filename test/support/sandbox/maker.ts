import { openSandbox } from '../../../src/sandbox/sandbox.js';

/** Opens (and so perhaps makes) a sandbox as a process of its own, and says how many relations it found there. */
const [, , file = '', relations = '250'] = process.argv;
process.stdout.write('started\n');
const sandbox = await openSandbox({ file, relations: Number(relations) });
const [count] = sandbox.store.statement('SELECT count(*) FROM "PvRelationData"').first() ?? [];
process.stdout.write(`relations ${Number(count)}\n`);
sandbox.close();
