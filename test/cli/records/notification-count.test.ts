import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const [first, second] = ['00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012'];

describe('relctl notification count', () => {
  const here = place();
  const count = ['notification', 'count'];
  let users = '';

  const inDatabase = (user: string): number =>
    Number(here.rows('SELECT count(*) FROM PvNotificationData WHERE UserId = ?', user)[0]?.[0]);

  before(async () => {
    users = here.fresh('users');
    writeFileSync(users, `# team\r\n\r\n${first}\r\n ${second.toUpperCase()} \r\n`);
    await ends(here.run(['name', 'set', 'user', 'jansen', first, '--quiet']), 0, '');
  });

  describe('of the users of a file', () => {
    it('is a row a user, in the order of the file', async () => {
      assert.deepEqual(await here.json([...count, '--ids', users]), [
        { User: 'jansen', UserId: first, NumberOfNotifications: inDatabase(first) },
        { User: null, UserId: second, NumberOfNotifications: inDatabase(second) },
      ]);
    });

    it('is refused with exit code 2 and the line of a mistake', async () => {
      for (const [text, said] of [
        [`${first}\nnobody`, /line 2/],
        [`${first}\n${second}x`, /line 2/],
      ] as const) {
        await ends(here.run([...count, '--ids', '-'], { input: text }), 2, said, '');
      }
      const both = await here.run([...count, '--ids', users, '--user', first]);
      assert.deepEqual([both.code, both.stdout], [2, '']);
    });
  });
});
