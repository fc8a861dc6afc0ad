import assert from 'node:assert/strict';
import { readSchema, usualSchema } from '../../src/postgres/schema-name.js';

describe('The name of a schema', () => {
  it('has small letters, digits and _, and begins with a letter', () => {
    for (const name of [usualSchema, 'crm_2', 'a']) assert.equal(readSchema(name, '--schema'), name);
    for (const name of ['', 'Crm', '2crm', 'a-b', 'a"b', 'pg_own', 'a'.repeat(64)])
      assert.throws(() => readSchema(name, '--schema'), /--schema/, name);
  });
});
