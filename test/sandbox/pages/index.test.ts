import assert from 'node:assert/strict';
import { text as textOf } from 'node:stream/consumers';
import type { Operation } from '../../../src/contract/build.js';
import { operations } from '../../../src/contract/service.js';
import { createEndpoint, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';
import { formIn, read, requestIn, resultIn } from './form-in.js';

const all: readonly Operation[] = Object.values(operations);
const host = '127.0.0.1:8050';
const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
const onlyLocal = 'The test form is only available for requests from the local machine.';

type Headers = Readonly<Record<string, string>>;

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

describe('The pages of the service', () => {
  let place: Sandbox;
  before(async () => {
    place = await temporarySandbox(60);
  });
  after(() => place.close());

  async function get(query: string, headers: Headers = { host }): Promise<Shown> {
    const request = { method: 'GET', url: `/V1/service.asmx${query}`, headers, body: new Uint8Array() } as const;
    const answer = await createEndpoint(place)(request);
    return { ...answer, text: await textOf(answer.body) };
  }

  async function post(name: string, form: ReadonlyMap<string, string>, headers: Headers = own): Promise<Shown> {
    const answer = await createEndpoint(place)({
      method: 'POST',
      url: `/V1/service.asmx/${name}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: Buffer.from(new URLSearchParams([...form]).toString()),
    });
    return { ...answer, text: await textOf(answer.body) };
  }

  const formOf = async (name: string): Promise<Map<string, string>> => formIn((await get(`?op=${name}`)).text);
  const filled = async (name: string, texts: Readonly<Record<string, string>>): Promise<Map<string, string>> =>
    new Map([...(await formOf(name)), ...Object.entries(texts)]);

  describe('listing the operations', () => {
    it('name each with a link to its page, and say what replaces those that are deprecated', async () => {
      const { status, text } = await get('');
      assert.equal(status, 200);
      for (const { name, deprecated } of all) {
        assert.ok(text.includes(`<a href="/V1/service.asmx?op=${name}">${name}</a>`), name);
        const note = `Deprecated: use <a href="/V1/service.asmx?op=${deprecated ?? ''}">`;
        assert.equal(text.includes(note), deprecated !== undefined, name);
      }
      assert.equal(all.filter(({ deprecated }) => deprecated !== undefined).length, 2);
      assert.ok(text.includes('<a href="/V1/service.asmx?WSDL">Service Description</a>'));
    });
  });

  describe('of one operation', () => {
    it('are found whatever the case of `op`, but by the exact name only', async () => {
      assert.match((await get('?OP=MarkGetAll')).text, /<h1>MarkGetAll<\/h1>/);
      const unknown = await get('?op=markgetall%3Cb%3E');
      assert.equal(unknown.status, 200);
      assert.match(read(unknown.text), /Method 'markgetall<b>' was not found in service/);
      assert.ok(!unknown.text.includes('<b>'));
    });

    it('offer the values of an enumeration', async () => {
      const { text } = await get('?op=SystemDatastoreGetItems');
      for (const value of ['LegalEntity', 'BikeDepotBrand']) assert.match(text, new RegExp(`<option value="${value}"`));
      assert.match(text, /LegalEntity or ClassPersonnel or /);
    });
  });

  describe('with forms', () => {
    for (const { name, parameters } of all) {
      it(`invoke ${name} as it is prefilled, in both versions of SOAP`, async () => {
        const form = await formOf(name);
        for (const parameter of ['credentials.ApiKey', 'credentials.Password', ...Object.keys(parameters)]) {
          const isThere = [...form.keys()].some(
            (path) => path === parameter || /^[.[:]/.test(path.slice(parameter.length)),
          );
          assert.ok(isThere, parameter);
        }
        for (const version of ['1.1', '1.2']) {
          const { status, text } = await post(name, new Map([...form, ['version', version]]));
          assert.equal(status, 200);
          assert.match(text, /class="note good">The service answered with status 200/, resultIn(text));
          assert.match(resultIn(text) ?? '', new RegExp(`<${name}Response xmlns="http://relctl\\.example/sandbox"`));
        }
      });
    }

    it('keep secrets out of the request that they show', async () => {
      const { text } = await post('MarkGetAll', await formOf('MarkGetAll'));
      assert.match(requestIn(text), /<ApiKey>\*+<\/ApiKey>/);
      assert.doesNotMatch(requestIn(text), /zandbak|00000000-0000-4000-8000-000000000001/);
    });

    it('tell empty, nil and left out apart', async () => {
      const nil = await post('MarkGetAll', await filled('MarkGetAll', { 'credentials.UserId': '' }));
      assert.match(requestIn(nil.text), /<UserId xsi:nil="true" ?\/>/);
      const line = { 'credentials.UserName': '', 'credentials.Password': '' };
      const without = await post('MarkGetAll', await filled('MarkGetAll', line));
      assert.doesNotMatch(requestIn(without.text), /<UserName|<Password/);
      const empty = await post(
        'MarkGetAll',
        await filled('MarkGetAll', { ...line, 'credentials.UserName:sent': 'on' }),
      );
      assert.match(requestIn(empty.text), /<UserName ?\/>|<UserName><\/UserName>/);
    });

    it('carry nested records and lists as JSON', async () => {
      const fieldValues = JSON.stringify([
        { Id: '00000000-0000-4000-8000-00000000beef', Value: 'x' },
        { Id: '00000000-0000-4000-8000-00000000cafe' },
      ]);
      const { text } = await post('ActivitySearchByField', await filled('ActivitySearchByField', { fieldValues }));
      assert.equal(requestIn(text).split('<PvFieldValueData>').length, 3);
      assert.match(requestIn(text), /<Id>00000000-0000-4000-8000-00000000beef<\/Id>\s*<Value>x<\/Value>/);
      const left = await post('ActivitySearchByField', await filled('ActivitySearchByField', { fieldValues: ' ' }));
      assert.doesNotMatch(requestIn(left.text), /fieldValues/);
    });

    for (const operation of all) {
      for (const [name, { type }] of Object.entries(operation.parameters)) {
        if (type.kind !== 'record' && type.kind !== 'list') continue;
        it(`have a sample that fits for ${name} of ${operation.name}`, async () => {
          const page = (await get(`?op=${operation.name}`)).text;
          const row = page.slice(page.indexOf(`<label for="${name}"`));
          const sample = read(/<pre>([^]*?)<\/pre>/.exec(row)?.[1] ?? '');
          const { status, text } = await post(operation.name, await filled(operation.name, { [name]: sample }));
          assert.equal(status, 200, read(text));
          assert.ok(requestIn(text).includes(`<${name}>`), requestIn(text));
        });
      }
    }

    for (const [text, complaint] of [
      ['{', /role="alert">fieldValues must be JSON as in its sample: /],
      ['[{"Id":"x"}]', /role="alert">fieldValues\[0\]\.Id must be /],
      ['"x"', /role="alert">fieldValues must be /],
      [`[${' '.repeat(1024 * 1024 - 1)}]`, /role="alert">fieldValues has more than 1048576 characters of JSON/],
    ] as const) {
      it(`say what does not fit in JSON, and keep it: ${text.slice(0, 20)}`, async () => {
        const form = await filled('ActivitySearchByField', { fieldValues: text });
        const refused = await post('ActivitySearchByField', form);
        assert.equal(refused.status, 400);
        assert.match(read(refused.text), complaint);
        assert.match(refused.text, /<div class="row wrong">\s*<label for="fieldValues"/);
        assert.equal(formIn(refused.text).get('fieldValues'), text);
      });
    }

    it('show markup and control characters as text', async () => {
      const nasty = '</textarea></pre><script>alert(1)</script>&amp;"\'\u202e';
      const { text } = await post(
        'ActivityAddProductLine',
        await filled('ActivityAddProductLine', { description: nasty }),
      );
      assert.match(text, /note good/);
      assert.ok(!text.includes('<script'));
      assert.ok(!text.includes('\u202e'));
      assert.ok(read(text).includes('</textarea></pre><script>alert(1)</script>&amp;"\''));
    });

    it('say what does not fit, keep what was typed, and send nothing', async () => {
      const { status, text } = await post('RelationGetAll', await filled('RelationGetAll', { pageSize: '<2>' }));
      assert.equal(status, 400);
      assert.match(read(text), /role="alert">pageSize must be a whole number[^<]*, not '<2>'\./);
      assert.equal(formIn(text).get('pageSize'), '<2>');
      assert.equal(resultIn(text), undefined);
    });

    it('show a refusal of the service as one', async () => {
      const wrong = { 'credentials.ApiKey': '00000000-0000-4000-8000-0000000000ff' };
      const { text } = await post('NotificationGetCount', await filled('NotificationGetCount', wrong));
      assert.match(text, /class="note bad">The service refused, with status 200/);
      const fault = await post('MarkGetAll', await filled('MarkGetAll', wrong));
      assert.match(fault.text, /class="note bad">The service answered with status 500/);
    });
  });

  describe('for whoever is not here', () => {
    const strangers: readonly (readonly [title: string, headers: Headers])[] = [
      ['another Host', { ...own, host: 'crm.example:8050', origin: 'http://crm.example:8050' }],
      ['a proxy that forwards', { ...own, 'x-forwarded-for': '203.0.113.7' }],
      ['a proxy that names itself', { ...own, via: '1.1 gateway' }],
      ['another Origin', { ...own, origin: 'http://127.0.0.1:8051' }],
      ['no Origin at all', { host, origin: 'null' }],
      ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
      ['the same site at another port', { ...own, 'sec-fetch-site': 'same-site' }],
    ];
    for (const [title, headers] of strangers) {
      it(`have a sentence in the place of the form, and take none: ${title}`, async () => {
        const { text } = await get('?op=DatastoreCreateItem_V3', headers);
        assert.ok(text.includes(onlyLocal));
        assert.doesNotMatch(text, /<form/);
        const form = await formOf('DatastoreCreateItem_V3');
        const before = place.store.statement('SELECT total_changes()').first();
        const refused = await post('DatastoreCreateItem_V3', form, headers);
        assert.deepEqual([refused.status, resultIn(refused.text)], [403, undefined]);
        assert.ok(refused.text.includes(onlyLocal));
        assert.deepEqual(place.store.statement('SELECT total_changes()').first(), before);
      });
    }

    it('take no form of another start of the sandbox, nor one without a word', async () => {
      for (const token of [
        '',
        'x',
        (await formOf('MarkGetAll')).get('token')?.replace(/^./, (first) => (first === '-' ? '_' : '-')) ?? '',
      ]) {
        const { status, text } = await post('MarkGetAll', await filled('MarkGetAll', { token }));
        assert.equal(status, 403);
        assert.match(text, /The form is out of date/);
      }
    });

    it('know no other operation', async () => {
      const { status, text } = await post('Explode<b>', await formOf('MarkGetAll'));
      assert.equal(status, 404);
      assert.match(read(text), /Explode<b> Web Service method name is not valid\./);
    });
  });
});
