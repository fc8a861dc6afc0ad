import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import {
  resolveSecret,
  secretSource,
  splitCommand,
  type SecretSources,
  secretLimits,
} from '../../../src/profiles/secrets/secret.js';
import { assertFailure, place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { skip } from '../../support/skip.js';

const canary = 'S3cretCanary';
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

/** True for a process that runs; on Linux, one that has ended and waits to be taken away does not. */
function isRunning(number: number): boolean {
  try {
    process.kill(number, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${number}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('A secret', () => {
  const here = place();
  after(() => here.remove());
  const found = (text: string, more: Partial<SecretSources> = {}): Promise<string> =>
    resolveSecret('password', text, { variables: { PATH }, ...more });
  const refused = async (
    text: string,
    says: RegExp,
    more: Partial<SecretSources> = {},
  ): Promise<string | undefined> => {
    const error = await failureOf(() => found(text, more));
    assertFailure(error, { kind: 'profile', says, hides: [canary] });
    assert.match(error.message, /^the secret password cannot be read: /);
    assert.deepEqual([error.facts.path, error.exitCode], ['password', 3]);
    return error.hint;
  };
  const script = (name: string, body: string): string => here.put(name, `#!/bin/sh\n${body}\n`, 0o700);

  describe('as it stands', () => {
    for (const text of [
      'geheim',
      'p@ss: word',
      'http://x',
      'ENV:HOME',
      'files:x',
      ' env:x',
      '$HOME `id`',
      'line\nbreak',
      'é日😀',
    ]) {
      it(`is ${JSON.stringify(text)} itself`, async () => assert.equal(await found(text), text));
    }

    it('behind plain: is whatever follows, also what looks like a reference', async () => {
      assert.equal(await found('plain:env:HOME'), 'env:HOME');
      assert.equal(await found('plain:plain:x'), 'plain:x');
      assert.equal(await found('plain: a\nb '), ' a\nb ');
    });

    it('is not empty', async () => {
      await refused('', /it is empty/);
      await refused('plain:', /it is empty/);
    });
  });

  describe('behind env:', () => {
    it('is the value of the variable', async () => {
      assert.equal(await found('env:PW', { variables: { PW: 'a b=c ' } }), 'a b=c ');
    });

    it('is refused when the variable is not set or empty', async () => {
      await refused('env:PW', /the environment variable PW is not set/);
      await refused('env:PW', /it is empty/, { variables: { PW: '' } });
    });
  });

  describe('behind file:', () => {
    it('is the first line of the file, without a byte order mark or a line break of any kind', async () => {
      for (const content of ['p w', 'p w\n', 'p w\r\n', 'p w\nmore\n', '\ufeffp w\n'])
        assert.equal(await found(`file:${here.put('pw', content)}`), 'p w');
      assert.equal(await found(`file:${here.put('pw', 'é日😀\n')}`), 'é日😀');
    });

    it('takes a name with blanks and colons', async () => {
      assert.equal(await found(`file:${here.put('my: pw', 'x')}`), 'x');
    });

    for (const [mode, says] of [
      [0o644, /can be read by other users/],
      [0o444, /can be read by other users/],
      [0o604, /can be read by other users/],
      [0o666, /can be changed by other users/],
      [0o620, /can be changed by other users/],
    ] as const) {
      it(`is refused from a file of mode ${mode.toString(8)}, with the command that mends it`, async function () {
        if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
        const file = here.put('loose', canary);
        chmodSync(file, mode);
        assert.equal(await refused(`file:${file}`, says), `chmod 600 ${file}`);
        chmodSync(file, 0o400);
        assert.equal(await found(`file:${file}`), canary);
        chmodSync(file, 0o600);
      });
    }

    it('is read through links, as secrets are mounted', async function () {
      if (process.platform === 'win32') skip(this, 'Windows gives links to administrators alone');
      mkdirSync(here.at('..2026_11_23'), { mode: 0o755 });
      here.put('..2026_11_23/token', `${canary}\n`, 0o400);
      symlinkSync('..2026_11_23', here.at('..data'));
      symlinkSync('..data/token', here.at('token'));
      assert.equal(await found(`file:${here.at('token')}`), canary);
      // What a mount is changed by: another folder under the same link.
      mkdirSync(here.at('..2026_11_24'), { mode: 0o755 });
      here.put('..2026_11_24/token', 'a newer one', 0o440);
      symlinkSync('..2026_11_24', here.at('..data_tmp'));
      renameSync(here.at('..data_tmp'), here.at('..data'));
      assert.equal(await found(`file:${here.at('token')}`), 'a newer one');
    });

    it('is refused behind a link to a file that others can change or read', async function () {
      if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
      const [file, link] = [here.put('changeable', canary), here.at('link to it')];
      symlinkSync(file, link);
      chmodSync(file, 0o622);
      assert.equal(await refused(`file:${link}`, /can be changed by other users$/), `chmod 600 '${link}'`);
      chmodSync(file, 0o644);
      assert.equal(await refused(`file:${link}`, /can be read by other users$/), `chmod 600 '${link}'`);
      execFileSync('chmod', ['600', link]);
      assert.equal(await found(`file:${link}`), canary);
    });

    it('is refused from what is no regular file, too large, not text, empty or not there', async function () {
      if (process.platform === 'win32') skip(this, 'Windows has no such files');
      mkdirSync(here.at('folder'), { mode: 0o700 });
      execFileSync('mkfifo', ['-m', '600', here.at('pipe')]);
      symlinkSync('nowhere', here.at('dangling'));
      symlinkSync('circle', here.at('circle'));
      await refused(`file:${here.at('folder')}`, /is not a regular file/);
      await refused(`file:${here.at('pipe')}`, /is not a regular file/);
      await refused('file:/dev/zero', /is not a regular file/);
      await refused(`file:${here.at('dangling')}`, /cannot be read: there is no such file/);
      await refused(`file:${here.at('circle')}`, /is a circular link/);
      await refused(`file:${here.put('large', canary.repeat(6000))}`, /is larger than 65536 bytes/);
      await refused(`file:${here.put('latin', Buffer.from(`${canary}\u00e9`, 'latin1'))}`, /is not UTF-8 text/);
      await refused(`file:${here.put('empty', '\n')}`, /it is empty/);
      await refused(`file:${here.at('none')}`, /cannot be read: there is no such file/);
    });

    it('may have 64 KiB and no byte more', async () => {
      assert.equal((await found(`file:${here.put('full', 'x'.repeat(65_536))}`)).length, 65_536);
      await refused(`file:${here.put('fuller', 'x'.repeat(65_537))}`, /is larger than 65536 bytes/);
    });

    it('keeps blanks at its ends, and has a line break at none', async () => {
      for (const [content, secret] of [
        [' a b \n', ' a b '],
        ['\ta\t\r\n\r\n', '\ta\t'],
        ['a\rb\n', 'a\rb'],
      ] as const)
        assert.equal(await found(`file:${here.put('blanks', content)}`), secret);
    });
  });

  describe('behind cmd:', () => {
    it('is the first line that the command writes', async () => {
      assert.equal(await found(`cmd:printf 'one\\r\\ntwo\\n'`), 'one');
      assert.equal(await found(`cmd:${script('tells', `echo '${canary}'; echo noise >&2`)}`), canary);
    });

    it('is had without a shell: nothing is expanded, joined or redirected', async () => {
      assert.equal(await found(`cmd:printf %s $HOME`), '$HOME');
      const file = here.at('made-by-a-shell');
      assert.equal(await found(`cmd:printf '%s,' \`id\` $(id) ; touch ${file}`), `\`id\`,$(id),;,touch,${file},`);
      assert.equal(await found(`cmd:printf '%s,' a > ${file} | cat *`), `a,>,${file},|,cat,*,`);
      assert.ok(!existsSync(file));
    });

    it('comes from a command that sees little of the environment', async () => {
      const variables = { PATH, HOME: '/h', RELCTL_PASSWORD: canary, AWS_SECRET: canary, LD_PRELOAD: 'x.so' };
      const names = await found(
        `cmd:${script('names', `env | grep -v '^\\(PWD\\|OLDPWD\\|SHLVL\\|_\\)=' | cut -d= -f1 | sort | tr '\\n' ' '`)}`,
        { variables },
      );
      assert.equal(names, 'HOME PATH ');
    });

    it('comes from a command with nothing to read', async () => {
      assert.equal(await found(`cmd:${script('reads', 'cat; echo end')}`), 'end');
    });

    it('is refused when the command fails, whatever it wrote on either stream', async () => {
      await refused(
        `cmd:${script('fails', `echo ${canary}; echo ${canary} >&2; exit 3`)}`,
        /the command \S+fails ended with 3$/,
      );
      await refused(`cmd:${script('dies', `echo ${canary} >&2; kill -TERM $$`)}`, /ended with SIGTERM$/);
      await refused(`cmd:${script('mute', `echo ${canary} >&2`)}`, /it is empty/);
    });

    it('is refused without the arguments, which may hold a secret', async () => {
      await refused(`cmd:${script('fails2', 'exit 1')} --token ${canary}`, /fails2 ended with 1$/);
    });

    it('is refused when the command takes too long, or writes too much or no text', async () => {
      await refused('cmd:sleep 30', /the command sleep took more than 0\.2 s$/, { commandMs: 200 });
      await refused(`cmd:${script('waits', `echo ${canary}; sleep 30`)}`, /took more than 0\.2 s$/, { commandMs: 200 });
      await refused(`cmd:${script('endless', `yes ${canary}`)}`, /wrote more than 65536 bytes$/);
      await refused(`cmd:${script('latin1', `printf '${canary}\\351'`)}`, /is not UTF-8 text$/);
    });

    /** A script that leaves a program running, which tells its number in a file. */
    const leaves = (name: string, rest: string): { readonly text: string; readonly number: () => number } => {
      const file = here.at(`${name}.pid`);
      const text = `cmd:${script(name, `sleep 600 & echo $! > '${file}.new'; mv '${file}.new' '${file}'; ${rest}`)}`;
      return { text, number: () => Number(readFileSync(file, 'utf8')) };
    };
    const isGone = async (number: number): Promise<void> => {
      // Killed at once; the system may still have to take it away. Nobody else waits for it: the test would wait for ever.
      while (isRunning(number)) await new Promise((resolve) => setImmediate(resolve));
    };

    it('is refused at the limit when the command leaves something that keeps its output open, which is killed', async () => {
      const { text, number } = leaves('left', `echo ${canary}`);
      await refused(text, /the command \S+left ended, but a background process of it kept its output open for 2 s$/, {
        commandMs: 2000,
      });
      await isGone(number());
    });

    it('is had when what the command leaves running has an output of its own, and lives on', async () => {
      const file = here.at('daemon.pid');
      const daemon = `sleep 600 > /dev/null 2>&1 & echo $! > '${file}'; echo '${canary}'`;
      assert.equal(await found(`cmd:${script('daemon', daemon)}`), canary);
      const number = Number(readFileSync(file, 'utf8'));
      assert.ok(isRunning(number));
      process.kill(number, 'SIGKILL');
    });

    it('kills all that the command started when it takes too long, writes too much or fails', async () => {
      for (const [name, rest, says] of [
        ['slow', 'trap "" TERM; wait', /took more than 2 s$/],
        ['loud', `yes ${canary}`, /wrote more than 65536 bytes$/],
        ['failing', `echo ${canary}; exit 3`, /ended with 3$/],
      ] as const) {
        const { text, number } = leaves(name, rest);
        await refused(text, says, { commandMs: name === 'slow' ? 2000 : 60_000 });
        await isGone(number());
      }
    });

    it('is given up, with all that was started, when the run is interrupted', async () => {
      const { text, number } = leaves('interrupted', `touch '${here.at('ready')}'; wait`);
      const controller = new AbortController();
      const reason = new RelctlError('interrupted', 'interrupted by Ctrl-C');
      const end = found(text, { signal: controller.signal, commandMs: 60_000 });
      while (!existsSync(here.at('ready'))) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      assert.equal(await failureOf(() => end), reason);
      await isGone(number());
      assert.equal(await failureOf(() => found('cmd:echo x', { signal: controller.signal })), reason);
    });

    it('may take 64 KiB and no byte more, and ends also a command that will not', async () => {
      const writes = (bytes: number): string =>
        `cmd:${script(`writes${bytes}`, `head -c ${bytes} /dev/zero | tr '\\0' x`)}`;
      assert.equal((await found(writes(65_536))).length, 65_536);
      await refused(writes(65_537), /wrote more than 65536 bytes$/);
      await refused(`cmd:${script('deaf', `trap '' TERM; while :; do sleep 0.05; done`)}`, /took more than 0\.2 s$/, {
        commandMs: 200,
      });
    });

    it('has ten seconds, and the keyring three, unless something else is said', () => {
      assert.deepEqual(secretLimits, { commandMs: 10_000, keyringMs: 3000 });
    });

    it('is refused when the command cannot be started', async () => {
      // Whole paths: a folder of PATH that may not be entered says EACCES of any name.
      await refused(
        `cmd:${here.at('no-such-program')} x`,
        /no-such-program cannot be started: there is no such program$/,
      );
      await refused(`cmd:${here.put('not-executable', 'x')}`, /cannot be started: permission denied$/);
      await refused('cmd:', /the command is empty$/);
      await refused('cmd:  ', /the command is empty$/);
      await refused(`cmd:""`, /cannot be started/);
      await refused(`cmd:echo a\0${canary}`, /cannot be started/);
      await refused(`cmd:echo "${canary}`, /a quote that is not closed$/);
    });
  });

  describe('behind keyring:', () => {
    const keyring = (name: string, body: string): Partial<SecretSources> => {
      mkdirSync(here.at(name), { mode: 0o700 });
      script(`${name}/secret-tool`, body);
      return { platform: 'linux', variables: { PATH: `${here.at(name)}:${PATH}` } };
    };

    it('is what secret-tool looks up for the account', async () => {
      const asked = keyring(
        'asked',
        '[ "$1 $2 $3 $4" = "lookup service relctl account" ] && printf "secret of %s" "$5"',
      );
      assert.equal(await found('keyring:prod eu', asked), 'secret of prod eu');
    });

    const failing: readonly (readonly [string, string, Partial<SecretSources>])[] = [
      ['there is no entry', 'exit 1', {}],
      ['the keyring is locked', `echo ${canary} >&2; exit 2`, {}],
      ['the keyring does not answer', `echo ${canary}; sleep 30`, { keyringMs: 200 }],
    ];
    failing.forEach(([what, body, more], index) => {
      it(`is refused when ${what}, with the command that puts it there`, async () => {
        const hint = await refused(
          'keyring:prod',
          /the keyring has no entry for .* account prod, or cannot be reached$/,
          {
            ...keyring(`failing${index}`, body),
            ...more,
          },
        );
        assert.equal(hint, 'secret-tool store --label=relctl service relctl account prod');
      });
    });

    it('is refused when there is no secret-tool', async () => {
      await refused('keyring:prod', /cannot be reached$/, {
        platform: 'linux',
        variables: { PATH: here.at('nowhere') },
      });
    });
  });
});

describe('secretPlace', () => {
  it('says where a secret lies, without looking', () => {
    const texts = ['x', 'plain:x', 'env:X', 'file:/x', 'cmd:x', 'keyring:x', 'http://x', '', 'env'];
    const places = ['value', 'value', 'env', 'file', 'cmd', 'keyring', 'value', 'value', 'value'];
    assert.deepEqual(texts.map(secretSource), places);
  });
});

describe('splitCommand', () => {
  const lines: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['pass show crm', ['pass', 'show', 'crm']],
    ['  a \t b\n', ['a', 'b']],
    [`op read "op://My Vault/crm key"`, ['op', 'read', 'op://My Vault/crm key']],
    [`a 'b "c" \\d'`, ['a', 'b "c" \\d']],
    [`a "b 'c' \\" \\\\"`, ['a', `b 'c' " \\`]],
    ['a b\\ c \\" \\\\', ['a', 'b c', '"', '\\']],
    [`a--x="1 2"'3 4'5`, ['a--x=1 23 45']],
    [`a "" ''`, ['a', '', '']],
    ['a "two\nlines"', ['a', 'two\nlines']],
    ['', []],
    ['a "b', undefined],
    [`a 'b`, undefined],
    ['a b\\', undefined],
    [`it's`, undefined],
  ];
  for (const [line, words] of lines) {
    it(`makes ${words === undefined ? 'nothing' : JSON.stringify(words)} of ${JSON.stringify(line)}`, () =>
      assert.deepEqual(splitCommand(line), words));
  }
});
