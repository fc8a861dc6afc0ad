import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { known } from '../../../src/sandbox/dataset/known.js';
import { serverLimits } from '../../../src/sandbox/http/server.js';
import { home, relctl } from '../../support/relctl.js';
import { faultyPlace, page } from '../../support/sandbox/faults/place.js';

describe('A call to a sandbox that answers as many as it can', () => {
  it('is made again where it reads, and succeeds when others were answered', async () => {
    const own = home();
    const place = await faultyPlace(20);
    place.plan.add(`stall=before;first=${serverLimits.requests}`);
    const waiting = Array.from({ length: serverLimits.requests }, () => {
      const { headers = {}, body = '' } = page(1);
      const stalled = request({ port: place.port, path: '/V1/service.asmx', method: 'POST', headers, agent: false });
      return stalled.on('error', () => undefined).end(body);
    });
    while (place.plan.lines()[0]?.befallen !== serverLimits.requests) await pause(20);
    const { ApiKey, DatabaseId, UserId, UserName, Password } = known.credentials;
    const reading = relctl(['relation', 'get', known.personId, '-o', 'json'], {
      env: {
        ...own.env,
        RELCTL_BASE_URL: place.url,
        RELCTL_NAMESPACE: 'http://relctl.example/sandbox',
        RELCTL_API_KEY: ApiKey,
        RELCTL_DATABASE_ID: DatabaseId,
        RELCTL_USER_ID: UserId,
        RELCTL_USER_NAME: UserName,
        RELCTL_PASSWORD: Password,
      },
    });
    while (!place.log.some(({ status }) => status === 503)) await pause(5);
    // An ordinary end says only that nothing more is sent: whoever ends so may still want the answer.
    for (const each of waiting) each.socket?.resetAndDestroy();
    const run = await reading;
    await place.close();
    own.remove();
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.match(run.stdout, new RegExp(known.personId));
  });
});
