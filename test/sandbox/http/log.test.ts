import assert from 'node:assert/strict';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { LogEntry } from '../../../src/sandbox/http/log.js';
import { faultyPlace, hear, page, soap, type Asking, type FaultyPlace } from '../../support/sandbox/faults/place.js';

const secret = 'Sésame "öpen" & <close>';
const escaped = 'Sésame "öpen" &amp; &lt;close&gt;';

describe('The log of the sandbox', () => {
  let place: FaultyPlace;
  let activityId: string;
  before(async () => {
    place = await faultyPlace(30);
    activityId = String(place.rows('SELECT "Id" FROM "PvActivityData" LIMIT 1')[0]?.[0]);
  });
  after(() => place.close());

  /** What was logged of one request; when and how long are looked at and left out. */
  const logged = async (asking: Asking, specs: readonly string[] = []): Promise<Partial<LogEntry>> => {
    const before = place.log.length;
    await place.under(specs, asking);
    assert.equal(place.log.length, before + 1);
    const { at, ms, ...entry } = place.log.at(-1) ?? { at: '', ms: -1 };
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(ms >= 0);
    return entry;
  };
  const post = { method: 'POST', path: '/V1/service.asmx' };

  it('shows a write that was refused, and that nothing was written', async () => {
    const entry = await logged(soap('ActivityUpdate', '<activityId>ffffffff-0000-4000-8000-000000000000</activityId>'));
    assert.match(entry.outcome ?? '', /^refused: .*ffffffff/);
    assert.equal(entry.written, 0);
  });

  it('shows a refusal that is a fault', async () => {
    const nobody =
      '<relationshipId>ffffffff-0000-4000-8000-000000000000</relationshipId><fieldId>ffffffff-0000-4000-8000-000000000000</fieldId>';
    const entry = await logged(soap('RelationshipFieldGetLabels', nobody));
    assert.match(entry.outcome ?? '', /^refused: /);
    assert.equal(entry.status, 500);
  });

  it('shows what befell a request, also when nothing was answered', async () => {
    const down = await logged(page(1), ['status=503;first=1']);
    assert.deepEqual(down, {
      ...post,
      operation: 'RelationGetAll',
      status: 503,
      bytes: 38,
      faults: ['status=503;first=1'],
    });
    const cut = await logged(page(1), ['reset=before']);
    assert.deepEqual([cut.status, cut.outcome, cut.faults], [undefined, 'done', ['reset=before']]);
  });

  it('shows requests that are no calls, and those that are turned away', async () => {
    assert.deepEqual((await logged({ method: 'GET', path: '/V1/service.asmx?wsdl' })).path, '/V1/service.asmx?wsdl');
    assert.deepEqual(
      (await logged({ method: 'GET', path: `/V1/service.asmx?key=${secret.length}` })).path,
      '/V1/service.asmx',
    );
    assert.deepEqual(await logged({ ...page(1), headers: { host: 'evil.example' } }), {
      ...post,
      outcome: 'turned away',
      status: 403,
    });
  });

  it('holds no secret, wherever it stands, whether it is right or wrong', async () => {
    const from = place.log.length;
    const credentials = (apiKey: string): string =>
      `<credentials><ApiKey>${apiKey}</ApiKey><DatabaseId xsi:nil="true"/><UserId>${known.userId}</UserId>` +
      `<UserName>${escaped}</UserName><Password>${escaped}</Password></credentials>`;
    for (const apiKey of [known.credentials.ApiKey, 'ffffffff-1111-4222-8333-444444444444']) {
      const { headers = {}, body = '' } = soap(
        'ActivityAddAttachment',
        `<activityId>${activityId}</activityId><fileName>${escaped}.txt ${apiKey}</fileName><base64EncodedFile>${Buffer.from(secret).toString('base64')}</base64EncodedFile>`,
      );
      await hear(place.port, { headers, body: body.replace(/<credentials>.*<\/credentials>/, credentials(apiKey)) });
      // One that cannot be read at all.
      await hear(place.port, { headers, body: body.replace(/<credentials>.*/, `${credentials(apiKey)}<`) });
    }
    const text = JSON.stringify(place.log.slice(from));
    assert.equal(place.log.length, from + 4);
    assert.match(text, /\*{8}\.txt \*{8}/);
    for (const form of ['Sésame', 'close', known.credentials.ApiKey, 'ffffffff-1111', 'U8Opc2FtZS']) {
      assert.ok(!text.includes(form), `${form} in ${text}`);
    }
  });
});
