import assert from 'node:assert/strict';
import { list, opt, recordWithoutPresence } from '../../../src/contract/build.js';
import { string } from '../../../src/contract/scalars.js';
import type { Value } from '../../../src/core/values/value.js';
import { decoded } from '../../support/soap/exchange.js';

const Part = recordWithoutPresence('Part', 'A part.', { Note: opt(string, 'Note.') });
const Page = recordWithoutPresence('Page', 'A page.', { Parts: opt(list(Part), 'Parts.') });
const fields = {
  Parts: opt(list(Part), 'Parts.'),
  Page: opt(Page, 'A page.'),
  Other: opt(Page, 'Another.'),
  Box: opt(recordWithoutPresence('Box', 'Holds a page.', { Page: opt(Page, 'A page.') }), 'A box.'),
};

describe('What becomes of the records of a list', () => {
  const parts = '<Parts><Part><Note>a</Note></Part><Part><Note>b</Note><New/></Part></Parts>';
  const content = `${parts}<Page>${parts}</Page><Other>${parts}</Other><Box><Page>${parts}</Page></Box>`;
  /** Places of the values that became something else. */
  const changed = (...path: readonly string[]): unknown => {
    const { value } = decoded(fields, content, { path, of: () => 'row' });
    const found: string[] = [];
    const look = (each: Value, at: string): void => {
      if (each === 'row') found.push(at);
      else if (typeof each === 'object' && each !== null)
        for (const [name, inner] of Object.entries(each)) look(inner, at === '' ? name : `${at}.${name}`);
    };
    look(value as Value, '');
    return found;
  };

  it('becomes of those at its path, and of no others of its name', () => {
    assert.deepEqual(changed('Parts'), ['Parts.0', 'Parts.1']);
    assert.deepEqual(changed('Page', 'Parts'), ['Page.Parts.0', 'Page.Parts.1']);
    assert.deepEqual(changed('Box', 'Page', 'Parts'), ['Box.Page.Parts.0', 'Box.Page.Parts.1']);
    for (const path of [['Box', 'Parts'], ['Box', 'Page'], ['Part'], ['Box', 'Other', 'Parts']]) {
      // A record is no list: only what is named itself becomes a row.
      const expected = path.at(-1) === 'Page' ? ['Box.Page'] : [];
      assert.deepEqual(changed(...path), expected, path.join('.'));
    }
  });
});
