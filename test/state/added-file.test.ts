import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { addTo, openToAdd } from '../../src/state/added-file.js';
import { assertFailure, place } from '../support/profiles/place.js';
import { failureOf } from '../support/thrown.js';
import { skip } from '../support/skip.js';

describe('A file that lines are added to', () => {
  const here = place();
  after(() => here.remove());
  const refused = async (file: string, says: RegExp): Promise<void> => {
    for (const open of [() => openToAdd(file), () => openToAdd(file, { reads: true }), () => addTo(file, 'x')])
      assertFailure(await failureOf(open), { kind: 'local', says });
  };
  const onUnix = (test: Mocha.Context): void => {
    if (process.platform === 'win32') skip(test, 'Windows has no such files');
  };

  it('is made for its owner alone, whatever the umask, and keeps the mode that it has', function () {
    onUnix(this);
    const before = process.umask(0);
    try {
      addTo(here.at('new'), 'a\n');
      closeSync(openToAdd(here.at('opened')));
    } finally {
      process.umask(before);
    }
    const modes = ['new', 'opened'].map((name) => (statSync(here.at(name)).mode & 0o777).toString(8));
    assert.deepEqual(modes, ['600', '600']);
    chmodSync(here.at('new'), 0o644);
    addTo(here.at('new'), 'b\n');
    assert.equal(readFileSync(here.at('new'), 'utf8'), 'a\nb\n');
    assert.equal(statSync(here.at('new')).mode & 0o777, 0o644);
  });

  it('is not reached by a link, to what is there or not', async function () {
    onUnix(this);
    const target = here.put('target', 'as it was');
    symlinkSync(target, here.at('link'));
    symlinkSync('new target', here.at('dangling'));
    symlinkSync('/dev/null', here.at('device'));
    mkdirSync(here.at('folder'));
    symlinkSync(here.at('folder'), here.at('folder link'));
    for (const name of ['link', 'dangling', 'device', 'folder link'])
      await refused(here.at(name), /cannot be written: it is a symbolic link$/);
    assert.equal(readFileSync(target, 'utf8'), 'as it was');
    assert.throws(() => statSync(here.at('new target')));
    addTo(here.at('folder link/in it'), 'x');
    assert.equal(readFileSync(here.at('folder/in it'), 'utf8'), 'x');
  });

  it('has one name', async () => {
    const file = here.put('named', 'as it was');
    linkSync(file, here.at('other name'));
    await refused(here.at('other name'), /cannot be written: it has a second hard link$/);
    assert.equal(readFileSync(file, 'utf8'), 'as it was');
  });

  it('belongs to the user, as a pipe does', async function () {
    if (process.getuid?.() !== 0) skip(this, 'only root can give files away');
    const file = here.put('given', 'as it was', 0o666);
    execFileSync('mkfifo', [here.at('pipe')]);
    for (const name of ['given', 'pipe']) {
      chownSync(here.at(name), 65_534, 65_534);
      await refused(here.at(name), /cannot be written: it belongs to another user$/);
    }
    assert.equal(readFileSync(file, 'utf8'), 'as it was');
  });

  it('may be a pipe that somebody reads', function () {
    onUnix(this);
    const pipe = here.at('read pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    // To open a pipe for both waits for nobody.
    const reader = openSync(pipe, 'r+');
    addTo(pipe, 'a\n');
    const taken = Buffer.alloc(8);
    assert.equal(taken.toString('utf8', 0, readSync(reader, taken)), 'a\n');
    closeSync(reader);
  });

  it('may be a device, and an open file of the process by its name', function () {
    if (process.platform !== 'linux') skip(this, 'the names of open files are those of Linux');
    addTo('/dev/null', 'x');
    const handle = openSync(here.at('open'), 'w+');
    addTo(`/dev/fd/${handle}`, 'a');
    addTo(`/proc/self/fd/${handle}`, 'b');
    closeSync(handle);
    assert.equal(readFileSync(here.at('open'), 'utf8'), 'ab');
  });

  it('is not in a folder that is not there, and is no folder', async () => {
    await refused(here.at('none/file'), /cannot be written: the folder does not exist$/);
    await refused(here.folder, /cannot be written: it is a folder$/);
  });
});
