import assert from 'node:assert/strict';
import { endpointUrl } from '../../src/client/connection.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

describe('The address of a service', () => {
  const cases: readonly (readonly [base: string, path: string | undefined, url: string])[] = [
    ['https://crm.example', undefined, 'https://crm.example/V1/service.asmx'],
    ['https://crm.example/', undefined, 'https://crm.example/V1/service.asmx'],
    ['https://crm.example/app//', undefined, 'https://crm.example/app/V1/service.asmx'],
    ['https://crm.example/app/Crm.ASMX', undefined, 'https://crm.example/app/Crm.ASMX'],
    ['https://crm.example/crm.asmx/', undefined, 'https://crm.example/crm.asmx'],
    ['https://crm.example/crm.asmx?tenant=3', undefined, 'https://crm.example/crm.asmx?tenant=3'],
    ['https://gw.example', '/soap', 'https://gw.example/soap'],
    ['https://gw.example/crm/', '/V2/service.svc', 'https://gw.example/crm/V2/service.svc'],
    ['https://gw.example/crm', '/', 'https://gw.example/crm/'],
    ['https://gw.example', '/soap?tenant=a?b', 'https://gw.example/soap?tenant=a?b'],
    ['https://gw.example', '/a%20b', 'https://gw.example/a%20b'],
  ];
  for (const [base, path, url] of cases) {
    it(`is ${url} for ${base}${path === undefined ? '' : ` and the path ${path}`}`, () =>
      assert.equal(endpointUrl(base, path), url));
  }

  it('is not guessed when base address and path both name the page', () => {
    assert.throws(
      () => endpointUrl('https://crm.example/crm.asmx', '/V2/service.asmx'),
      (thrown: unknown) =>
        thrown instanceof RelctlError &&
        thrown.kind === 'profile' &&
        thrown.message === 'the base URL already has the page /crm.asmx, and the path is /V2/service.asmx' &&
        thrown.hint === 'relctl profile edit NAME --unset path',
    );
  });
});
