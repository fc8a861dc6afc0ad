import assert from 'node:assert/strict';
import { markdownText } from '../../../src/app/help/markdown.js';

const text = (source: string, width = 40, hasColor = false): string =>
  markdownText({ width, hasColor }, source).join('\n');

describe('A page of the docs in a terminal', () => {
  it('has headings, paragraphs and lists that are wrapped with a hanging indent', () => {
    const source =
      '# Exit codes\n\nThe exit code says what happened, so that a script need not read.\n\n### In detail\n\n- one that is longer than a line can be\n  1. two\n';
    assert.equal(
      text(source),
      [
        'EXIT CODES',
        '',
        '  The exit code says what happened, so',
        '  that a script need not read.',
        '',
        'In detail',
        '',
        '  - one that is longer than a line can',
        '    be',
        '    1. two',
      ].join('\n'),
    );
  });

  it('has bold headings where colour is allowed', () => {
    assert.equal(text('## A\n\nb', 40, true), '\u001b[1mA\u001b[22m\n\n  b');
  });

  it('shows a link to a page of help by its name, an address as it is, and others by their text', () => {
    const source = 'See [codes](exit-codes.md#lists), [x](https://x.example/), [why](decisions/README.md), [here](#a).';
    assert.equal(text(source, 100), '  See codes (relctl help exit-codes), x (https://x.example/), why, here.');
  });

  it('takes the marks of code and bold text away, and nothing within them', () => {
    assert.equal(
      text('**Bold**: `a*b` and `**` and `` ` `` stay, `x|y` too.', 100),
      '  Bold: a*b and ** and ` stay, x|y too.',
    );
  });

  it('leaves code as it is, and breaks a command so that it can be pasted', () => {
    const source =
      '```json\n{ "a":  1 }\n```\n\n```sh run\nrelctl relation list --limit 10 -o csv --profile sandbox\nif true; then\n  echo "a  b" # c\nfi\n```\n';
    assert.equal(
      text(source),
      [
        '    { "a":  1 }',
        '',
        '    relctl relation list --limit 10 \\',
        '      -o csv --profile sandbox',
        '    if true; then',
        '      echo "a  b" # c',
        '    fi',
      ].join('\n'),
    );
  });

  it('leaves out what is a note for the generator', () => {
    assert.equal(text('<!-- begin:x -->\n\na\n\n<!-- end:x -->\n'), '  a');
  });

  const table = (cell: string): string => `| code | meaning |\n| ---- | --- |\n| 2 | ${cell} |\n| 10 | \`a \\| b\` |\n`;

  it('has the columns of a table side by side', () => {
    assert.equal(
      text(table('usage')),
      ['  code  meaning', '  ----  -------', '  2     usage', '  10    a | b'].join('\n'),
    );
  });

  it('wraps the cells of a table that is too wide', () => {
    assert.equal(
      text(table('a flag or a value that is wrong, and nothing was sent')),
      [
        '  code  meaning',
        '  ----  --------------------------------',
        '  2     a flag or a value that is wrong,',
        '        and nothing was sent',
        '  10    a | b',
      ].join('\n'),
    );
  });

  it('shows a row below another where columns would be too narrow, and no cell without a text', () => {
    const long = 'a meaning of more than twenty-four columns';
    assert.equal(
      text(`| setting | flag | meaning |\n| --- | --- | --- |\n| one | ${long} | ${long} |\n| two | | b |\n`),
      [
        '  one',
        '      flag: a meaning of more than',
        '            twenty-four columns',
        '      meaning: a meaning of more than',
        '               twenty-four columns',
        '  two',
        '      meaning: b',
      ].join('\n'),
    );
  });
});
