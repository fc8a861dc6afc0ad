import assert from 'node:assert/strict';
import { list, opt, record, req, type RecordType } from '../../src/contract/build.js';
import { ProductType } from '../../src/contract/enumerations.js';
import { string } from '../../src/contract/scalars.js';
import { operations } from '../../src/contract/service.js';
import { operationWith, typeWith } from '../../src/contract/widen.js';

const allowed = { ProductType: ['Bundle', 'Product'] };

describe('Types with allowed values', () => {
  it('have the values of the contract first, and each once', () => {
    assert.deepEqual(typeWith(ProductType, allowed), { ...ProductType, values: ['Product', 'Service', 'Bundle'] });
    assert.deepEqual(ProductType.values, ['Product', 'Service']);
  });

  it('are the same objects where nothing changes, and each time', () => {
    assert.equal(operationWith(operations.MarkGetAll, allowed), operations.MarkGetAll);
    assert.equal(operationWith(operations.ProductUpdate_V2, undefined), operations.ProductUpdate_V2);
    const made = operationWith(operations.ProductUpdate_V2, allowed);
    assert.notEqual(made, operations.ProductUpdate_V2);
    assert.equal(operationWith(operations.ProductUpdate_V2, allowed), made);
  });

  it('may hold themselves', () => {
    const fields = { Type: opt(ProductType, 'x'), Name: req(string, 'x') };
    const tree: RecordType = { ...record('Tree', 'x', fields), fields: { ...fields } };
    Object.assign(tree.fields, { Below: opt(list(tree), 'x') });
    const made = typeWith(tree, allowed);
    const { Below, Name } = made.fields;
    assert.equal(Below?.type.kind === 'list' ? Below.type.item : undefined, made);
    assert.equal(Name, fields.Name);
  });
});
