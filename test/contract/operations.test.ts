import assert from 'node:assert/strict';
import { credentialsField, resultEnvelope } from '../../src/contract/records/shared.js';
import { findOperation, operations } from '../../src/contract/service.js';
import { documentedOperations, observedOperations } from './expected-operations.js';
import { entriesOf, spelled, withPresence } from './spelling.js';
import { argv } from '../support/argv.js';

const all = Object.values(operations);

describe('operations of the contract', () => {
  it('are the 32 of the interface document in its order, and the one that it names as a replacement', () => {
    const documented = all.filter(({ source }) => source === 'document').map(({ name }) => name);
    assert.equal(documented.length, 32);
    assert.deepEqual(
      documented,
      documentedOperations.map(({ name }) => name),
    );
    const observed = all.filter(({ source }) => source === 'observed').map(({ name }) => name);
    assert.deepEqual(
      observed,
      observedOperations.map(({ name }) => name),
    );
    for (const [key, { name }] of Object.entries(operations)) assert.equal(name, key);
  });

  for (const expected of [...documentedOperations, ...observedOperations]) {
    it(`give ${expected.name} its parameters and results in the order of the document`, () => {
      const operation = findOperation(expected.name);
      assert.ok(operation);
      assert.deepEqual(spelled(operation.parameters), entriesOf(expected.parameters).map(withPresence));
      assert.deepEqual(spelled(operation.result), entriesOf(expected.result).map(withPresence));
      assert.equal(operation.envelope, expected.isEnvelope ?? false);
      assert.equal(operation.paged, expected.paged);
      assert.equal(operation.deprecated, expected.deprecated);
    });
  }

  it('page exactly those that take pageNumber and pageSize', () => {
    for (const { name, parameters, ...rest } of all) {
      const takesPages = 'pageNumber' in parameters && 'pageSize' in parameters;
      assert.equal('paged' in rest, takesPages, name);
      if ('paged' in rest) assert.ok(rest.paged in rest.result, name);
    }
  });

  it('replace a deprecated operation by one that exists and is not deprecated', () => {
    const deprecated = documentedOperations.flatMap(({ deprecated: by }) => by ?? []);
    assert.equal(deprecated.length, 2);
    for (const by of deprecated) assert.equal(findOperation(by)?.deprecated, undefined, by);
    for (const by of deprecated) assert.ok(findOperation(by), by);
  });

  it('report failures in ErrorInformation where the document says so, and nowhere else', () => {
    const reporting = all.filter(({ result }) => 'ErrorInformation' in result).map(({ name }) => name);
    assert.deepEqual(
      reporting.sort(),
      argv`
      ActivitySearchByField ActivitySearchByFieldInPeriodExact ActivityUpdate DatastoreCreateItem_V3 RelationshipAddLine
    `,
    );
  });

  it('write exactly where their names say that they do', () => {
    const writing = all.filter(({ access }) => access !== 'read').map(({ name, access }) => `${name} ${access}`);
    assert.deepEqual(writing, [
      ...['ActivityUpdate set', 'ActivityAddProductLine add', 'SubscriptionAddProductLine add'],
      ...['ActivityAddAttachment add', 'RelationshipAddLine add', 'ProductUpdate_V2 set'],
      'DatastoreCreateItem_V3 add',
    ]);
  });

  it('share a result envelope and optional credentials', () => {
    assert.deepEqual(spelled(resultEnvelope), ['Result PvApiResultDataOfObject Req', 'Data anyType Opt']);
    assert.deepEqual(spelled({ credentials: credentialsField }), ['credentials ApiCredentials Opt']);
  });

  it('are found by their exact name only, whatever text is asked for', () => {
    assert.equal(findOperation('RelationGet')?.name, 'RelationGet');
    for (const name of ['relationget', 'RelationGet ', '', '__proto__', 'constructor', 'toString'])
      assert.equal(findOperation(name), undefined, name);
  });
});
