import assert from 'node:assert/strict';
import { ends, home, relctl } from '../../support/relctl.js';

const id = '00000000-0000-4000-8000-000000000011';

describe('A file that is named to be read and cannot be', () => {
  const place = home();
  after(() => place.remove());

  const commands = (file: string): readonly (readonly string[])[] => [
    ['call', 'MarkGetAll', '--input', file],
    ['relation', 'get', '--ids', file],
    ['activity', 'attach', id, file, '--name', 'x'],
    ['export', 'run', file],
    ['export', 'diff', `${file}.csv`, `${file}.csv`],
    ['mark', 'list', '--set', `caFile=${file}`],
    ['mark', 'list', '--set', `clientCertFile=${file}`],
  ];

  it('is exit code 2 in the same words in every command', async () => {
    for (const args of commands('/nowhere/file')) {
      const profile = args[0] === 'export' ? [] : ['--profile', 'sandbox'];
      const { code, stdout, stderr } = await relctl([...args, ...profile], { env: place.env });
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      const name = args[1] === 'diff' ? '/nowhere/file.csv' : '/nowhere/file';
      assert.equal(stderr, `Error: ${name} cannot be read: there is no such file\n  Try: ls /\n`, args.join(' '));
    }
  });

  it('is exit code 2 as well when a file of certificates has no end', async () => {
    if (process.platform === 'win32') return;
    for (const name of ['caFile', 'clientCertFile']) {
      const args = ['mark', 'list', '--profile', 'sandbox', '--set', `${name}=/dev/zero`];
      await ends(relctl(args, { env: place.env }), 2, new RegExp(`${name}: /dev/zero has more than 8388608 bytes`));
    }
  });

  it('is exit code 3 when a profile names it, which is named with the command that changes it', async () => {
    const address = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n', '--set', 'caFile=/nowhere/ca.pem'];
    await ends(relctl(['profile', 'add', 'eu', ...address, '--api-key-stdin'], { env: place.env, input: id }), 0);
    const { code, stderr } = await relctl(['mark', 'list', '-p', 'eu'], { env: place.env });
    assert.equal(code, 3);
    assert.match(stderr, /caFile of profile 'eu': \/nowhere\/ca\.pem cannot be read: there is no such file/);
    assert.match(stderr, / set another one with --set caFile=FILE\.\n {2}Try: relctl profile show eu\n/);
  });
});

describe('A path whose ~ the shell left as it is', () => {
  const place = home();
  after(() => place.remove());

  it('is never made a folder, and what to write is said', async () => {
    for (const args of [
      ['mark', 'list', '--output-file=~/out.csv'],
      ['mark', 'list', '--output-file=~jan/out.csv'],
      ['attachment', 'get', id, '--output-dir=~'],
      ['attachment', 'get', id, '--output-dir=~/files'],
      ['mirror', 'sync', '--mirror=~/m.db'],
      ['relation', 'get', '--ids=~/ids.txt'],
      ['product', 'update', '--file=~/rows.csv'],
    ]) {
      const { code, stdout, stderr } = await relctl([...args, '--profile', 'sandbox'], { env: place.env });
      assert.deepEqual([stdout, [2, 10].includes(code ?? 0)], ['', true], stderr);
      assert.match(
        stderr,
        /\n {2}The shell does not expand ~ in quotes or after =: use \$HOME instead/,
        args.join(' '),
      );
      assert.doesNotMatch(stderr, /Try:|mkdir/);
    }
  });
});
