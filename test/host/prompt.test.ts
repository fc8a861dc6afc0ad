import assert from 'node:assert/strict';
import { toInquirer, type Question } from '../../src/host/prompt.js';
import { hostile, unseen } from '../support/output/hostile.js';

describe('A question', () => {
  const kinds: readonly ((message: string) => Question)[] = [
    (message) => ({ kind: 'text', name: 'x', message }),
    (message) => ({ kind: 'secret', name: 'x', message }),
    (message) => ({ kind: 'choice', name: 'x', message, choices: ['one'] }),
    (message) => ({ kind: 'yes-no', name: 'x', message }),
  ];

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name} in what it asks`, () => {
      for (const kind of kinds) {
        const { message } = toInquirer(kind(`Really change product ${text}?`));
        assert.ok(typeof message === 'string' && !unseen.test(message), JSON.stringify(message));
      }
    });
  }
});
