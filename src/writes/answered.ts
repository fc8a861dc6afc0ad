import type { Answered } from './batch/run.js';
import type { Operation } from '../contract/build.js';
import { isRecord, type RecordValue } from '../core/values/value.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the results tell of an answer: the Id of the record that was made, and what the service said beside it. */
export function answeredBy({ result: members }: Operation, result: RecordValue): Answered {
  // The WSDL of a service names what says how a call went among the members: it is not among those of the result.
  const made = Object.keys(members).find((name) => members[name]?.type.kind === 'record' && isRecord(result[name]));
  const record = made === undefined ? undefined : result[made];
  const id = isRecord(record) ? textOf(record['Id']) : undefined;
  const words = ['Info', 'ErrorInformation'].flatMap((name) => textOf(result[name]) ?? []).join('; ');
  return { ...(id === undefined ? {} : { id }), ...(words === '' ? {} : { words }) };
}
