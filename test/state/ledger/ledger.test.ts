import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addToLedger, forgetLedger, readLedger, type WriteStart } from '../../../src/state/ledger/ledger.js';

const at = '2026-01-01T00:00:00.000Z';
const begun = (id: string, words = 'change product 00001'): WriteStart => ({
  id,
  at,
  what: words,
  operation: 'ProductUpdate_V2',
  service: { url: 'http://localhost/', namespace: 'n', database: '' },
  user: 'joelle',
});

describe('The ledger', () => {
  let folder = '';

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'relctl-test-')), 'writes');
  });

  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  it('gives each write with its end, the oldest first, and is for its owner alone', async () => {
    await addToLedger(folder, 'eu', { begins: begun('a') });
    await addToLedger(folder, 'eu', { begins: begun('b') });
    await addToLedger(folder, 'eu', { ends: { entry: 'a', at, outcome: 'done' } });
    assert.deepEqual(readLedger(folder, 'eu'), [
      { begun: begun('a'), ended: { entry: 'a', at, outcome: 'done' } },
      { begun: begun('b') },
    ]);
    assert.deepEqual(readLedger(folder, 'us'), []);
    assert.deepEqual([statSync(folder).mode & 0o777, statSync(join(folder, 'eu.ledger')).mode & 0o777], [0o700, 0o600]);
  });

  it('is not kept through a link', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'target'), 'as it was');
    symlinkSync('target', join(folder, 'eu.ledger'));
    const add = addToLedger(folder, 'eu', { begins: begun('a') });
    await assert.rejects(add, { kind: 'local', message: /eu\.ledger cannot be written: it is a symbolic link$/ });
    assert.equal(readFileSync(join(folder, 'target'), 'utf8'), 'as it was');
  });

  it('loses only the line that was torn, and none behind it', async () => {
    await addToLedger(folder, 'eu', { begins: begun('a') });
    appendFileSync(join(folder, 'eu.ledger'), '0123456789abcdef {"begins":{"id":"to');
    await addToLedger(folder, 'eu', { begins: begun('b') });
    assert.deepEqual(
      readLedger(folder, 'eu').map((entry) => entry.begun.id),
      ['a', 'b'],
    );
  });

  it('sets files aside that have become long, and keeps what they hold', async () => {
    const words = 'x'.repeat(1024 * 1024);
    for (let id = 0; id < 20; id += 1) await addToLedger(folder, 'eu', { begins: begun(String(id), words) });
    await addToLedger(folder, 'eu', { ends: { entry: '0', at, outcome: 'done' } });
    const files = readdirSync(folder).filter((name) => !name.endsWith('.lock'));
    assert.deepEqual(files.sort(), ['eu.ledger', 'eu.ledger.1', 'eu.ledger.2']);
    const entries = readLedger(folder, 'eu');
    assert.deepEqual(
      entries.map((entry) => entry.begun.id),
      Array.from({ length: 20 }, (_, id) => String(id)),
    );
    assert.equal(entries[0]?.ended?.outcome, 'done');
    assert.equal(forgetLedger(folder, 'eu'), 3);
    assert.deepEqual(readLedger(folder, 'eu'), []);
  });

  it('takes lines although a long file cannot be set aside', async () => {
    const words = 'x'.repeat(1024 * 1024);
    await addToLedger(folder, 'eu', { begins: begun('first') });
    // The oldest file would be removed, and is a folder.
    mkdirSync(join(folder, 'eu.ledger.9'), { recursive: true });
    for (let id = 0; id < 9; id += 1) await addToLedger(folder, 'eu', { begins: begun(String(id), words) });
    assert.ok(statSync(join(folder, 'eu.ledger')).size > 9 * words.length);
    rmSync(join(folder, 'eu.ledger.9'), { recursive: true });
    await addToLedger(folder, 'eu', { begins: begun('last') });
    assert.deepEqual(
      readLedger(folder, 'eu').map((entry) => entry.begun.id),
      ['first', ...Array.from({ length: 9 }, (_, id) => String(id)), 'last'],
    );
    assert.ok(!existsSync(join(folder, 'eu.ledger')));
  });

  it('loses nothing of five processes that write at once', async () => {
    const module = fileURLToPath(new URL('../../../src/state/ledger/ledger.ts', import.meta.url));
    const script = `
      import { addToLedger } from ${JSON.stringify(module)};
      const [folder, name] = process.argv.slice(-2);
      for (let at = 0; at < 20; at += 1)
        await addToLedger(folder, 'eu', { begins: { ...${JSON.stringify(begun(''))}, id: name + '-' + at } });
    `;
    const children = Array.from({ length: 5 }, (_, index) =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder, `p${index}`], {
        stdio: 'inherit',
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    assert.deepEqual(new Set(codes), new Set([0]));
    const ids = readLedger(folder, 'eu').map((entry) => entry.begun.id);
    assert.equal(new Set(ids).size, 5 * 20);
  });
});
