import assert from 'node:assert/strict';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';
import { exchange, type Answer } from '../../support/sandbox/asmx/http.js';
import { probes, type Expected } from './probe-table.js';

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const unescaped = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (found) => entities[found] ?? found);

const withoutPlace = (words: string): string =>
  words.replace(/\(\d+, \d+\)/, '(…, …)').replace(/\(line \d+, column \d+\)/, '(line …, column …)');

const within = (answer: Answer, pattern: RegExp): string | undefined => {
  const groups: readonly (string | undefined)[] = pattern.exec(answer.text)?.slice(1) ?? [];
  const found = groups.find((group) => group !== undefined);
  return found === undefined ? undefined : withoutPlace(unescaped(found));
};

const codePattern =
  /<faultcode(?: xmlns:q0="http:\/\/relctl.example\/sandbox")?>(.*?)<\/faultcode>|<soap:Code><soap:Value>(.*?)<\/soap:Value>/;
const wordsPattern = /<faultstring>([^]*?)<\/faultstring>|<soap:Text xml:lang="en">([^]*?)<\/soap:Text>/;

function check(answer: Answer, expected: Expected): void {
  const seen: Expected = {
    status: answer.status,
    ...(expected.type === undefined ? {} : { type: answer.headers['content-type'] ?? '' }),
    ...(expected.code === undefined ? {} : { code: within(answer, codePattern) ?? '' }),
    ...(expected.words === undefined ? {} : { words: within(answer, wordsPattern) ?? '' }),
    ...(answer.bytes.length === 0 && expected.isEmpty === true ? { isEmpty: true } : {}),
  };
  const { holds = [], lacks = [], ...exact } = expected;
  assert.deepEqual(seen, exact);
  for (const text of holds) assert.ok(answer.text.includes(text), `${text} is not in ${answer.text.slice(0, 2000)}`);
  for (const text of lacks) assert.ok(!answer.text.includes(text), `${text} is in ${answer.text.slice(0, 2000)}`);
}

for (const mode of ['asmx', 'strict'] as const) {
  describe(`The sandbox in the mode ${mode}`, () => {
    let sandbox: Sandbox;
    let server: RunningServer;
    before(async () => {
      sandbox = { ...(await temporarySandbox(30)), mode };
      server = await serveSandbox(sandbox);
    });
    after(async () => {
      await server.close();
      sandbox.close();
    });

    for (const [subject, rows] of Object.entries(probes)) {
      describe(`on ${subject}`, () => {
        for (const { title, sent, asmx, strict } of rows) {
          it(title, async () => {
            check(await exchange(server.port, sent), mode === 'asmx' ? asmx : strict);
          });
        }
      });
    }
  });
}
