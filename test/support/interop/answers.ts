import { operations } from '../../../src/contract/service.js';
import { calls, type Call } from './calls.js';
import { isRecord, resultType, printedForm, type Json, type JsonRecord } from './shapes.js';

/** What came of a call, in whatever program: a result, the words of a refusal, or an answer that could not be read. */
export type Answer = { readonly result: Json } | { readonly refused: string } | { readonly unreadable: true };

/** What a client program prints for a call. */
export interface Printed {
  readonly result?: Json;
  readonly fault?: string;
  readonly unreadable?: string;
}

const textAt = (record: JsonRecord, name: string): string | undefined => {
  const text = record[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** The words of a result that says that the call failed. */
function refusalIn(result: Json): string | undefined {
  if (!isRecord(result)) return undefined;
  const { Result: outcome } = result;
  if (isRecord(outcome ?? null) && isRecord(outcome) && outcome['Succeeded'] === false)
    return textAt(outcome, 'Description') ?? '';
  return textAt(result, 'ErrorInformation');
}

/** How a client hands results over: as they are, or without their record when it has but one member. */
export type Handing = 'whole' | 'unwrapped';

/** What a client program printed about a call, in the form in which relctl prints results. */
export function answerOf({ operation }: Call, printed: Printed, handing: Handing): Answer {
  if (printed.unreadable !== undefined) return { unreadable: true };
  if (printed.fault !== undefined) return { refused: printed.fault };
  const type = resultType(operations[operation]);
  const [only, ...others] = Object.keys(type.fields);
  const isUnwrapped = handing === 'unwrapped' && only !== undefined && others.length === 0;
  // An empty result element is nothing to some.
  const whole = isUnwrapped ? { [only]: printed.result ?? null } : (printed.result ?? {});
  const result = printedForm(type, whole);
  const refused = refusalIn(result);
  return refused === undefined ? { result } : { refused };
}

const made = ['ProductLineData', 'Attachment', 'LineData', 'DatastoreItem'];
const recentMs = 10 * 60 * 1000;

/** Answers without what is new in each run: ids that the service made, and the time at which it was called. */
export function settled(answers: readonly Answer[]): readonly Answer[] {
  const ids = answers.flatMap((answer, index) => {
    if (!('result' in answer) || !/Add|Create/.test(calls[index]?.operation ?? '')) return [];
    const { result } = answer;
    return made.map((name) => {
      const record = isRecord(result) ? result[name] : undefined;
      return isRecord(record) && typeof record['Id'] === 'string' ? record['Id'] : '';
    });
  });
  let text = JSON.stringify(answers);
  for (const [index, id] of ids.filter((each) => each !== '').entries()) text = text.replaceAll(id, `made-${index}`);
  text = text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, (moment) =>
    Math.abs(Date.parse(moment) - Date.now()) < recentMs ? 'now' : moment,
  );
  // What was written as JSON a moment ago.
  return JSON.parse(text) as readonly Answer[];
}
