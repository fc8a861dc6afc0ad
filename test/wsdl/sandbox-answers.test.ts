import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import { operations } from '../../src/contract/service.js';
import { sandboxModes } from '../../src/sandbox/context.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { createEndpoint, type Sandbox } from '../../src/sandbox/sandbox.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { calls } from '../support/interop/calls.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';
import { needs } from '../support/skip.js';
import { validator, type Validator } from '../support/wsdl.js';

const url = '/V1/service.asmx';

describe('The sandbox', () => {
  let made: Sandbox | undefined;
  const place = (): Sandbox => made ?? assert.fail('there is no sandbox');
  let schema: Validator | undefined;
  const got = async (path: string): Promise<string> => {
    const endpoint = createEndpoint(place());
    const request = { method: 'GET', url: path, headers: { host: '127.0.0.1:8050' }, body: new Uint8Array() } as const;
    return textOf((await endpoint(request)).body);
  };

  before(async function () {
    needs(this, 'xmllint');
    made = await temporarySandbox();
    schema = validator(await got(`${url}?WSDL`), place().namespace);
  });
  after(() => {
    schema?.remove();
    made?.close();
  });

  const ways = sandboxModes.flatMap((mode) => (['1.1', '1.2'] as const).map((version) => [mode, version] as const));
  for (const [mode, version] of ways) {
    it(`answers every operation in SOAP ${version} by the schema of its own WSDL, taking requests as ${mode}`, async () => {
      const endpoint = createEndpoint({ ...place(), mode });
      const answers = await Promise.all(
        calls.map(async ({ operation: name, parameters }) => {
          const operation = operations[name];
          const { namespace } = place();
          // Checked by the types of the contract where the call is written down.
          const input = parameters as RecordValue;
          const request = { operation, input, credentials: known.credentials, namespace, version, url };
          const answer = await endpoint(writeRequest(request));
          return { name, status: answer.status, text: await textOf(answer.body) };
        }),
      );
      assert.deepEqual(new Set(answers.map(({ name }) => name)), new Set(Object.keys(operations)));
      const results = answers.filter(({ status }) => status === 200);
      assert.equal(results.length, answers.length - 1);
      // .NET services, and so the sandbox, write references that XML 1.0 has no characters for.
      const documents = results.map(({ text }) => text.replace(/&#x(?:1?[0-9A-F]|FFF[EF]);/g, '?'));
      assert.equal(schema?.complaints(version, documents), '');
    });
  }
});

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
