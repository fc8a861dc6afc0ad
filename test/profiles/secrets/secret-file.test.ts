import assert from 'node:assert/strict';
import { faultOfAccess } from '../../../src/profiles/secrets/secret.js';

const me = { uid: 1000, groups: [1000, 27] };
const root = { uid: 0, groups: [0, 2000] };

const others = { read: 'can be read by other users', change: 'can be changed by other users' };
const group = 'can be read by other users of its group';
const foreign = 'belongs to another user';

type Runner = typeof me;
type Case = readonly [uid: number, gid: number, mode: number, runner: Runner, reason?: string];

const cases: readonly Case[] = [
  // Files of the user.
  ...[0o600, 0o400, 0o700, 0o500].map((mode): Case => [1000, 1000, mode, me]),
  [1000, 1000, 0o440, me],
  [1000, 27, 0o440, me],
  [1000, 28, 0o440, me, group],
  [1000, 1000, 0o640, me, group],
  [1000, 27, 0o640, me, group],
  [1000, 1000, 0o660, me, others.change],
  [1000, 1000, 0o460, me, others.change],
  [1000, 1000, 0o644, me, others.read],
  [1000, 1000, 0o444, me, others.read],
  [1000, 1000, 0o604, me, others.read],
  [1000, 1000, 0o601, me, others.read],
  [1000, 1000, 0o602, me, others.change],
  [1000, 1000, 0o666, me, others.change],
  // Files of root, as they are mounted.
  [0, 0, 0o600, me],
  [0, 0, 0o400, me],
  [0, 1000, 0o440, me],
  [0, 27, 0o640, me],
  [0, 28, 0o440, me, group],
  [0, 0, 0o440, me, group],
  [0, 1000, 0o660, me, others.change],
  [0, 0, 0o444, me, others.read],
  [0, 0, 0o644, me, others.read],
  // Files of somebody else.
  [1001, 1000, 0o600, me, foreign],
  [1001, 1000, 0o440, me, foreign],
  [1001, 1001, 0o444, me, foreign],
  // Root.
  [0, 0, 0o600, root],
  [0, 0, 0o440, root],
  [0, 2000, 0o640, root],
  [0, 28, 0o440, root, group],
  [0, 0, 0o444, root, others.read],
  [0, 0, 0o644, root, others.read],
  [1000, 1000, 0o600, root],
  [1000, 1000, 0o440, root, group],
  [1000, 2000, 0o440, root],
  [1000, 1000, 0o644, root, others.read],
  [1000, 1000, 0o622, root, others.change],
];

describe('The access to a file with a secret', () => {
  for (const [uid, gid, mode, runner, reason] of cases)
    it(`${reason === undefined ? 'is right' : `is wrong: it ${reason}`}, for user ${runner.uid} and mode ${mode.toString(8)} of ${uid}:${gid}`, () => {
      assert.equal(faultOfAccess('/f', { uid, gid, mode: 0o100000 | mode }, runner)?.reason, reason);
    });

  it('is mended by who can, and where the file is mounted', () => {
    const remedyOf = (uid: number, mode: number, runner: Runner): readonly [unknown, boolean] => {
      const { hint, advice = '' } = faultOfAccess('/a b', { uid, gid: 1, mode }, runner)?.remedy ?? {};
      return [hint, /Kubernetes: defaultMode and fsGroup; Docker: uid, gid and mode/.test(advice)];
    };
    const [mend, look] = ["chmod 600 '/a b'", "ls -lL '/a b'"];
    assert.deepEqual(remedyOf(1000, 0o644, me), [mend, false]);
    assert.deepEqual(remedyOf(1000, 0o444, me), [mend, true]);
    assert.deepEqual(remedyOf(0, 0o644, me), [look, true]);
    assert.deepEqual(remedyOf(1001, 0o600, me), [look, false]);
    assert.deepEqual(remedyOf(1001, 0o400, me), [look, true]);
    assert.deepEqual(remedyOf(0, 0o444, root), [mend, true]);
    assert.deepEqual(remedyOf(1000, 0o644, root), [mend, false]);
  });

  it('is right for no user with a bit for others, whatever else it says', () => {
    for (const runner of [me, root])
      for (const uid of [0, 1000])
        for (let mode = 0; mode < 0o1000; mode += 1) {
          const isRight = faultOfAccess('/f', { uid, gid: 1000, mode }, { ...runner, groups: [1000] }) === undefined;
          assert.ok(!isRight || (mode & 0o027) === 0, `${uid} ${mode.toString(8)}`);
        }
  });
});
