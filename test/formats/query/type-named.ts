import assert from 'node:assert/strict';
import { records } from '../../../src/contract/service.js';
import type { RecordType } from '../../../src/contract/build.js';

/** A type of record of the contract. */
export const typeNamed = (name: string): RecordType => records[name] ?? assert.fail(name);
