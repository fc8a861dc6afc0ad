import { RelctlError } from '../../../errors/relctl-error.js';
import type { Around } from '../../context.js';
import { refusedResult } from '../../invoke.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { choice, codeName, text, whole } from './forms.js';

const thrown =
  (code: string, message: string): Around =>
  () => {
    throw new RelctlError('refused', message, { facts: { code } });
  };

const inform =
  (ErrorInformation: string, carriesOut: boolean): Around =>
  (asked, carryOut) => {
    const { operation } = asked;
    // Operations whose result has no such member cannot say it.
    if (!Object.hasOwn(operation.result, 'ErrorInformation')) return carryOut(asked);
    if (!carriesOut) return { operation, result: { ErrorInformation } };
    const carried = carryOut(asked);
    return { ...carried, result: { ...carried.result, ErrorInformation } };
  };

/** Faults of SOAP and of results: refusals in each of the forms that such services have. */
export const soapFaults: readonly FaultKind[] = [
  faultKind({
    name: 'fault',
    family: 'soap',
    words: 'Answers with a SOAP fault; the call is not carried out.',
    value: argument(
      choice(['Client', 'Server', 'MustUnderstand', 'VersionMismatch']),
      'Who is blamed, in the words of SOAP 1.1.',
      'Server',
    ),
    args: {
      message: argument(text, 'The text of the fault.', 'The sandbox was told to fail.'),
      subcode: argument(
        codeName,
        'A finer code, in the namespace of the service: a Subcode in SOAP 1.2, the code itself in 1.1.',
        '',
      ),
      'http-status': argument(whole(200, 599), 'The HTTP status that comes with it.', '500'),
    },
    example: 'fault=Server,message="The period is closed.";operation=ActivityUpdate',
    role: 'answer',
    effects: (side, { message, subcode, 'http-status': status }) => ({
      around: () => thrown(subcode === '' ? side : `${side}.${subcode}`, message),
      rewrite: (answer) => (answer.status === 500 ? { ...answer, status } : answer),
    }),
  }),
  faultKind({
    name: 'not-succeeded',
    family: 'soap',
    words: 'Answers with a result that says Succeeded=false; the call is not carried out.',
    args: {
      number: argument(whole(0, 2_147_483_647), 'Result.Number.', '500'),
      code: argument(text, 'Result.Code.', 'Failed'),
      message: argument(text, 'Result.Description.', 'The sandbox was told to fail.'),
    },
    example: 'not-succeeded,number=17,code=Locked,message="Somebody else is writing.";first=2',
    role: 'answer',
    effects: (_, { number, code, message: description }) => ({
      around:
        () =>
        ({ operation }) => ({ operation, result: refusedResult(operation, { number, code, description }) }),
    }),
  }),
  faultKind({
    name: 'error-information',
    family: 'soap',
    words:
      'Answers with ErrorInformation, from operations whose result has it; the call is carried out when there are to be data.',
    value: argument(text, 'The text.', 'The sandbox was told to fail.'),
    args: { data: argument(choice(['with', 'without']), 'Whether the rest of the result is there too.', 'without') },
    example: 'error-information="Not all fields were read.",data=with;operation=ActivitySearchByField',
    role: 'answer',
    effects: (message, { data }) => ({ around: () => inform(message, data === 'with') }),
  }),
];
