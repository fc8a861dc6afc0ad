import assert from 'node:assert/strict';
import type { RecordType } from '../../src/contract/build.js';
import { credentialsField } from '../../src/contract/records/credentials.js';
import { operations } from '../../src/contract/service.js';
import { table } from '../../scripts/docs/markdown.js';
import { home, relctl, type Home, type Run } from '../support/relctl.js';
import { needs } from '../support/skip.js';
import { pageWith, writePage, writesPage } from '../support/interop/page.js';
import { scenarios, type Scenario } from '../support/interop/scenarios.js';
import { namespace, serve, servers, type RunningServer, type ServerLoss } from '../support/interop/servers.js';
import { changed, isRecord, printedForm, resultType, type Json } from '../support/interop/shapes.js';

const credentials = {
  ApiKey: 'a0000000-0000-4000-8000-00000000000a',
  DatabaseId: null,
  UserId: 'b0000000-0000-4000-8000-00000000000b',
  UserName: 'été',
  Password: '<p&ss>',
};

const requestType = ({ operation }: Scenario): RecordType => ({
  ...resultType(operations[operation]),
  fields: { credentials: credentialsField, ...operations[operation].parameters },
});

const without = (losses: readonly ServerLoss[], type: RecordType, value: Json): Json =>
  losses.reduce<Json>((left, loss) => changed(type, left, loss.change) ?? {}, value);

const pageOf = (asked: Json): number => (isRecord(asked) ? Number(asked['pageNumber'] ?? 0) : 0);

/** What the server was called with, but for the name and version of relctl, which it says itself. */
function heard(scenario: Scenario, { called }: RunningServer, losses: readonly ServerLoss[]): readonly Json[] {
  const type = requestType(scenario);
  const mine = called().filter(({ operation }) => operation === scenario.operation);
  const heardNow = mine.map(({ parameters }) => {
    const printed = printedForm(type, parameters);
    assert.ok(isRecord(printed) && isRecord(printed['credentials']));
    const { SourceApplication, ...who } = printed['credentials'];
    assert.ok(isRecord(SourceApplication) && SourceApplication['Name'] === 'relctl');
    return without(losses, type, { ...printed, credentials: who });
  });
  // Pages that are asked for ahead may overtake each other.
  return heardNow.sort((left, right) => pageOf(left) - pageOf(right));
}

const printedBy = (run: Run): Json => {
  if (run.code === 0) return JSON.parse(run.stdout) as Json;
  const { error } = JSON.parse(run.stderr) as { error: { message: string } };
  return error.message;
};

/** Versions in which it went well, by stack. */
const found = new Map<string, readonly string[]>();

/** A list is printed without the result that it is in. */
const inResult = (printed: Json): Json => (Array.isArray(printed) ? { Relations: printed } : printed);

describe('relctl, asking a SOAP stack that we did not write', function () {
  const ask = (scenario: Scenario, url: string, { version, place }: { version: string; place: Home }): Promise<Run> => {
    const { ApiKey, UserId, UserName, Password } = credentials;
    const env = {
      ...place.env,
      // They know the pages that they were told.
      RELCTL_FIRST_PAGE: '1',
      RELCTL_BASE_URL: url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: ApiKey,
      RELCTL_USER_ID: UserId,
      RELCTL_USER_NAME: UserName,
      RELCTL_PASSWORD: Password,
    };
    const args = [...scenario.args, '--set', `soapVersion=${version}`, '-o', 'json', '--set', 'retries=0'];
    return relctl(args, { env, input: JSON.stringify(scenario.parameters) });
  };

  for (const stack of servers) {
    describe(`${stack.name} (${stack.source})`, () => {
      for (const version of ['1.1', '1.2'] as const) {
        it(`is understood and understands, in SOAP ${version}`, async function () {
          needs(this, ...stack.tools);
          const place = home();
          const server = await serve(stack, scenarios, { place, version });
          try {
            const runs = await Promise.all(
              scenarios.map(
                async (scenario) => [scenario, await ask(scenario, server.url, { version, place })] as const,
              ),
            );
            for (const [scenario, run] of runs) {
              const { operation, words, printed, code, parameters } = scenario;
              assert.equal(run.code, code, `${words}: ${run.stderr}`);
              const answer = resultType(operations[operation]);
              const expected = typeof printed === 'string' ? printed : without(stack.dumb, answer, inResult(printed));
              assert.deepEqual(inResult(printedBy(run)), expected, words);
              const given = (Array.isArray(parameters) ? parameters : [parameters]) as readonly Json[];
              // Pages are asked for ahead: one more than there are may be on its way.
              const asked = heard(scenario, server, stack.deaf).slice(0, given.length);
              const whole = given.map((each) => {
                assert.ok(isRecord(each));
                return without(stack.deaf, requestType(scenario), { credentials, ...each });
              });
              assert.deepEqual(asked, whole, words);
            }
            found.set(stack.name, [...(found.get(stack.name) ?? []), version]);
          } finally {
            await server.stop();
            place.remove();
          }
        });
      }

      for (const loss of stack.dumb) {
        it(`still ${loss.words}`, async function () {
          needs(this, ...stack.tools);
          const place = home();
          const server = await serve({ ...stack, dumb: [] }, scenarios, { place, version: '1.1' });
          try {
            const [first] = scenarios;
            assert.ok(first !== undefined);
            const run = await ask(first, server.url, { version: '1.1', place });
            assert.equal(run.code, 7);
            assert.match(run.stderr, /the prefix 'xsi' is not bound/);
          } finally {
            await server.stop();
            place.remove();
          }
        });
      }
    });
  }
});

describe('What relctl exchanges with servers that we did not write', () => {
  it('is the table of docs/interop.md; INTEROP_WRITE=1 writes it', async function () {
    needs(this, ...servers.flatMap(({ tools }) => tools));
    const losses = [...new Set(servers.flatMap(({ deaf, dumb }) => [...deaf, ...dumb]))];
    const rows = [
      ...scenarios.map(({ words }) => [words, ...servers.map(({ name }) => (found.get(name) ?? []).join(', '))]),
      ...losses.map((loss) => [
        `loss: ${loss.words}`,
        ...servers.map(({ deaf, dumb }) => (deaf.includes(loss) || dumb.includes(loss) ? 'yes' : '')),
      ]),
    ];
    const text = table(['exchanged, in SOAP', ...servers.map(({ name }) => name)], rows);
    const { present, wanted } = await pageWith('servers', text);
    if (writesPage) writePage(wanted);
    else assert.equal(present, wanted);
  });
});
