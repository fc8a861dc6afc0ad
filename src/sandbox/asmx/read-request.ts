import type { Operation } from '../../contract/build.js';
import { isRecord, type RecordValue } from '../../soap/values/values.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { Asked } from '../context.js';
import { requestFields } from '../credentials.js';
import { serverDay } from './date-times.js';
import { type Element, envelopeOf } from './document.js';
import { malformed, unreadable } from './faults.js';
import { elementsWithAsides, placeBehind } from './places.js';
import { readFields, type Reading } from './read-values.js';

/** A request with what a service looks at only when it has carried it out. */
export interface AsmxRequest {
  readonly received: Asked;
  readonly mustUnderstand: readonly string[];
}

/** What a request is read from. */
export interface RequestSource {
  readonly operation: Operation;
  readonly version: SoapVersion;
  readonly root: Element;
  readonly text: string;
  readonly namespace: string;
  /** The wall clock. */
  readonly now: () => Date;
}

function readingOf({ text, namespace, now }: RequestSource): Reading {
  return {
    namespace,
    asides: elementsWithAsides(text),
    today: () => serverDay(now()),
    refuse: (element, words) => {
      const { line, column } = placeBehind(text, element.number);
      throw unreadable(`There is an error in XML document (${line}, ${column}). ---> ${words}`);
    },
    breakOff: () => {
      throw malformed();
    },
  };
}

/**
 * The values of a request. Elements of the Body that are not the operation's are passed over; without one, everything has
 * its default. Throws the faults of faults.ts.
 */
export function readAsmxRequest(source: RequestSource): AsmxRequest {
  const { operation, version, root, namespace } = source;
  const { content, mustUnderstand } = envelopeOf(root);
  const reading = readingOf(source);
  const fields = requestFields(operation);
  const isOperation = ({ name }: Element): boolean => name.local === operation.name && name.namespace === namespace;
  const asked = content.filter(isOperation).map((element) => readFields(reading, fields, element.children));
  const values: RecordValue = asked.at(-1) ?? readFields(reading, fields, []);
  const { credentials, ...input } = values;
  return {
    mustUnderstand,
    received: {
      version,
      operationName: operation.name,
      operation,
      credentials: isRecord(credentials) ? credentials : undefined,
      input,
    },
  };
}
