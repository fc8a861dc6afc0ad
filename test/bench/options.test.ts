import assert from 'node:assert/strict';
import { readOptions } from '../../bench/options.js';

const known = ['start-up', 'lists', 'large'];
const read = (...args: readonly string[]) => readOptions(args, known);
const usual = {
  sections: known,
  isQuick: false,
  isWritten: false,
  isCheck: false,
  mayBeUnmeasured: false,
  rounds: undefined,
};

describe('The arguments of the bench', () => {
  it('select sections, which run in their own order, and all of them when none is named', () => {
    assert.deepEqual(read(), usual);
    assert.deepEqual(read('lists', 'start-up', '--quick'), {
      ...usual,
      sections: ['start-up', 'lists'],
      isQuick: true,
    });
  });

  it('write the page, check the goals, and set the rounds', () => {
    assert.deepEqual(read('--write', '--check'), { ...usual, isWritten: true, isCheck: true });
    assert.deepEqual(read('large', '--check', '--allow-missing', '--rounds', '3'), {
      ...usual,
      sections: ['large'],
      isCheck: true,
      mayBeUnmeasured: true,
      rounds: 3,
    });
  });

  it('never write a page of parts, of few rounds or of quick figures', () => {
    const refused = { message: '--write goes with a whole run only: no sections, --quick or --rounds' };
    assert.throws(() => read('--write', 'lists'), refused);
    assert.throws(() => read('--write', '--quick'), refused);
    assert.throws(() => read('--write', '--rounds', '9'), refused);
  });

  it('are refused when they say nothing that can be done', () => {
    assert.throws(() => read('luck'), { message: "no section 'luck'; there are start-up, lists, large" });
    assert.throws(() => read('--check', '--quick'), {
      message: '--check does not go with --quick, whose figures say nothing',
    });
    for (const rounds of ['0', '1.5', 'many'])
      assert.throws(() => read('--rounds', rounds), { message: '--rounds takes a whole number above 0' });
    assert.throws(() => read('--fast'));
  });
});
