import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { toInquirer, type Choice, type Question } from '../../../src/kit/host/prompt.js';
import { hostile, unseen } from '../../support/output/print.js';

describe('A question', () => {
  const kinds: readonly ((message: string) => Question)[] = [
    (message) => ({ kind: 'text', name: 'x', message }),
    (message) => ({ kind: 'secret', name: 'x', message }),
    (message) => ({ kind: 'choice', name: 'x', message, choices: ['one'] }),
    (message) => ({ kind: 'yes-no', name: 'x', message }),
    (message) => ({ kind: 'search', name: 'x', message, most: 200, find: () => [] }),
  ];

  it('is broken between words where the terminal ends, with room for its mark and the answer', () => {
    const words = 'Really change the sales price of product 00001 from 12.50 to 13.00, with profile sandbox at home?';
    for (const kind of kinds) {
      const { message } = toInquirer(kind(words), 40);
      assert.ok(typeof message === 'string');
      const lines = message.split('\n');
      assert.equal(lines.join(' '), words);
      assert.ok(lines.length > 2 && lines.every((line) => line.length <= 28), message);
      assert.equal(toInquirer(kind(words)).message, words);
    }
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name} in what it asks`, () => {
      for (const kind of kinds) {
        const { message } = toInquirer(kind(`Really change product ${text}?`));
        assert.ok(typeof message === 'string' && !unseen.test(message), JSON.stringify(message));
      }
    });

    it(`neutralises ${name} in what a search finds`, async () => {
      const find = (): readonly Choice[] => [{ value: '1', line: text }];
      const { source } = toInquirer({ kind: 'search', name: 'x', message: 'Find:', most: 200, find });
      const [choice] = await (source as (typed: string) => Promise<readonly { readonly name: string }[]>)('x');
      assert.ok(choice !== undefined && !unseen.test(choice.name), JSON.stringify(choice));
    });

    it(`neutralises ${name} in what a search throws`, async () => {
      const find = (): readonly Choice[] => {
        throw new RelctlError('local', `no such table: ${text}`);
      };
      const { source } = toInquirer({ kind: 'search', name: 'x', message: 'Find:', most: 200, find });
      await assert.rejects(
        (source as (typed: string) => Promise<unknown>)('x'),
        ({ message }: Error) => message.startsWith('no such table: ') && !unseen.test(message),
      );
    });
  }

  it('is looked for once when keys come at once', async () => {
    const asked: string[] = [];
    const typed: string[] = [];
    const find = (text: string): readonly Choice[] => {
      asked.push(text);
      return [];
    };
    const question = toInquirer({ kind: 'search', name: 'x', message: 'Find:', most: 200, find }, 80, (text) =>
      typed.push(text),
    );
    const source = question['source'] as (text: string, given: { signal: AbortSignal }) => Promise<unknown>;
    const outdated = new AbortController();
    const first = source('v', outdated);
    outdated.abort();
    await Promise.all([first, source('ve', new AbortController())]);
    assert.deepEqual({ asked, typed }, { asked: ['ve'], typed: ['v', 've'] });
  });
});
