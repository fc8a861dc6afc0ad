import { zoneMinutes } from './datetime.js';

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7})\d*)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * A dateTime as text that sorts by time: UTC, seven digits of a second. A dateTime without a zone is taken as UTC. Gives
 * undefined for text that is not a dateTime.
 */
export function instantKey(text: string): string | undefined {
  const parts = form.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute) - zoneMinutes(zone), Number(second));
  const whole = date.getTime();
  if (Number.isNaN(whole)) return undefined;
  // Only a zone can push a dateTime out of the years 1 to 9999: then it is the first or the last moment there is.
  if (date.getUTCFullYear() < 1) return '0001-01-01T00:00:00.0000000Z';
  if (date.getUTCFullYear() > 9999) return '9999-12-31T23:59:59.9999999Z';
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(7, '0')}Z`;
}
