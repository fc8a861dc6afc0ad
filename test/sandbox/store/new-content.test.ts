import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { ownTag } from '../../../src/files/locks/holder.js';
import { atOnce } from '../../../src/plain/work.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { NewContent, pieceLength } from '../../../src/sandbox/store/contents.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('A content that is being received', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await temporarySandbox(10);
  });
  afterEach(() => sandbox.close());

  const begun = (): NewContent => {
    const content = new NewContent(sandbox.store);
    content.write('A'.repeat(9 * pieceLength));
    return content;
  };
  const counts = (): readonly unknown[] =>
    ['Content', 'ContentPiece'].map((table) => sandbox.store.statement(`SELECT count(*) FROM "${table}"`).first()?.[0]);
  const received = (receiver: string): void => {
    begun();
    sandbox.store.statement('UPDATE "Content" SET receiver = ?').run(receiver);
  };
  const reopened = async (): Promise<readonly unknown[]> => {
    const other = await openSandbox({ file: sandbox.file });
    other.close();
    return counts();
  };

  it('goes when it is dropped, and stays when it was given to an attachment', () => {
    const dropped = begun();
    const given = begun();
    given.giveTo(1);
    for (const content of [dropped, given, new NewContent(sandbox.store)]) atOnce(content.drop());
    assert.deepEqual(counts(), [1, 9]);
  });

  it('goes too when it was given in a transaction that failed', () => {
    const content = begun();
    assert.throws(
      () =>
        sandbox.store.write(() => {
          content.giveTo(1);
          throw new Error('failed');
        }),
      /failed/,
    );
    atOnce(content.drop());
    assert.deepEqual(counts(), [0, 0]);
  });

  it('is left to a process that is alive', async () => {
    received(ownTag());
    assert.deepEqual(await reopened(), [1, 9]);
  });

  it('is removed at the next start when its process has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    received(ownTag().replace(/^\d+/, String(pid)));
    assert.deepEqual(await reopened(), [0, 0]);
  });
});
