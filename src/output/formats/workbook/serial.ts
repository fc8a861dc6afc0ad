import { isDateTime } from '../../../lexical/time/datetime.js';

/** A time as a spreadsheet holds it. */
export interface SerialTime {
  /** Days since the end of 1899, by the clock of the text. */
  readonly serial: number;
  /** The format code that shows all of the text: with as many digits behind the second, and with its zone. */
  readonly code: string;
}

const form = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(Z|[+-]\d\d:\d\d)?$/;
const dayMs = 86_400_000;
const dayZero = Date.UTC(1899, 11, 30);

/** Before March 1900 spreadsheets count differently: some have a 29th of February then. */
const firstSerial = 61;

/** Digits behind the second as milliseconds. */
const milliseconds = (fraction: string): number => Number(fraction.padEnd(3, '0'));

function codeOf(fraction: string, zone: string): string {
  const digits = fraction === '' ? '' : `.${'0'.repeat(fraction.length)}`;
  return `yyyy\\-mm\\-dd hh:mm:ss${digits}${zone === '' ? '' : `"${zone}"`}`;
}

/**
 * A dateTime as a spreadsheet holds it; undefined for one that it cannot hold to its last digit: before March 1900, behind
 * the year 9999, with more than milliseconds, or at 24:00.
 */
export function serialTime(text: string): SerialTime | undefined {
  const found = form.exec(text);
  if (found === null || !isDateTime(text) || found[2] === '24') return undefined;
  const [, day, hours, minutes, seconds, fraction = '', zone = ''] = found;
  const clockMs = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000 + milliseconds(fraction);
  const serial = (Date.parse(`${day ?? ''}T00:00:00Z`) - dayZero + clockMs) / dayMs;
  return serial < firstSerial ? undefined : { serial, code: codeOf(fraction, zone) };
}
