import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { writeWsdl } from '../../../src/wsdl/definitions.js';
import { namespace } from '../soap-answers.js';

/** A place of a WSDL, and what stands there instead. */
export type Change = readonly [was: string, is: string];

/** The WSDL of the embedded service with changes, each at every place that has its text. */
export function deployedWsdl(...changes: readonly Change[]): string {
  const address = 'http://127.0.0.1:9/V1/service.asmx';
  let text = writeWsdl({ operations: Object.values(operations), namespace, address });
  for (const [was, is] of changes) {
    assert.ok(text.includes(was), `the WSDL has no ${was}`);
    text = text.replaceAll(was, is);
  }
  return text;
}

/** An element of a schema that may be left out. */
export const element = (name: string, type: string, more = ''): string =>
  `<s:element minOccurs="0" maxOccurs="1" name="${name}" type="${type}"${more}/>`;
