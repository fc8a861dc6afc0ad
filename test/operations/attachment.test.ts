import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { known } from '../../src/sandbox/dataset/known.js';
import { answers, brokenServer } from '../support/broken-server.js';
import { ends, program } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { skip } from '../support/skip.js';
import { envelope, namespace } from '../support/soap-answers.js';
import { allRefused, endToEnd, place } from '../support/operations/place.js';

const { activityId, attachmentId } = known;

interface Attached {
  readonly Id: string;
  readonly FileName: string;
  readonly Extension?: string;
  readonly Size?: number;
  readonly Sha256?: string;
  readonly Base64EncodedFile?: string;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Contents that some program on the way could spoil. */
const contents: Readonly<Record<string, Buffer>> = {
  'leeg.txt': Buffer.alloc(0),
  'één byte.bin': Buffer.from([0]),
  'alle bytes.bin': Buffer.from(Array.from({ length: 1027 }, (_, index) => index % 256)),
  'regels.txt': Buffer.from('\ufeffregel 1\r\nregel 2\n\u0000\u001f einde\r'),
};

/** Names that try to be something else than the name of a file in the folder, and what they become. */
const hostile: Readonly<Record<string, string>> = {
  '../../x': 'x',
  '/etc/passwd': 'passwd',
  'C:\\Windows\\win.ini': 'win.ini',
  CON: '_CON',
  'nul.txt': '_nul.txt',
  '..': 'fallback',
  '.bashrc': 'bashrc',
  'a\tb\nc': 'a_b_c',
  'x\u202egpj.exe': 'x_gpj.exe',
  'wat: "dit" <is>?*|': 'wat_ _dit_ _is____',
};

/** The first of the attachments that the tests make with such names. */
const hostileId = '00000000-0021-4000-8000-000000009000';

describe('The commands about attachments', () => {
  const here = place();
  const bigBytes = Buffer.alloc(3 * 1024 * 1024, 'Zie bijlage \u0000\u00ff', 'latin1');
  const file = (name: string, bytes: Uint8Array): string => {
    const folder = here.fresh('in');
    mkdirSync(folder);
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const folder = (): string => {
    const path = here.fresh('out');
    mkdirSync(path);
    return path;
  };

  endToEnd(here, 'ActivityAddAttachment', {
    works: {
      'activity attach keeps the name and every byte of files, empty and binary ones too': async ({ json }) => {
        for (const [name, bytes] of Object.entries(contents)) {
          const made = await json<Attached>(['activity', 'attach', activityId, file(name, bytes)]);
          const sql = 'SELECT "FileName", "Base64EncodedFile", "ActivityId" FROM "Attachment" WHERE "Id" = ?';
          assert.deepEqual(here.rows(sql, made.Id), [[name, bytes.toString('base64'), activityId]]);
        }
      },
      'activity attach takes stdin under a name': async ({ json }) => {
        const made = await json<Attached>(['activity', 'attach', activityId, '-', '--name', 'Notulen ✓.md'], {
          input: 'Besproken\r\n',
        });
        assert.deepEqual([made.FileName, made.Extension], ['Notulen ✓.md', '.md']);
        const [[content] = []] = here.rows('SELECT "Base64EncodedFile" FROM "Attachment" WHERE "Id" = ?', made.Id);
        assert.equal(Buffer.from(String(content), 'base64').toString(), 'Besproken\r\n');
      },
    },
    refuses: [
      [['activity', 'attach', activityId, '-'], /stdin needs --name/],
      [['activity', 'attach', activityId, '-', '--name', ''], /--name is empty/],
      [['activity', 'attach', 'x', '-', '--name', 'x'], /ID: 'x' is not a GUID/],
      [['activity', 'attach', activityId, '-', '--name', 'a\u0007b'], /fileName holds the character U\+0007/],
      [['activity', 'attach', activityId, '-', '--name', 'x', '-o', 'tree'], /'tree'/],
      [['activity', 'attach', activityId], /FILE is missing/],
    ],
  });

  endToEnd(here, 'AttachmentGet', {
    works: {
      'attachment get shows the record with size and hash, and its content in machine formats': async ({
        json,
        run,
      }) => {
        const [[content] = []] = here.rows('SELECT "Base64EncodedFile" FROM "Attachment" WHERE "Id" = ?', attachmentId);
        const bytes = Buffer.from(String(content), 'base64');
        const [record, card] = await Promise.all([
          json<Attached>(['attachment', 'get', attachmentId]),
          run(['attachment', 'get', attachmentId]),
        ]);
        assert.deepEqual(
          [record.FileName, record.Size, record.Sha256, record.Base64EncodedFile],
          ['notulen.txt', bytes.length, sha256(bytes), content],
        );
        assert.match(card.stdout, new RegExp(sha256(bytes)));
        assert.ok(!card.stdout.includes(String(content)));
      },
      'attachment get gives back every byte, to a file, a folder and stdout': async ({ json, run }) => {
        const bytes = contents['alle bytes.bin'] ?? Buffer.alloc(0);
        const { Id } = await json<Attached>(['activity', 'attach', activityId, file('alles.bin', bytes)]);
        const [target, out] = [here.fresh('saved'), folder()];
        const runs = await Promise.all([
          run(['attachment', 'get', Id, '--output-file', target]),
          json<{ File: string; Size: number; Sha256: string }>(['attachment', 'get', Id, '--output-dir', out]),
        ]);
        assert.deepEqual([runs[0].code, runs[0].stdout, runs[0].stderr], [0, '', '']);
        assert.deepEqual(readFileSync(target), bytes);
        assert.deepEqual(readFileSync(join(out, 'alles.bin')), bytes);
        assert.equal(runs[1].File, join(out, 'alles.bin'));
        assert.deepEqual([runs[1].Size, runs[1].Sha256], [bytes.length, sha256(bytes)]);
        assert.equal(statSync(target).mode & 0o077, 0);
      },
      'attachment get of what is not there is exit code 5, and makes no file': async ({ run }) => {
        const out = folder();
        const { code, stderr } = await run(['attachment', 'get', activityId, '--output-dir', out]);
        assert.equal(code, 5);
        assert.match(stderr, new RegExp(`there is no attachment ${activityId}`));
        assert.deepEqual(readdirSync(out), []);
      },
    },
    refuses: [
      [['attachment', 'get', 'notulen.txt'], /ID takes a GUID/],
      [
        ['attachment', 'get', attachmentId, '--output-dir', '.', '--output-file', 'x'],
        /--output-dir and --output-file/,
      ],
      [['attachment', 'get', attachmentId, '-o', './notulen.txt'], /--output-file \.\/notulen\.txt/],
    ],
  });

  it('A file of 3 MB comes back as it went, and is announced before it is sent', async () => {
    const sent = await here.run(['activity', 'attach', activityId, file('groot.bin', bigBytes), '-o', 'csv']);
    assert.equal(sent.code, 0, sent.stderr);
    assert.equal(sent.stderr, '');
    const Id = sent.stdout.split('\n')[1]?.slice(0, 36) ?? '';
    const back = here.fresh('groot');
    assert.equal((await here.run(['attachment', 'get', Id, '--output-file', back])).code, 0);
    assert.equal(sha256(readFileSync(back)), sha256(bigBytes));
    const larger = file('groter.bin', Buffer.alloc(3.2 * 1024 * 1024));
    const announced = await here.run(['activity', 'attach', activityId, larger, '--envelope']);
    assert.match(announced.stderr, /^Note: the request has 4\.3 MB; such services usually refuse more than 4 MB/);
  });

  it('A file that has no size until it is read is attached whole', async function () {
    if (!existsSync('/proc/version')) skip(this, 'there is no /proc here');
    const sent = await here.json<Attached>(['activity', 'attach', activityId, '/proc/version']);
    const back = here.fresh('version');
    assert.equal((await here.run(['attachment', 'get', sent.Id, '--output-file', back])).code, 0);
    assert.equal(readFileSync(back, 'utf8'), readFileSync('/proc/version', 'utf8'));
  });

  it('Stdin is read no further than what is taken at all', () => {
    const sparse = here.fresh('sparse');
    writeFileSync(sparse, '');
    truncateSync(sparse, 256 * 1024 * 1024 + 1);
    const stdin = openSync(sparse, 'r');
    const args = [program, 'activity', 'attach', activityId, '-', '--name', 'x'];
    const { status, stderr } = spawnSync(process.execPath, args, { env: here.env, stdio: [stdin, 'pipe', 'pipe'] });
    closeSync(stdin);
    assert.deepEqual([status, stderr.toString().split('\n')[0]], [2, 'Error: stdin is larger than 256 MiB']);
  });

  it('A name that the service sends is never a way out of the folder', async () => {
    const out = folder();
    const around = readdirSync(here.folder);
    const made = await Promise.all(
      Object.keys(hostile).map(async (name, index) => {
        const id = `00000000-0021-4000-8000-00000000${String(9000 + index)}`;
        const text = Buffer.from(name).toString('base64');
        // XML cannot carry all of them from a client; a service can have them all the same.
        here.execute(
          `INSERT INTO "Attachment" ("Id", "CreationDate", "ModificationDate", "FileName", "ExternalDmsType", "Base64EncodedFile", "ActivityId")
           VALUES ('${id}', '2026-01-01T00:00:00', '2026-01-01T00:00:00', '${name.replaceAll("'", "''")}', 0, '${text}', '${activityId}')`,
        );
        await ends(here.run(['attachment', 'get', id, '--output-dir', out]), 0, '', '');
        return { name, id };
      }),
    );
    for (const { name, id } of made) {
      const expected = hostile[name] === 'fallback' ? `attachment-${id}` : (hostile[name] ?? '');
      assert.equal(readFileSync(join(out, expected), 'utf8'), name);
    }
    assert.equal(readdirSync(out).length, made.length);
    assert.deepEqual(readdirSync(here.folder), around);
  });

  it('Neither is an Id that is none, of a file without a name', async () => {
    const answer = envelope(
      '1.2',
      `<AttachmentGetResponse xmlns="${namespace}"><AttachmentGetResult><Attachment><Id>x/../../evil</Id><CreationDate>2026-01-01T00:00:00</CreationDate><ModificationDate>2026-01-01T00:00:00</ModificationDate><FileName></FileName><ExternalDmsType>0</ExternalDmsType><Base64EncodedFile>eA==</Base64EncodedFile></Attachment></AttachmentGetResult></AttachmentGetResponse>`,
    );
    const server = await brokenServer({ answer: answers(answer) });
    try {
      const out = folder();
      const env = { RELCTL_BASE_URL: server.url };
      await ends(here.run(['attachment', 'get', attachmentId, '--output-dir', out, '--quiet'], { env }), 0);
      assert.deepEqual(readdirSync(out), [`attachment-${attachmentId}`]);
    } finally {
      await server.close();
    }
  });

  it('Content that is not base64 is exit code 7, and makes no file', async () => {
    here.execute(`UPDATE "Attachment" SET "Base64EncodedFile" = 'abc=d' WHERE "Id" = '${hostileId}'`);
    const out = folder();
    const run = await here.run(['attachment', 'get', hostileId, '--output-dir', out]);
    assert.deepEqual([run.code, readdirSync(out)], [7, []]);
    assert.match(run.stderr, /is not base64: the character U\+0064 cannot stand at position 4/);
  });

  it('A name that the service sends replaces nothing but what the same attachment was saved as', async () => {
    const out = folder();
    const ids: string[] = [];
    for (const text of ['one', 'two']) {
      const { Id } = await here.json<Attached>(
        argv`activity attach ${activityId} ${file(text, Buffer.from(text))} --name scan.txt`,
      );
      ids.push(Id);
    }
    const [one = '', two = ''] = ids;
    const get = (id: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
      here.run(['attachment', 'get', id, '--output-dir', out, ...more]);
    assert.equal((await get(one)).code, 0);
    await ends(get(two), 10, /scan\.txt already exists, and attachment get \S+ did not write this content/);
    assert.equal((await get(one)).code, 0);
    assert.equal(readFileSync(join(out, 'scan.txt'), 'utf8'), 'one');
    assert.deepEqual(readdirSync(out), ['scan.txt']);
    assert.equal((await get(two, '--force')).code, 0);
    assert.equal(readFileSync(join(out, 'scan.txt'), 'utf8'), 'two');
  });

  it('A file that is there stays as it is without --force, and links are not followed', async () => {
    const out = folder();
    const get = ['attachment', 'get', attachmentId, '--output-dir', out];
    writeFileSync(join(out, 'notulen.txt'), 'van mij');
    await ends(here.run(get), 10, /already exists.*\n.*\n.*--force/);
    assert.equal(readFileSync(join(out, 'notulen.txt'), 'utf8'), 'van mij');
    assert.equal((await here.run([...get, '--force'])).code, 0);
    assert.equal(readFileSync(join(out, 'notulen.txt'), 'utf8'), 'Notulen van het overleg.\r\n');
    const [other, outside] = [folder(), here.fresh('outside')];
    symlinkSync(outside, join(other, 'notulen.txt'));
    await here.run([...get.slice(0, -1), other]);
    assert.ok(!existsSync(outside));
    assert.deepEqual(readdirSync(out), ['notulen.txt']);
  });

  it('A folder that is not there is exit code 10 before anything is called', async () => {
    const trace = here.fresh('trace');
    const none = here.fresh('no folder yet');
    const get = (place: string): string[] => ['attachment', 'get', attachmentId, '--output-dir', place];
    const run = await here.run([...get(none), `--trace=${trace}`]);
    assert.deepEqual([run.code, existsSync(trace)], [10, false]);
    const again = `mkdir -p '${none}' && relctl attachment get ${attachmentId} --output-dir '${none}' --trace=${trace}`;
    assert.equal(run.stderr, `Error: the folder ${none} does not exist\n  Try: ${again}\n`);
    const taken = file('taken', Buffer.from(''));
    await ends(here.run(get(taken)), 10, `Error: ${taken} is no folder\n  Try: ls -ld ${taken}\n`);
  });

  it('--envelope of both sends nothing', async () => {
    const before = here.digest();
    const sent = await here.run(['activity', 'attach', activityId, file('x.txt', Buffer.from('x')), '--envelope']);
    assert.match(sent.stdout, /<fileName>x\.txt<\/fileName>\s*<base64EncodedFile>eA==<\/base64EncodedFile>/);
    const asked = await here.run(['attachment', 'get', attachmentId, '--envelope']);
    assert.match(asked.stdout, new RegExp(`<attachmentId>${attachmentId}</attachmentId>`));
    assert.equal(here.digest(), before);
    await allRefused(here, [[['activity', 'attach', activityId, '-', '--envelope'], /--name/]]);
  });
});
