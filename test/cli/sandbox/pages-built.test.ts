import assert from 'node:assert/strict';
import { text as textOf } from 'node:stream/consumers';
import { operations } from '../../../src/contract/service.js';
import { createEndpoint, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';
import { home } from '../../support/relctl.js';
import { sandboxHere, type ServingSandbox } from '../../support/sandbox.js';

/** Each start has a token of its own in its forms. */
const withoutToken = (page: string): string => page.replace(/(name="token" value=")[^"]*/g, '$1');

describe('The pages of the built program', () => {
  const here = home();
  let built: ServingSandbox | undefined;
  let sources: Sandbox | undefined;
  before(async () => {
    built = await sandboxHere(here.env, ['--relations', '60']);
    sources = await temporarySandbox(60);
  });
  after(async () => {
    await built?.stop();
    sources?.close();
    here.remove();
  });

  async function bothShow(url: string): Promise<string> {
    assert.ok(built !== undefined && sources !== undefined);
    const { host, origin } = new URL(built.url);
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    const ofBuilt = await (await fetch(`${built.url}${url}`, { headers })).text();
    const request = { method: 'GET', url, headers: { ...headers, host }, body: new Uint8Array() } as const;
    const text = await textOf((await createEndpoint(sources)(request)).body);
    assert.equal(withoutToken(ofBuilt), withoutToken(text));
    return text;
  }

  for (const query of ['', ...Object.keys(operations).map((name) => `?op=${name}`), '?op=Nothing', '?WSDL']) {
    it(`are those of the sources, to the letter: ${query === '' ? 'the list' : query}`, async () => {
      const page = await bothShow(`/V1/service.asmx${query}`);
      if (query === '?op=ProductUpdate_V2') assert.match(page, / \u00b7 /);
    });
  }
});
