import assert from 'node:assert/strict';
import { addressForMessage } from '../../../src/core/text/text.js';

describe('An address that is shown', () => {
  for (const [text, shown] of [
    ['http://crm.example/V1/service.asmx', 'http://crm.example/V1/service.asmx'],
    // As it was written, where there is nothing to hide.
    ['https://CRM.example:443', 'https://CRM.example:443'],
    ['https://crm.example/a@b?c=d@e', 'https://crm.example/a@b?c=d@e'],
    ['https://u:hunter2@crm.example/x', 'https://crm.example/x'],
    ['https://hunter2@crm.example', 'https://crm.example/'],
    ['https://:hunter2@crm.example', 'https://crm.example/'],
    // Browsers read these as addresses with a user too.
    ['http:u:hunter2@crm.example', 'http://crm.example/'],
    ['http:\\\\u:hunter2@crm.example', 'http://crm.example/'],
    ['https://u:hunter2@', '(no address)'],
    ['not an address', 'not an address'],
  ] as const) {
    it(`is ${shown} of ${text}`, () => assert.equal(addressForMessage(text), shown));
  }
});
