import assert from 'node:assert/strict';
import { hasColor, widthOf, type StreamFacts } from '../../src/formats/streams.js';

const facts = (isTerminal: boolean, variables: StreamFacts['variables'] = {}, columns?: number): StreamFacts => ({
  isTerminal,
  columns,
  variables,
});

describe('widthOf', () => {
  it('is the terminal’s own', () => assert.equal(widthOf(facts(true, {}, 132)), 132));

  it('is undefined when nobody looks', () => assert.equal(widthOf(facts(false)), undefined));

  it('is 80 for a terminal that does not say, or says 0', () => {
    assert.equal(widthOf(facts(true)), 80);
    assert.equal(widthOf(facts(true, {}, 0)), 80);
  });

  it('is what COLUMNS says, and before that RELCTL_FORCE_TTY', () => {
    assert.equal(widthOf(facts(false, { COLUMNS: '60' })), 60);
    assert.equal(widthOf(facts(true, { COLUMNS: '60' }, 132)), 60);
    assert.equal(widthOf(facts(true, { COLUMNS: '60', RELCTL_FORCE_TTY: '100' }, 132)), 100);
  });

  it('passes over a width that is none', () => {
    for (const COLUMNS of ['', '0', '-5', '80x', '1e9', '999999', 'wide'])
      assert.equal(widthOf(facts(true, { COLUMNS }, 132)), 132);
  });
});

describe('hasColor', () => {
  const cases: readonly (readonly [string, boolean, StreamFacts['variables'], boolean])[] = [
    ['a terminal', true, {}, true],
    ['a pipe', false, {}, false],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a terminal with CLICOLOR=0', true, { CLICOLOR: '0' }, false],
    ['a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['a pipe with CLICOLOR_FORCE', false, { CLICOLOR_FORCE: '1' }, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['NO_COLOR against FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ];
  for (const [name, isTerminal, variables, expected] of cases) {
    it(`is ${expected} for ${name}`, () => assert.equal(hasColor(facts(isTerminal, variables)), expected));
  }
});
