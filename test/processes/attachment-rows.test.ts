import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { attachmentMade, bytesOf, namespace } from '../support/soap-answers.js';
import { answers, brokenServer } from '../support/broken-server.js';
import { started, until } from '../support/export-lane.js';
import { resultsOf, place } from '../support/operations/place.js';
import { ends, home, type Run } from '../support/relctl.js';
import { valuesOf } from '../support/thrown.js';

const activity = '00000000-0020-4000-8000-000000000001';
const other = '00000000-0020-4000-8000-000000000002';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('activity attach --file', () => {
  const here = place();
  let folders = 0;
  /** A folder with these files. */
  function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
    const path = join(here.folder, `files-${(folders += 1)}`);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), content);
    }
    return path;
  }
  const attach = (...more: readonly string[]): Promise<Run> => here.run(['activity', 'attach', '--yes', ...more]);
  /** What the service has under a name: activity and content. */
  const attached = (name: string): readonly (readonly [string, Buffer])[] =>
    here
      .rows(
        `SELECT a."ActivityId", coalesce((SELECT group_concat(Text, '') FROM (SELECT Text FROM "ContentPiece" WHERE attachment = a.seq ORDER BY position)), a."Base64EncodedFile", '') FROM "Attachment" a WHERE a."FileName" = ? ORDER BY a.seq`,
        name,
      )
      .map(([id, text]) => [String(id), Buffer.from(String(text), 'base64')]);
  /** A run with mistakes: each is told, and nothing is sent. */
  async function refused(told: readonly RegExp[], ...more: readonly string[]): Promise<void> {
    const before = here.digest();
    const { stderr } = await ends(attach(...more), 2);
    for (const each of told) assert.match(stderr, each);
    assert.equal(here.digest(), before);
  }

  it('attaches the file of each row byte for byte, and tells size and hash of each', async () => {
    const large = bytesOf(300_000);
    const path = folder({
      'a.txt': 'hello',
      'sub/b.bin': large,
      empty: '',
      'rows.csv': `id,path,name\n${activity},a.txt,\n${activity},sub/b.bin,plan.bin\n${other},empty,\n`,
    });
    const rows = join(path, 'rows.csv');
    await ends(attach('--file', rows), 0, '');
    assert.deepEqual(attached('a.txt'), [[activity, Buffer.from('hello')]]);
    assert.deepEqual(attached('plan.bin'), [[activity, large]]);
    assert.deepEqual(attached('empty'), [[other, Buffer.alloc(0)]]);
    assert.deepEqual(
      valuesOf(resultsOf(rows), '_outcome', '_size', '_sha256'),
      ['hello', large, ''].map((content) => [
        'done',
        String(Buffer.from(content).length),
        sha256(Buffer.from(content)),
      ]),
    );
  });

  it('keeps no content in journal and ledger, but its size and hash', async () => {
    const secret = 'Nobody may find this in a journal.';
    const path = folder({ 'secret.txt': secret, 'rows.csv': `id,file\n${activity},secret.txt\n` });
    assert.equal((await attach('--file', join(path, 'rows.csv'))).code, 0);
    const journal = readFileSync(join(path, 'rows.csv.results.csv.journal'), 'utf8');
    assert.match(journal, new RegExp(`"file":\\{"size":${secret.length},"sha256":"${sha256(Buffer.from(secret))}"\\}`));
    const kept = execFileSync(
      'grep',
      ['-rlF', '-e', Buffer.from(secret).toString('base64'), '-e', secret, here.folder],
      {
        encoding: 'utf8',
      },
    );
    // The file itself; the service keeps it in pages of its database.
    assert.deepEqual(
      kept.split('\n').filter((name) => name !== '' && !name.includes('data.db')),
      [join(path, 'secret.txt')],
    );
  });

  it('tells each file that cannot be sent, and sends nothing', async () => {
    const path = folder({ 'a.txt': 'a', 'dir/x': 'x', '../outside.txt': 'o' });
    execFileSync('mkfifo', [join(path, 'pipe')]);
    symlinkSync('../outside.txt', join(path, 'link'));
    const rows = join(path, 'rows.csv');
    const names = ['a.txt', 'a.txt', 'dir', 'pipe', 'link', '../outside.txt', 'none', 'n'.repeat(300), ''];
    writeFileSync(rows, `id,file\n${names.map((name) => `${activity},${name}\n`).join('')}`);
    const told = [
      /rows\.csv:3: the same as in line 2$/m,
      /rows\.csv:4:file: .*dir is a folder$/m,
      /rows\.csv:5:file: .*pipe is a pipe or a device, not a file$/m,
      /rows\.csv:6:file: .*link is a link, and .*outside\.txt is not within .*--allow-outside/,
      /rows\.csv:7:file: .*outside\.txt is not within .*--allow-outside/,
      /rows\.csv:8:file: .*none cannot be read: there is no such file$/m,
      /rows\.csv:9:file: .*cannot be read: the name is too long$/m,
      /rows\.csv:10: file is missing$/m,
    ];
    await refused(told, '--file', rows);
    writeFileSync(rows, `id,file\n${activity},link\n${activity},../outside.txt\n`);
    assert.equal((await attach('--file', rows, '--allow-outside')).code, 0);
    assert.deepEqual([attached('link').length, attached('outside.txt').length], [1, 1]);
  });

  it('asks with the size of all files', async () => {
    const path = folder({ a: bytesOf(1024), b: bytesOf(2048), 'rows.csv': `id,file\n${activity},a\n${activity},b\n` });
    const { code, stderr } = await here.run(['activity', 'attach', '--file', join(path, 'rows.csv')]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /2 rows to send; relctl will not attach 2 files \(3\.0 kB\) by .*rows\.csv without confirmation/,
    );
  });

  it('says once that services refuse such files', async () => {
    const large = bytesOf(4 * 1024 * 1024);
    const path = folder({ 'l1.bin': large, 'l2.bin': large });
    const rows = join(path, 'rows.csv');
    writeFileSync(rows, `id,file\n${activity},l1.bin\n${activity},l2.bin\n`);
    const { stderr } = await ends(attach('--file', rows), 0);
    assert.equal(stderr.match(/usually refuse more than 4 MB/g)?.length, 1, stderr);
  });

  it('are shown with size and SHA-256 by --dry-run, which attaches nothing', async () => {
    const rows = join(folder({ 'p1.txt': 'one' }), 'rows.csv');
    writeFileSync(rows, `id,file\n${activity},p1.txt\n`);
    const shown = await ends(attach('--file', rows, '--dry-run'), 0);
    assert.ok(shown.stdout.includes(sha256(Buffer.from('one'))), shown.stdout);
    assert.equal(attached('p1.txt').length, 0);
  });

  it('tells a file that went between the check and its turn as failed, and sends it with --resume', async () => {
    const path = folder({ 'w1.txt': 'one', 'w2.txt': 'two', 'w3.txt': 'three' });
    const rows = join(path, 'rows.csv');
    writeFileSync(rows, `id,file\n${activity},w1.txt\n${activity},w2.txt\n${activity},w3.txt\n`);
    const words = ['activity', 'attach', '--yes', '--file', rows];
    const run = started([...words, '--set', 'rate=1/s'], { env: here.env });
    assert.ok(await until(run, () => /"ends"/.test(textOf(`${rows}.results.csv.journal`))));
    rmSync(join(path, 'w3.txt'));
    assert.equal((await run.ended).code, 8);
    const outcomes = (): readonly (string | undefined)[] => resultsOf(rows).map(({ _outcome }) => _outcome);
    assert.deepEqual(outcomes(), ['done', 'done', 'failed']);
    writeFileSync(join(path, 'w3.txt'), 'three');
    assert.equal((await here.run([...words, '--resume'])).code, 0);
    assert.deepEqual(outcomes(), ['done', 'done', 'done']);
    assert.deepEqual(
      ['w1.txt', 'w2.txt', 'w3.txt'].map((name) => attached(name).length),
      [1, 1, 1],
    );
  });

  it('leaves a row unknown whose answer was lost, names the activity, and repeats it only when asked to', async () => {
    const path = folder({ 'lost.txt': 'lost', 'rows.csv': `id,file\n${activity},lost.txt\n` });
    const rows = join(path, 'rows.csv');
    await here.fault('reset=head;operation=ActivityAddAttachment');
    try {
      assert.equal((await attach('--file', rows)).code, 9);
    } finally {
      await here.calm();
    }
    const looks = new RegExp(`,unknown,.*Check the attachments of activity ${activity} in the CRM`);
    assert.match(readFileSync(`${rows}.results.csv`, 'utf8'), looks);
    assert.equal((await attach('--file', rows, '--resume')).code, 9);
    assert.equal(attached('lost.txt').length, 1);
    assert.equal((await attach('--file', rows, '--resume', '--retry-unknown')).code, 0);
    assert.equal(attached('lost.txt').length, 2);
  });

  describe('with --dir', () => {
    it('finds the activities in the paths, and leaves out what does not match', async () => {
      const path = folder({
        [`${activity}/d1.pdf`]: '1',
        [`${other}/d2.pdf`]: '2',
        [`${other}/d3.txt`]: '3',
        [`${other}/.hidden.pdf`]: '4',
        [`${other}/deep.pdf/d5.pdf`]: '5',
      });
      const { code, stderr } = await attach('--dir', `${path}/`, '--pattern', '{id}/*.pdf');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /3 names do not match \{id\}\/\*\.pdf and are skipped/);
      assert.deepEqual(attached('d1.pdf'), [[activity, Buffer.from('1')]]);
      assert.deepEqual(attached('d2.pdf'), [[other, Buffer.from('2')]]);
      for (const name of ['d3.txt', '.hidden.pdf', 'd5.pdf']) assert.deepEqual(attached(name), []);
      assert.equal(resultsOf(path).length, 2);
    });

    it('takes names without the Id, and tells what is none', async () => {
      const path = folder({ [`${activity}_e1.pdf`]: '1', 'nope_e2.pdf': '2' });
      const pattern = ['--pattern', '{id}_{name}'];
      await refused([/:2:id: .*'nope'/], '--dir', path, ...pattern);
      assert.equal((await attach('--dir', path, ...pattern, '--skip-invalid')).code, 8);
      assert.deepEqual(attached('e1.pdf'), [[activity, Buffer.from('1')]]);
      const rows = `${path}.results.csv`;
      assert.match((await attach('--file', rows)).stderr, /results\.csv:3:id: .*'nope'/);
    });

    it('follows no link out of the folder', async () => {
      const path = folder({ [`${activity}/f1.pdf`]: '1' });
      const outside = folder({ 'f2.pdf': '2' });
      symlinkSync(outside, join(path, other));
      symlinkSync(join(outside, 'f2.pdf'), join(path, activity, 'f3.pdf'));
      await refused([/is a link, and .* is not within/], '--dir', path);
      rmSync(join(path, other));
      await refused([/:2:file: .*f3\.pdf is a link/], '--dir', path);
      symlinkSync(outside, join(path, other));
      assert.equal((await attach('--dir', path, '--allow-outside')).code, 0);
      assert.deepEqual([attached('f2.pdf').length, attached('f3.pdf').length], [1, 1]);
    });

    it('is no file of rows: flags of one are refused', async () => {
      const path = folder({ [`${activity}/g1.pdf`]: '1' });
      await refused([/--sheet needs --file/], '--dir', path, '--sheet', 'x');
      await refused([/cannot be used together/], '--dir', path, '--file', 'x.csv');
      await refused([/--pattern needs --dir/], '--file', 'x.csv', '--pattern', '{id}');
      await refused([/no file in .* matches/], '--dir', path, '--pattern', '{id}/*.doc');
      await refused([/is not there/], '--dir', join(path, 'none'));
    });
  });
});

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe('A file that changes while its row is sent', () => {
  const own = home();
  after(() => own.remove());

  it('is failed, never arrives whole, and does not keep the other rows', async () => {
    const [large, rows] = [join(own.folder, 'large.bin'), join(own.folder, 'rows.csv')];
    const content = bytesOf(10_000_000);
    writeFileSync(large, content);
    writeFileSync(join(own.folder, 'small.txt'), 'small');
    writeFileSync(rows, `id,file\n${activity},large.bin\n${activity},small.txt\n`);
    const sockets: Socket[] = [];
    const server = await brokenServer({
      atAccept(socket) {
        // The first waits until its file has changed.
        if (sockets.push(socket) === 1) socket.pause();
      },
      answer: answers(attachmentMade),
    });
    const env = {
      ...own.env,
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
    };
    const words = ['activity', 'attach', '--yes', '--file', rows];
    try {
      const run = started(words, { env });
      assert.ok(await until(run, () => sockets.length > 0));
      // The same size, and other bytes.
      writeFileSync(large, Buffer.from(content).reverse());
      setImmediate(() => sockets[0]?.resume());
      await ends(run.ended, 8);
      const [first, second] = resultsOf(rows);
      assert.deepEqual([first?.['_outcome'], first?.['_code'], second?.['_outcome']], ['failed', 'changed', 'done']);
      assert.equal(first?.['_sha256'], sha256(content));
      assert.equal(server.requests.length, 1);
      assert.equal((await started([...words, '--resume'], { env }).ended).code, 0);
      assert.equal(server.requests.length, 2);
      assert.equal(resultsOf(rows)[0]?.['_sha256'], sha256(Buffer.from(content).reverse()));
    } finally {
      await server.close();
    }
  });
});
