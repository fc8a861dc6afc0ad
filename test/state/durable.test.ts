import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { replaceByPart, writeAll } from '../../src/state/durable.js';
import { createOwn, openOwn, removeOwn } from '../../src/state/own-file.js';
import { writeWhole } from '../../src/state/part-file.js';
import { assertFailure, place } from '../support/profiles/place.js';
import { failureOf } from '../support/thrown.js';

describe('A file that is written whole or not at all', () => {
  const here = place();
  after(() => here.remove());

  it('is for its owner, and replaces what was there', () => {
    const file = here.put('small', 'old', 0o644);
    writeWhole(file, 'new');
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['new', 0o600]);
  });

  it('leaves nothing behind when it cannot be', async () => {
    mkdirSync(here.at('folder/full'), { recursive: true });
    const before = readdirSync(here.folder);
    assertFailure(await failureOf(() => writeWhole(here.at('folder'), 'new')), {
      kind: 'local',
      says: /it is a folder/,
    });
    assert.deepEqual(readdirSync(here.folder), before);
    const nowhere = await failureOf(() => writeWhole(here.at('none/small'), 'new'));
    assertFailure(nowhere, { kind: 'local', says: /the folder does not exist/ });
    assert.equal(nowhere.exitCode, 10);
  });

  it('takes the place of another in one step', async () => {
    const [part, file] = [here.put('part', 'new'), here.put('file', 'old')];
    replaceByPart(part, file);
    assert.equal(readFileSync(file, 'utf8'), 'new');
    assertFailure(await failureOf(() => replaceByPart(part, file)), { kind: 'local', says: /file cannot be written/ });
  });

  it('takes all bytes', () => {
    const handle = openSync(here.at('bytes'), 'w');
    writeAll(handle, Buffer.alloc(300_000, 'x'));
    closeSync(handle);
    assert.equal(statSync(here.at('bytes')).size, 300_000);
  });
});

describe('A file of our own', () => {
  const here = place();
  after(() => here.remove());

  it('is made anew in the place of a link, and opened through none', async () => {
    const victim = here.put('victim', 'precious');
    symlinkSync('victim', here.at('link'));
    assertFailure(await failureOf(() => openOwn(here.at('link'))), { kind: 'local', says: /symbolic link/ });
    closeSync(createOwn(here.at('link'), 0o600));
    closeSync(openOwn(here.at('link')));
    assert.equal(readFileSync(victim, 'utf8'), 'precious');
  });

  it('is no folder', async () => {
    mkdirSync(here.at('folder'));
    assertFailure(await failureOf(() => openOwn(here.at('folder'))), { kind: 'local', says: /it is a folder/ });
    assertFailure(await failureOf(() => createOwn(here.at('folder'), 0o600)), {
      kind: 'local',
      says: /cannot be written/,
    });
    assertFailure(await failureOf(() => removeOwn(here.at('folder'))), { kind: 'local', says: /cannot be written/ });
  });
});
