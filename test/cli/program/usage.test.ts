import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, relctl } from '../../support/relctl.js';

const guid = '00000000-0000-4000-8000-000000000011';

const manyIds = 'For several Ids, use --ids FILE, or --ids - for stdin. Put a name of several words in quotes.';

describe('A mistake on the command line', () => {
  const place = home();
  after(() => place.remove());

  it('a flag that begins with the dash of a word processor, is told, with the line that was meant', async () => {
    for (const [word, meant] of [
      ['\u2013limit', '--limit'],
      ['\u2014limit', '--limit'],
      ['-\u2013limit', '--limit'],
      ['\u2212\u2212limit=1', '--limit=1'],
      ['\u2013o', '-o'],
    ] as const) {
      const { code, stdout, stderr } = await relctl(['mark', 'list', word, '1', '--profile', 'sandbox'], {
        env: place.env,
      });
      assert.deepEqual([code, stdout], [2, ''], word);
      const flag = word.split('=', 1)[0] ?? '';
      const line = `relctl mark list ${meant} 1 --profile sandbox`;
      assert.equal(
        stderr,
        `Error: unknown flag ${flag}: it begins with the dash of a word processor\n  Try: ${line}\n`,
      );
    }
    const found = await relctl(['mark', 'list', '--profile', 'sandbox', '--where', "Name = '\u2013limit'"], {
      env: place.env,
    });
    assert.equal(found.code, 0, found.stderr);
  });

  it('a second Id is exit 2, and says how several are given', async () => {
    const run = await relctl(['relation', 'get', guid, guid], { env: place.env });
    assert.deepEqual(
      [run.code, run.stderr],
      [2, `Error: unexpected argument: ${guid}\n  ${manyIds}\n  Try: relctl relation get --help\n`],
    );
  });

  // Most mistakes are in mistakes/typed.txt.
  it('is one JSON object on stderr with -o json, whose hint is the line as it was meant', async () => {
    const run = await relctl(['relation', 'gte', "J. d'Arc", '-o', 'json', '--yes'], { env: place.env });
    const { error } = JSON.parse(run.stderr) as { error: Record<string, unknown> };
    assert.deepEqual([run.code, run.stdout, error['kind'], error['exitCode']], [2, '', 'usage', 2]);
    assert.equal(error['message'], "unknown command 'relation gte'");
    assert.match(String(error['hint']), /^relctl relation get 'J\. d'\\''Arc' -o json/);
  });

  it('such as a word with several meanings names the others too', async () => {
    const { stderr } = await relctl(['ls'], { env: place.env });
    assert.match(stderr, /Or: `relctl product list`, .*\n {2}Try: relctl relation list\n/);
  });

  it('such as a format said in two ways is refused, and saying the same twice is none', async () => {
    const two = await relctl(['operations', '--json', '-o', 'csv'], { env: place.env });
    assert.equal(two.code, 2);
    assert.match(two.stderr, /--json and -o csv cannot be used together/);
    assert.equal((await relctl(['operations', '--json', '-o', 'json'], { env: place.env })).code, 0);
    // Before anything is sent or written, also where no record would be printed.
    const sandbox = ['--profile', 'sandbox', '--json', '-o', 'csv'];
    const file = join(place.folder, 'never.bin');
    for (const args of [
      ['product', 'update', '00001', '--name', 'Other', '--yes'],
      ['attachment', 'get', '00000000-0021-4000-8000-000000000001', '--output-file', file],
      ['relation', 'list', '--envelope'],
    ]) {
      await ends(relctl([...args, ...sandbox], { env: place.env }), 2, /--json and -o csv cannot be used together/, '');
    }
    assert.equal(existsSync(file), false);
  });

  it('such as help asked for behind a topic is none', async () => {
    const { stdout } = await ends(relctl(['relation', 'help'], { env: place.env }), 0);
    assert.equal(stdout, (await relctl(['relation', '--help'], { env: place.env })).stdout);
  });

  it('such as the version asked for in another way is none', async () => {
    const asked = (...args: readonly string[]): ReturnType<typeof relctl> => relctl(args, { env: place.env });
    const { stdout } = await ends(asked('--version'), 0);
    assert.match(stdout, /^relctl\/\d+\.\d+\.\d+ /);
    for (const args of [['-V'], ['-v'], ['version'], ['version', '--quiet']]) {
      await ends(asked(...args), 0, '', stdout);
    }
  });

  it('shows neither a stack nor the arguments', async () => {
    for (const args of [
      ['relation', 'list', '--bogus=sesame-open'],
      ['relation', 'gte', '--api-key', 'sesame-open'],
    ]) {
      const run = await relctl(args, { env: place.env });
      assert.doesNotMatch(run.stderr, /sesame-open|at .*\.js/);
    }
  });
});
