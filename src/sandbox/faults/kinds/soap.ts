import { RelctlError } from '../../../errors/relctl-error.js';
import type { Middleware } from '../../context.js';
import { refusedResult } from '../../invoke.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { choice, codeName, text, whole } from './forms.js';

const thrown =
  (code: string, message: string): Middleware =>
  () => {
    throw new RelctlError('refused', message, { facts: { code } });
  };

const inform =
  (ErrorInformation: string, carriesOut: boolean): Middleware =>
  (asked, execute) => {
    const { operation } = asked;
    // Other results have no such member.
    if (!Object.hasOwn(operation.result, 'ErrorInformation')) return execute(asked);
    if (!carriesOut) return { operation, result: { ErrorInformation } };
    const executed = execute(asked);
    return { ...executed, result: { ...executed.result, ErrorInformation } };
  };

/** Faults of SOAP and of results: refusals in each of the forms that such services have. */
export const soapFaults: readonly FaultKind[] = [
  faultKind('fault', {
    value: argument(choice(['Client', 'Server', 'MustUnderstand', 'VersionMismatch']), 'Server'),
    args: {
      message: argument(text, 'The sandbox was told to fail.'),
      subcode: argument(codeName, ''),
      'http-status': argument(whole(200, 599), '500'),
    },
    role: 'answer',
    effects: (side, { message, subcode, 'http-status': status }) => ({
      middleware: () => thrown(subcode === '' ? side : `${side}.${subcode}`, message),
      rewrite: (answer) => (answer.status === 500 ? { ...answer, status } : answer),
    }),
  }),
  faultKind('not-succeeded', {
    args: {
      number: argument(whole(0, 2_147_483_647), '500'),
      code: argument(text, 'Failed'),
      message: argument(text, 'The sandbox was told to fail.'),
    },
    role: 'answer',
    effects: (_, { number, code, message: description }) => ({
      middleware:
        () =>
        ({ operation }) => ({ operation, result: refusedResult(operation, { number, code, description }) }),
    }),
  }),
  faultKind('error-information', {
    value: argument(text, 'The sandbox was told to fail.'),
    args: { data: argument(choice(['with', 'without']), 'without') },
    role: 'answer',
    effects: (message, { data }) => ({ middleware: () => inform(message, data === 'with') }),
  }),
];
