import assert from 'node:assert/strict';
import { table } from '../../scripts/docs/markdown.js';
import { operations } from '../../src/contract/service.js';
import { sandboxModes, type SandboxMode } from '../../src/sandbox/context.js';
import { needs } from '../support/skip.js';
import type { Answer } from '../support/interop/answers.js';
import { calls } from '../support/interop/calls.js';
import { askBy, askByRelctl } from '../support/interop/legs.js';
import { pageWith, writePage, writesPage } from '../support/interop/page.js';
import { forget, stacks } from '../support/interop/stacks.js';

const controls = /\\u00(?:0[0-8bcef]|1[0-9a-f])/;

const ways = sandboxModes.flatMap((mode) => (['1.1', '1.2'] as const).map((version) => ({ version, mode })));

/** Versions and modes in which everything was the same, by stack. */
const found = new Map<string, readonly string[]>();

describe('A SOAP stack that we did not write', function () {
  const answersOfRelctl = new Map<SandboxMode, readonly Answer[]>();
  const expectedOf = (mode: SandboxMode): readonly Answer[] => answersOfRelctl.get(mode) ?? [];

  before(async () => {
    for (const mode of sandboxModes) answersOfRelctl.set(mode, await askByRelctl(mode));
  });

  it('is compared with answers that are worth it: of every operation, in every form', () => {
    assert.deepEqual(new Set(calls.map(({ operation }) => operation)), new Set(Object.keys(operations)));
    const expected = expectedOf('strict');
    const results = expected.filter((answer) => 'result' in answer);
    assert.equal(expected.length - results.length, 3);
    assert.equal(results.filter((answer) => controls.test(JSON.stringify(answer))).length, 1);
    assert.ok(JSON.stringify(results).length > 300_000);
  });

  for (const stack of stacks) {
    describe(`${stack.name} (${stack.source})`, () => {
      for (const { version, mode } of ways) {
        it(`reads the WSDL and gets from every operation what relctl gets, in SOAP ${version}, taken as ${mode}`, async function () {
          needs(this, ...stack.tools);
          const expected = expectedOf(mode);
          const answers = await askBy(stack, { version, mode });
          const losses = stack.losses.filter((loss) => loss.mode === undefined || loss.mode === mode);
          assert.deepEqual(forget(losses, answers), forget(losses, expected));
          // What it loses is said, and no more than it loses.
          for (const loss of losses) {
            const others = losses.filter((other) => other !== loss);
            assert.notDeepEqual(forget(others, answers), forget(others, expected), `does not lose: ${loss.words}`);
          }
          found.set(stack.name, [...(found.get(stack.name) ?? []), `${version} ${mode}`]);
        });
      }
    });
  }
});

describe('What SOAP stacks that we did not write get from the sandbox', () => {
  it('is the table of docs/interop.md; INTEROP_WRITE=1 writes it', async function () {
    needs(this, ...stacks.flatMap(({ tools }) => tools));
    const count = new Set(calls.map(({ operation }) => operation)).size;
    const losses = [...new Set(stacks.flatMap((stack) => stack.losses))];
    const rows = [
      ['SOAP, and how the sandbox takes it', ...stacks.map(({ name }) => (found.get(name) ?? []).join(', '))],
      ['operations with the same answers', ...stacks.map(() => `${count} of ${Object.keys(operations).length}`)],
      ...losses.map((loss) => [
        `loss: ${loss.words}`,
        ...stacks.map((stack) => (stack.losses.includes(loss) ? 'yes' : '')),
      ]),
    ];
    const text = table(['', ...stacks.map(({ name }) => name)], rows);
    const { present, wanted } = await pageWith('clients', text);
    if (writesPage) writePage(wanted);
    else assert.equal(present, wanted);
  });
});
