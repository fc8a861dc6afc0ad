import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const textsBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => read(join(folder, name)));

const rowsOf = (text: string): readonly string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

const [ofTerms = '', ofVerbs = ''] = read('docs/glossary.md').split('## Verbs');
const rows = rowsOf(ofTerms);
const terms = rows.map(([, term = '']) => term);

describe('The glossary', () => {
  it('has at most 64 terms, each once and in order, with a meaning', () => {
    assert.ok(terms.length > 30 && terms.length <= 64, String(terms.length));
    assert.deepEqual(terms, [...new Set(terms)].sort());
    for (const [, term = '', meaning = ''] of rows) assert.notEqual(meaning, '', term);
  });

  it('has verbs, each with names that lint refuses', () => {
    const verbs = rowsOf(ofVerbs);
    assert.ok(verbs.length > 5, String(verbs.length));
    for (const [, verb = '', , refused = ''] of verbs) assert.match(refused, /^[a-z]+(?:, [a-z]+)*$/, verb);
  });

  it('has no term that neither the code nor a page uses', () => {
    const pages = textsBelow('docs', '.md').filter((text) => !text.startsWith('# Glossary'));
    const used = [...textsBelow('src', '.ts'), ...pages].join('\n');
    // Of two words a name in the code is one: FieldCatalogue.
    const pattern = (term: string): RegExp => new RegExp(`\\b${term.replaceAll(' ', '[ -]?')}`, 'i');
    assert.deepEqual(
      terms.filter((term) => !pattern(term).test(used)),
      [],
    );
  });
});
