import assert from 'node:assert/strict';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { toInquirer, type Choice, type Question } from '../../src/host/prompt.js';
import { hostile, unseen } from '../support/output/hostile.js';

describe('A question', () => {
  const kinds: readonly ((message: string) => Question)[] = [
    (message) => ({ kind: 'text', name: 'x', message }),
    (message) => ({ kind: 'secret', name: 'x', message }),
    (message) => ({ kind: 'choice', name: 'x', message, choices: ['one'] }),
    (message) => ({ kind: 'yes-no', name: 'x', message }),
    (message) => ({ kind: 'search', name: 'x', message, find: () => Promise.resolve([]) }),
  ];

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name} in what it asks`, () => {
      for (const kind of kinds) {
        const { message } = toInquirer(kind(`Really change product ${text}?`));
        assert.ok(typeof message === 'string' && !unseen.test(message), JSON.stringify(message));
      }
    });

    it(`neutralises ${name} in what a search finds`, async () => {
      const find = (): Promise<readonly Choice[]> => Promise.resolve([{ value: '1', line: text }]);
      const { source } = toInquirer({ kind: 'search', name: 'x', message: 'Find:', find });
      const [choice] = await (source as (typed: string) => Promise<readonly { readonly name: string }[]>)('x');
      assert.ok(choice !== undefined && !unseen.test(choice.name), JSON.stringify(choice));
    });

    it(`neutralises ${name} in what a search throws`, async () => {
      const find = (): Promise<readonly Choice[]> => Promise.reject(new RelctlError('local', `no such table: ${text}`));
      const { source } = toInquirer({ kind: 'search', name: 'x', message: 'Find:', find });
      await assert.rejects(
        (source as (typed: string) => Promise<unknown>)('x'),
        ({ message }: Error) => message.startsWith('no such table: ') && !unseen.test(message),
      );
    });
  }
});
