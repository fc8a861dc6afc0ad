import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { RecordValue, Value } from '../../src/core/values/value.js';
import type { Field, Fields, Operation, Type } from '../../src/contract/build.js';
import { ApiCredentials, resultEnvelope } from '../../src/contract/records/shared.js';
import { valueOf } from '../support/soap/arbitraries.js';
import { operations } from '../../src/contract/service.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { writeResponse } from '../../src/soap/wire/response.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import { needs } from '../support/skip.js';
import { validator, type Validator } from '../support/wsdl.js';

/** Which way a value travels. A nested member of an answer may be nil where one of a request may only be left out. */
type Travel = 'request' | 'response';

// xmllint counts 24 digits of a decimal and no more; .NET has 29.
const shortDecimal = valueOf({ kind: 'scalar', name: 'decimal' }, 'request').map((value) =>
  typeof value === 'string' ? value.slice(0, 24) : value,
);

// xmllint takes no references to control characters, which a response may hold.
const untyped = valueOf({ kind: 'scalar', name: 'anyType' }, 'request').filter(
  (value) => !/\\u00[01]|[\ufffe\uffff]/.test(JSON.stringify(value)),
);

const absent = Symbol('absent');

function memberOf({ type, presence }: Field, travel: Travel): fc.Arbitrary<Value | typeof absent> {
  const value = conforming(type, travel);
  if (presence === 'req') return value;
  if (presence === 'nil') return fc.option(value, { freq: 3 });
  const isNested = type.kind === 'record' || type.kind === 'list';
  const empties: readonly (null | typeof absent)[] = isNested && travel === 'response' ? [null, absent] : [absent];
  return fc.oneof({ weight: 3, arbitrary: value }, fc.constantFrom(...empties));
}

/** Values for fields as far as the description of the service allows them. */
function conformingFields(fields: Fields, travel: Travel): fc.Arbitrary<RecordValue> {
  const members = Object.entries(fields).map(([name, field]) =>
    memberOf(field, travel).map((value) => [name, value] as const),
  );
  return fc
    .tuple(...members)
    .map((found) =>
      Object.fromEntries(found.filter((entry): entry is readonly [string, Value] => entry[1] !== absent)),
    );
}

/** Values of a type as far as the description of the service allows them. */
function conforming(type: Type, travel: Travel): fc.Arbitrary<Value> {
  if (type.kind === 'record') return conformingFields(type.fields, travel);
  if (type.kind === 'scalar' && type.name === 'decimal') return shortDecimal;
  if (type.kind === 'scalar' && type.name === 'anyType') return untyped;
  if (type.kind !== 'list') return valueOf(type, 'request');
  const item = conforming(type.item, travel);
  const isReference = type.item.kind === 'record' && travel === 'response';
  return fc.array(isReference ? fc.option(item, { freq: 8 }) : item, { maxLength: 3 });
}

/** Whole results of an operation, with the result envelope where the contract says that there is one. */
const conformingResult = (operation: Operation): fc.Arbitrary<RecordValue> =>
  conformingFields(operation.envelope ? { ...resultEnvelope, ...operation.result } : operation.result, 'response');

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
