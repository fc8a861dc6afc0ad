import assert from 'node:assert/strict';
import { operations } from '../../src/contract/service.js';
import type { Answer } from './answers.js';
import { calls } from './calls.js';
import { askBy, askByRelctl } from './legs.js';
import { forget, stacks } from './stacks.js';

const controls = /\\u00(?:0[0-8bcef]|1[0-9a-f])/;

describe('A SOAP stack that we did not write', function () {
  this.timeout(120_000);
  let expected: readonly Answer[] = [];

  before(async () => {
    expected = await askByRelctl();
  });

  it('is compared with answers that are worth it: of every operation, in every form', () => {
    assert.deepEqual(new Set(calls.map(({ operation }) => operation)), new Set(Object.keys(operations)));
    const results = expected.filter((answer) => 'result' in answer);
    assert.equal(expected.length - results.length, 3);
    assert.equal(results.filter((answer) => controls.test(JSON.stringify(answer))).length, 1);
    assert.ok(JSON.stringify(results).length > 300_000);
  });

  for (const stack of stacks) {
    describe(`${stack.name} (${stack.source})`, () => {
      for (const version of ['1.1', '1.2'] as const) {
        it(`reads the WSDL and gets from every operation what relctl gets, in SOAP ${version}`, async function () {
          if (stack.command === undefined) this.skip();
          const answers = await askBy(stack, version);
          assert.deepEqual(forget(stack.losses, answers), forget(stack.losses, expected));
          // What it loses is said, and no more than it loses.
          for (const loss of stack.losses) {
            const others = stack.losses.filter((other) => other !== loss);
            assert.notDeepEqual(forget(others, answers), forget(others, expected), `does not lose: ${loss.words}`);
          }
        });
      }
    });
  }
});
