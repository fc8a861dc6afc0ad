import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { credentialCodes } from '../../../src/soap/wire/failure.js';
import { answerOf, called, type Called } from '../../support/called.js';
import { envelope, fault11, notSucceeded } from '../../support/soap-answers.js';
import { valuesOf } from '../../support/thrown.js';

const id = '00000000-0000-4000-8000-000000000011';
const counting = ['notification', 'count', '--user', id, '-o', 'json'];
const refusedWith = (code: string): Promise<Called> => called(notSucceeded(code, 'No.'), counting);

describe('Credentials that a service refuses', () => {
  it('are exit code 3 by each code of the table, in any spelling', async () => {
    const spellings = [
      ...['ApiKeyInvalid', 'InvalidApiKey', 'AuthenticationFailed'],
      ...['API_KEY_INVALID', 'invalid-api-key', 'authentication failed', 'Login.Failed.Unauthorized'],
    ];
    for (const code of spellings) {
      const run = await refusedWith(code);
      assert.deepEqual([run.code, run.error()['kind'], run.error()['code']], [3, 'profile', code]);
    }
    assert.equal((await refusedWith('ApiKeyInvalidated')).code, 4);
  });

  it('are exit code 3 in a fault of either version, also where a finer code follows', async () => {
    const finer = envelope(
      '1.2',
      '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value>AuthenticationFailed</soap:Value><soap:Subcode><soap:Value>Expired</soap:Value></soap:Subcode></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">No.</soap:Text></soap:Reason></soap:Fault>',
      500,
    );
    for (const answer of [fault11('Client.InvalidApiKey', 'No.'), finer])
      assert.equal((await called(answer, counting)).code, 3);
    assert.equal((await called(fault11('Client.Expired', 'InvalidApiKey'), counting)).code, 4);
  });

  it('are exit code 3 by the number 401, whatever the code', async () => {
    const result = (number: number): string =>
      `<Result><Succeeded>false</Succeeded><Number>${number}</Number><Code>E17</Code></Result>`;
    const [refused, other] = await Promise.all(
      [401, 402].map((number) => called(answerOf('NotificationGetCount', result(number)), counting)),
    );
    assert.deepEqual([refused?.code, other?.code], [3, 4]);
  });

  it('are exit code 3 by the codes that a profile adds', async () => {
    const env = { RELCTL_CREDENTIALS_CODE: 'E17, licence over' };
    const codes = ['e_17', 'LicenceOver', 'E18'];
    const runs = await Promise.all(codes.map((code) => called(notSucceeded(code, 'No.'), counting, { env })));
    assert.deepEqual(valuesOf(runs, 'code'), [3, 3, 4]);
  });

  it('are told of in docs/exit-codes.md with every code that is known', () => {
    const docs = readFileSync(new URL('../../../docs/exit-codes.md', import.meta.url), 'utf8');
    for (const code of credentialCodes) assert.ok(docs.includes(`\`${code}\``), code);
  });
});
