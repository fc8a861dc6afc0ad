import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { operations } from '../../src/contract/service.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { writeFault, writeResponse } from '../../src/soap/wire/response.js';
import { needs } from '../support/skip.js';

const credentials = {
  ApiKey: '00000000-0000-4000-8000-000000000001',
  DatabaseId: null,
  UserId: null,
  Password: '<&>"',
};
const place = { namespace: 'http://crm.example/a&b', url: 'http://crm.example/V1/service.asmx' };

/** Text of characters that XML can carry as themselves or as references. */
const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((raw) => raw.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, ''));

describe('xmllint', () => {
  before(function () {
    needs(this, 'xmllint');
  });

  function check(document: Uint8Array): void {
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '-'], { input: document });
    assert.equal(status, 0, stderr.toString());
  }

  for (const version of ['1.1', '1.2'] as const) {
    it(`takes what is written in SOAP ${version} as well-formed`, () => {
      fc.assert(
        fc.property(text, (name) => {
          const operation = operations.RelationGetAll;
          const input = { pageNumber: 1, pageSize: 1, includeFields: false, includeCounters: true };
          check(
            writeRequest({ operation, input, credentials: { ...credentials, UserName: name }, version, ...place }).body,
          );
          const relation = {
            Id: credentials.ApiKey,
            EntityTypeId: credentials.ApiKey,
            Info: name,
            IsRoot: false,
            IsDummy: false,
            IsInactive: false,
          };
          check(
            writeResponse({ operation, result: { Relations: [relation] }, version, namespace: place.namespace }).body,
          );
          check(writeFault({ version, code: 'Client', message: name }).body);
        }),
        { numRuns: 15 },
      );
    });
  }
});
