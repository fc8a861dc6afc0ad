import { agreeOnRestlessLists, walkRestlessLists } from '../support/restless-lists.js';

describe('Thousands of walks through lists whose rows come, go and move', () => {
  it('end, never write a row twice, and lose none unsaid but for those that a deletion hid', () =>
    walkRestlessLists(10_000));

  it('lose none at all, or end with a refusal, when passes are repeated until two agree', () =>
    agreeOnRestlessLists(3_000));
});
