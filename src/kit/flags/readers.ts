import { type RelctlError, type Remedy, perhaps, usage } from '../../core/errors/relctl-error.js';
import { readYesNo, yesNoWords, isDecimal, guidComplaint, pastedGuid } from '../../core/text/scalars.js';
import { readDuration, readSeconds } from '../../core/text/time/moment.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { looksLikeGuid, wrongName } from '../../profiles/names.js';

/** The error for a text that is not what a flag takes. */
export function no(flag: string, what: string, remedy: Remedy = {}): RelctlError {
  return usage(flag, `${flag} takes ${what}`, remedy);
}

/** The decimal that a flag holds, to the digit. Throws `usage` that names the flag. */
export function decimalOf(text: string, flag: string): string {
  if (isDecimal(text)) return text;
  const withPoint = text.replace(',', '.');
  throw no(
    flag,
    `a decimal number such as 12.50, not '${text}'`,
    perhaps(text, isDecimal(withPoint) ? withPoint : undefined),
  );
}

/** The value of an enumeration that a text means: itself, or the one that it begins, in any case of letters. */
export function choiceOf<V extends string>(text: string, flag: string, values: readonly V[]): V {
  const lower = text.toLowerCase();
  const exact = inAnyCase(text, values);
  const candidates = values.filter((value) => value.toLowerCase().startsWith(lower));
  const match = exact ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (match !== undefined) return match;
  const remedy =
    candidates.length > 1 && lower !== ''
      ? { advice: `Did you mean ${candidates.join(' or ')}?` }
      : perhaps(text, nearest(text, values));
  throw no(flag, `one of ${values.join(', ')}, not '${text}'`, remedy);
}

/** True or false as people write it. Throws `usage` that names the flag. */
export function yesNoOf(text: string, flag: string): boolean {
  const value = readYesNo(text);
  if (value !== undefined) return value;
  throw no(flag, `${yesNoWords}, not '${text}'`);
}

/** A GUID as people paste it, in the form that services write. Throws `usage` that names the flag or argument. */
export function guidOf(text: string, name: string): string {
  const guid = pastedGuid(text);
  if (guid !== undefined) return guid;
  throw no(name, `a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff, not '${text}'${guidComplaint(text)}`);
}

/** A GUID, or what may be the name of one in a profile. Throws `usage` that names the flag or argument. */
export function idOrNameOf(text: string, name: string): string {
  const guid = pastedGuid(text);
  if (guid !== undefined) return guid;
  const wrong = wrongName(text);
  if (wrong === undefined) return text;
  if (wrong === looksLikeGuid) return guidOf(text, name);
  throw no(name, `a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff or a name of one; '${text}' ${wrong}`);
}

/** The longest text that is looked up: no service has longer names. */
const mostCharacters = 4000;

/** True for what may be a name in the mirror, which may be nearly any text. */
export const mayBeName = (text: string): boolean =>
  text.trim() !== '' && text.length <= mostCharacters && !text.includes('\u0000');

/** A GUID, or what may be a name in the mirror. Throws `usage` that names the flag or argument. */
export const idOrTextOf = (text: string, name: string): string =>
  pastedGuid(text) ?? (mayBeName(text) ? text : guidOf(text, name));

/** Bounds of a whole number, both allowed. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** How many calls may be under way at once. */
export const callsAtOnce: Bounds = { least: 1, most: 16 };

/** A whole number. Throws `usage` that names the flag. */
export function wholeOf(text: string, flag: string, { least, most }: Bounds): number {
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw no(flag, `a whole number from ${least} to ${most}, not '${text}'`);
}

/** The error for a text that is no time. */
export const noTime = (text: string, flag: string): RelctlError =>
  no(flag, `a time such as 2026-01-31T09:30, 2026-01-31, now, today, yesterday, -7d or -2h, not '${text}'`);

const mostTimerMs = 2 ** 31 - 1;

/** A length of time in milliseconds. Throws `usage` that names the flag. */
export function durationMs(text: string, flag: string): number {
  const ms = readSeconds(text);
  if (ms !== undefined && ms <= mostTimerMs) return ms;
  throw no(flag, `a length of time such as 30s, 10m or 2h, 24 days at most, not '${text}'`);
}

/** The same for one that must not be over at once. Throws `usage` that names the flag. */
export function someDurationMs(text: string, flag: string): number {
  const ms = durationMs(text, flag);
  if (ms > 0) return ms;
  throw no(flag, `a length of time such as 90s, 30m or 2h, not '${text}', which is zero`);
}

/** A length of time in whole minutes, which a number without a unit counts. Throws `usage` that names the flag. */
export function minutesOf(text: string, flag: string): number {
  const minutes = /^\d{1,10}$/.test(text) ? Number(text) : (readDuration(text) ?? Number.NaN) / 60_000;
  if (Number.isInteger(minutes) && minutes < 2 ** 31) return minutes;
  throw no(flag, `whole minutes, or a length of time such as 15m, 2h or 1d, not '${text}'`);
}
