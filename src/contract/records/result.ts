import { opt, record, req } from '../build.js';
import { anyType, boolean, int, string } from '../scalars.js';

/** Interface document, Result envelope. */
const PvApiResultDataOfObject = record('PvApiResultDataOfObject', 'Whether a call succeeded, and if not, why.', {
  Succeeded: req(boolean, 'False means that the call failed.'),
  Number: req(int, 'Number of the failure; the catalogue is not documented.'),
  Code: opt(string, 'Code of the failure; the catalogue is not documented.'),
  Description: opt(string, 'What went wrong, in words.'),
});

/** Interface document, Result envelope: the members that results extend. */
export const resultEnvelope = {
  Result: req(PvApiResultDataOfObject, 'Whether the call succeeded.'),
  Data: opt(anyType, 'Untyped; the content is not documented.'),
} as const;
