import assert from 'node:assert/strict';
import { resultService, type ResultService } from '../support/called.js';

/** Answers of one item more than a list may have, by operation. */
const answers: Readonly<Record<string, string>> = {
  RelationGetAll: `<Relations>${'<PvRelationData/>'.repeat(1_000_001)}</Relations>`,
  MarkGetAll: `<Marks>${'<PvMarkData/>'.repeat(1_000_001)}</Marks>`,
};

describe('An answer with more items than a list may have', () => {
  let service: ResultService;
  before(async () => {
    service = await resultService(({ operation }) => answers[operation]);
  });
  after(() => service.close());

  const smallerPages = /^ {2}Request smaller pages: --set pageSize=N\.$/m;
  const lessAsked =
    /^ {2}An answer with fewer of them can be read: ask for less by the parameters of the operation\.$/m;
  const given = ['--param', 'includeFields=false', '--param', 'includeCounters=false'];
  for (const [what, args, advice] of [
    [
      'of a list with pages',
      ['call', 'RelationGetAll', '--list', 'Relations', ...given, '--set', 'pageSize=5'],
      smallerPages,
    ],
    ['of a list without pages', ['mark', 'list'], lessAsked],
  ] as const) {
    it(`${what} is refused with advice that the command can follow`, async () => {
      const { code, stdout, stderr } = await service.run(args);
      assert.deepEqual([code, stdout], [7, '']);
      assert.match(stderr, /(?:Relations|Marks) has more than 1000000 items in one answer/);
      assert.match(stderr, advice);
    });
  }
});
