import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../src/contract/build.js';
import { ApiCredentials } from '../../src/contract/records/credentials.js';
import { operations } from '../../src/contract/service.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { writeResponse } from '../../src/soap/wire/response.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import { conformingFields, conformingResult } from '../support/wsdl/conforming.js';
import { needs } from '../support/skip.js';
import { validator, type Validator } from '../support/wsdl/validator.js';

const namespace = 'http://crm.example/ns';
const address = 'http://crm.example/V1/service.asmx';
const all: readonly Operation[] = Object.values(operations);
const versions = ['1.1', '1.2'] as const;
const credentials = conformingFields(ApiCredentials.fields, 'request');

/** Many documents for one run of xmllint, shrunk together. */
const many = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(each, { minLength: 30, maxLength: 30 });

describe('By the schema of the WSDL', () => {
  let schema: Validator | undefined;
  before(function () {
    needs(this, 'xmllint');
    schema = validator(writeWsdl({ operations: all, namespace, address }), namespace);
  });
  after(() => {
    schema?.remove();
  });

  for (const operation of all) {
    const { name } = operation;

    it(`every request for ${name} is valid in both versions of SOAP`, () => {
      const one = fc.tuple(conformingFields(operation.parameters, 'request'), credentials);
      fc.assert(
        fc.property(many(one), (calls) => {
          for (const version of versions) {
            const documents = calls.map(([input, who]) => {
              return writeRequest({ operation, input, credentials: who, namespace, version, url: address }).body;
            });
            assert.equal(schema?.complaints(version, documents), '');
          }
        }),
        { numRuns: 1 },
      );
    });

    it(`every response of ${name} is valid in both versions of SOAP`, () => {
      fc.assert(
        fc.property(many(conformingResult(operation)), (results) => {
          for (const version of versions) {
            const documents = results.map((result) => writeResponse({ operation, result, namespace, version }).body);
            assert.equal(schema?.complaints(version, documents), '');
          }
        }),
        { numRuns: 1 },
      );
    });
  }
});
