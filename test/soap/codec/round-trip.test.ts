import { isRecord, type RecordValue } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../../src/contract/build.js';
import { ApiCredentials } from '../../../src/contract/records/shared.js';
import { operations, records } from '../../../src/contract/service.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import { readRequest } from '../../../src/soap/wire/receive.js';
import { writeRequest } from '../../../src/soap/wire/request.js';
import { writeResponse } from '../../../src/soap/wire/response.js';
import { chunksOf } from '../../support/xml/recorder.js';
import { fieldsOf, inputOf, reversed, successOf } from '../../support/soap/arbitraries.js';
import { decoded, namespace, read, textOf, url } from '../../support/soap/exchange.js';

const all: readonly Operation[] = Object.values(operations);
const version = fc.constantFrom('1.1' as const, '1.2' as const);
const credentials = fieldsOf(ApiCredentials.fields, 'request');
const asRecord = (value: unknown): RecordValue => value as RecordValue;

describe('a record that is encoded and decoded', () => {
  for (const { name, fields } of Object.values(records)) {
    it(`is the same ${name}, as sent and as received`, () => {
      for (const direction of ['request', 'bare-response'] as const) {
        fc.assert(
          fc.property(fieldsOf(fields, direction), (value) => {
            const { value: back } = decoded(fields, encodeFields(fields, value, { direction, of: name }));
            assert.deepEqual(back, value);
            assert.deepEqual(Object.keys(asRecord(back)), Object.keys(value));
          }),
          { numRuns: 40 },
        );
      }
    });
  }

  it('has the same bytes whatever the order of its keys', () => {
    for (const { name, fields } of Object.values(records)) {
      const place = { direction: 'request', of: name } as const;
      fc.assert(
        fc.property(fieldsOf(fields, 'request'), (value) => {
          const other = reversed(value);
          assert.ok(isRecord(other));
          assert.equal(encodeFields(fields, other, place), encodeFields(fields, value, place));
        }),
        { numRuns: 4 },
      );
    }
  });
});

describe('a request that is written and read', () => {
  for (const operation of all) {
    it(`carries the parameters and credentials of ${operation.name}`, () => {
      fc.assert(
        fc.property(inputOf(operation), credentials, version, (input, who, soap) => {
          const request = writeRequest({ operation, input, credentials: who, namespace, version: soap, url });
          const received = readRequest(request, { namespace });
          assert.equal(received.operation, operation);
          assert.equal(received.version, soap);
          assert.deepEqual(received.input, input);
          assert.deepEqual(Object.keys(received.input), Object.keys(input));
          assert.deepEqual(received.credentials, who);
        }),
        { numRuns: 30 },
      );
    });
  }
});

describe('a response that is written and read', () => {
  for (const operation of all) {
    it(`carries the result of ${operation.name}, however its bytes arrive`, async () => {
      const places = fc.array(fc.nat(), { maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(successOf(operation), version, places, async (result, soap, cuts) => {
          const { body, headers } = writeResponse({ operation, result, namespace, version: soap, bare: true });
          const answer = await read(operation, chunksOf(body, cuts), { type: headers['content-type'] ?? '' });
          const { Result, Data, ...own } = result;
          assert.deepEqual(answer.result, own);
          assert.deepEqual(Object.keys(answer.result), Object.keys(own));
          assert.deepEqual({ Result: answer.envelope?.['Result'], Data: answer.envelope?.['Data'] }, { Result, Data });
          assert.equal(answer.version, soap);
        }),
        { numRuns: 30 },
      );
    });
  }

  it('has its members in the order of the contract, whatever the order of the keys', () => {
    for (const operation of all) {
      const write = (result: RecordValue): string =>
        textOf(writeResponse({ operation, result, namespace, version: '1.1' }).body);
      fc.assert(
        fc.property(successOf(operation), (members) => {
          // Untyped content has no order but its own.
          const result = Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'Data'));
          const other = reversed(result);
          assert.ok(isRecord(other));
          assert.equal(write(other), write(result), operation.name);
        }),
        { numRuns: 4 },
      );
    }
  });
});
