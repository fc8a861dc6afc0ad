import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { place } from '../support/operations/place.js';

const [first, second] = ['00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012'];

describe('relctl notification count', () => {
  const here = place();
  const count = ['notification', 'count'];
  let users = '';
  let most = 0;

  const inDatabase = (user: string): number =>
    Number(here.rows('SELECT count(*) FROM PvNotificationData WHERE UserId = ?', user)[0]?.[0]);

  before(async () => {
    users = here.fresh('users');
    writeFileSync(users, `# team\r\n\r\njansen\r\n ${second.toUpperCase()} \r\n`);
    const named = await here.run(['name', 'set', 'user', 'jansen', first, '--quiet']);
    assert.deepEqual([named.code, named.stderr], [0, '']);
    most = Math.max(inDatabase(first), inDatabase(second));
  });

  describe('of the users of a file', () => {
    it('is a row a user, in the order of the file', async () => {
      assert.deepEqual(await here.json([...count, '--users', users]), [
        { User: 'jansen', UserId: first, NumberOfNotifications: inDatabase(first) },
        { User: second.toUpperCase(), UserId: second, NumberOfNotifications: inDatabase(second) },
      ]);
    });

    it('is refused with exit code 2 and the line of a mistake', async () => {
      for (const [text, said] of [
        ['jansen\nnobody', /line 2: 'nobody' is no GUID, and the profile has no user of that name/],
        [`jansen\n${first}`, new RegExp(`line 2: user ${first} came before`)],
        ['# nobody\n', /names no user/],
      ] as const) {
        const { code, stdout, stderr } = await here.run([...count, '--users', '-'], { input: text });
        assert.deepEqual([code, stdout], [2, ''], text);
        assert.match(stderr, said);
      }
      const both = await here.run([...count, '--users', users, '--user', first]);
      assert.deepEqual([both.code, both.stdout], [2, '']);
    });
  });

  describe('as a monitoring plug-in', () => {
    it('ends with 0, 1 or 2 and one line, and says nothing on stderr', async () => {
      for (const [thresholds, code, word] of [
        [['--warn', String(most)], 0, 'OK'],
        [['--crit', String(most)], 0, 'OK'],
        [['--warn', String(most - 1), '--crit', String(most)], 1, 'WARNING'],
        [['--warn', '0', '--crit', String(most - 1)], 2, 'CRITICAL'],
      ] as const) {
        const run = await here.run([...count, '--users', users, ...thresholds]);
        assert.deepEqual([run.code, run.stderr], [code, ''], thresholds.join(' '));
        assert.match(run.stdout, new RegExp(`^NOTIFICATIONS ${word}: [^\\n|]* \\| total=[^\\n|]*\\n$`));
      }
    });

    it('asks for the user of the profile, or of --user', async () => {
      for (const [flags, user] of [
        [[], first],
        [['--user', second], second],
      ] as const) {
        const { stdout } = await here.run([...count, ...flags, '--warn', '1000']);
        assert.match(stdout, new RegExp(`'${user}'=${inDatabase(user)};1000;;0\\n$`));
      }
    });

    it('ends with 3 and a line for every error, also of the command line', async () => {
      for (const args of [
        ['--warn', 'many'],
        ['--warn', '5', '--crit', '4'],
        ['--warn=5', '--nosuch'],
        ['--warn', '5', '-o', 'csv'],
        ['--crit', '5', '--count'],
        ['--crit', '5', '--profile', 'nosuch'],
        ['--crit', '5', '--users', here.fresh('nosuch')],
        ['--crit'],
      ]) {
        const { code, stdout, stderr } = await here.run([...count, ...args]);
        assert.equal(code, 3, args.join(' '));
        assert.match(stdout, /^UNKNOWN: [^\n|]+\n$/, args.join(' '));
        assert.match(stderr, /^Error: /, args.join(' '));
      }
      const json = await here.run([...count, '--warn', '5', '--crit', '4', '-o', 'json']);
      const { error } = JSON.parse(json.stderr) as { readonly error: { readonly kind: string; exitCode: number } };
      assert.deepEqual([json.code, error.kind, error.exitCode], [3, 'usage', 3]);
      const env = { RELCTL_BASE_URL: 'http://127.0.0.1:1', RELCTL_RETRIES: '0' };
      const { code, stdout } = await here.run([...count, '--users', users, '--warn', '5'], { env });
      assert.equal(code, 3);
      assert.match(stdout, /^UNKNOWN: user (?:jansen|0{8}.*): .*refused the connection/);
    });

    it('and in no other way: a usual count has the usual exit codes', async () => {
      const { code, stdout } = await here.run([...count, '--profile', 'nosuch']);
      assert.deepEqual([code, stdout], [3, '']);
      assert.equal((await here.run([...count, '--nosuch'])).code, 2);
      assert.equal((await here.run(['notification', 'list', '--warn', '5'])).code, 2);
    });
  });
});
