import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { shellCommand } from '../../core/text/shell/command.js';
import { isNearGuid } from '../../core/text/scalars.js';
import type { RecordKind } from '../../contract/lists.js';
import { findNamed, isAdded, namedTables, tablesOf } from '../../mirror/names.js';
import type { AskingFlags } from '../consent.js';
import { guidOf } from '../flags/readers.js';
import { mirrorFor, type LookUpContext } from './with-names.js';
import { candidateLines, corrected, refuseUnasked, parameterName, type IdParameter } from './places.js';

/** A place of a command line that holds the name of a record. */
export interface RecordParameter extends IdParameter {
  readonly kind: RecordKind;
}

const syncLine = (kind: RecordKind): string =>
  isAdded(kind) ? 'relctl mirror add --help' : shellCommand(['mirror', 'sync', ...tablesOf(kind)]);

function unresolved({ kind, ...place }: RecordParameter, text: string, why: string): RelctlError {
  const path = parameterName(place);
  const keys = [...new Set(namedTables(kind).flatMap(({ keys: own }) => own))].join(' or ');
  return usage(path, `${path}: '${text}' is no GUID, and ${why.replace('KEYS', `${keys} of a record (${kind})`)}`, {
    advice: `It may be newer than the mirror: \`${syncLine(kind)}\``,
    hint: shellCommand(['find', text]),
  });
}

/**
 * The record that a text in a place means, by the mirror of the profile in use, and what it was resolved to in words. Throws
 * `usage` for a text that names none or several, and for one in a write that nobody is asked about; `local` and `profile` when
 * the mirror cannot be read, and what a sync throws.
 */
export async function recordNamed(
  parameter: RecordParameter,
  text: string,
  lookUp: LookUpContext & { readonly flags: AskingFlags; readonly isWrite: boolean },
): Promise<{ readonly id: string; readonly words: string }> {
  const found = await mirrorFor(parameter.kind, lookUp);
  const path = parameterName(parameter);
  // A slip in a GUID is no name.
  const refuseSlip = (): void => {
    if (isNearGuid(text)) guidOf(text, path);
  };
  if ('why' in found) {
    refuseSlip();
    const error = unresolved(parameter, text, found.why).but({ advice: undefined, hint: syncLine(parameter.kind) });
    throw found.isUnfilled ? error.but({ kind: 'not-found' }) : error;
  }
  const { mirror, age } = found;
  const { hits, isExact } = findNamed(mirror.database, parameter.kind, text);
  const [hit, second] = hits;
  const lineWith = (value: string): string =>
    corrected(parameter, text, { value, argv: lookUp.context.environment.argv });
  if (hit === undefined) {
    refuseSlip();
    throw unresolved(parameter, text, `no KEYS in the mirror, ${age}`);
  }
  if (!isExact || second !== undefined) {
    const why = isExact
      ? `several records (${parameter.kind}) in the mirror have that name`
      : 'no KEYS in the mirror is the same to the letter';
    throw usage(path, unresolved(parameter, text, `${why}, ${age}`).message, {
      advice: 'Give the Id of the one that is meant.',
      hint: shellCommand(['find', text]),
    }).but({ excerpt: candidateLines(hits, lineWith) });
  }
  const words = `${path}: ${parameter.kind} '${text}' is ${hit.id} by the mirror, ${age}`;
  if (lookUp.isWrite) refuseUnasked(words, lineWith(hit.id), lookUp);
  return { id: hit.id, words };
}
