import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPartFile } from '../../src/state/part-file.js';
import { argv } from '../support/argv.js';

/** The number of a process that has ended. */
const ended = (): number => spawnSync('true').pid;

describe('A part file', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'relctl-part-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);

  it('is only its owner’s, and in its place with all that was written since it began anew', () => {
    const part = openPartFile(path('a'));
    part.write(Buffer.from('something longer'));
    part.restart();
    part.write(Buffer.from('one '));
    part.write(Buffer.from('two'));
    const [name = ''] = readdirSync(folder);
    assert.equal(statSync(path(name)).mode & 0o777, 0o600);
    part.putAs(path('b'));
    part.discard();
    assert.deepEqual(readdirSync(folder), ['b']);
    assert.equal(readFileSync(path('b'), 'utf8'), 'one two');
  });

  it('is gone when it is discarded, as often as that is said', () => {
    const part = openPartFile(path('a'));
    part.write(Buffer.from('x'));
    part.discard();
    part.discard();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('takes away what killed runs left of the same file, and nothing else', () => {
    const own = openPartFile(path('a'));
    const [name = ''] = readdirSync(folder);
    const host = name.slice(-16);
    const left = `a.part-${ended()}-${host}`;
    const others = argv`
      a.part-${ended()}-0000000000000000 a.part-${process.ppid}-${host} b.part-${ended()}-${host}
      a.part-${ended()}-${host}.txt a.part-x.part-${ended()}-${host} a.part a
    `;
    for (const each of [left, ...others]) writeFileSync(path(each), 'x');
    symlinkSync('a', path(`a.part-${ended()}-${host}`));
    own.discard();
    const before = readdirSync(folder).filter((each) => each !== left);
    const next = openPartFile(path('a'));
    assert.deepEqual(readdirSync(folder).sort(), [...before, name].sort());
    next.discard();
  });

  it('does not write through a link that stands under its name', () => {
    const own = openPartFile(path('a'));
    const [name = ''] = readdirSync(folder);
    own.discard();
    writeFileSync(path('victim'), 'mine');
    symlinkSync('victim', path(name));
    const part = openPartFile(path('a'));
    part.write(Buffer.from('x'));
    part.discard();
    assert.equal(readFileSync(path('victim'), 'utf8'), 'mine');
  });

  it('says which file cannot be written, and why', () => {
    const file = join(folder, 'none', 'a');
    assert.throws(() => openPartFile(file), {
      kind: 'local',
      message: `${file} cannot be written: the folder does not exist`,
    });
  });
});
