import type { InputOf } from '../../contract/infer.js';
import type { PvAuditData } from '../../contract/records/shared.js';
import { emptyId, knownId } from './known.js';
import type { Random } from './random.js';
import { words } from './words.js';

const pairs = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

const two = (number: number): string => pairs[number] ?? '';

const [months, days, hours] = [12, 28, 24];
const endings = words.dateTimeEndings;

/** The parts that a moment has behind its year, put together once: a page of activities has five thousand moments. */
const dates = Array.from(
  { length: months * days },
  (_, at) => `-${two(1 + Math.floor(at / days))}-${two(1 + (at % days))}T`,
);
const minutes = Array.from({ length: hours * 60 }, (_, at) => `${two(Math.floor(at / 60))}:${two(at % 60)}:`);
const seconds = Array.from(
  { length: 60 * endings.length },
  (_, at) => `${two(Math.floor(at / endings.length))}${endings[at % endings.length] ?? ''}`,
);

/** A moment as one number: text is made of it where it is needed. */
export type Drawn = number;

/** Draws a moment in a year of the working past, in one of the forms that services send. */
export function drawMoment(random: Random, year: number): Drawn {
  const date = random.below(months) * days + random.below(days);
  const minute = random.below(hours) * 60 + random.below(60);
  const second = random.below(60) * endings.length + random.below(endings.length);
  return ((year * dates.length + date) * minutes.length + minute) * seconds.length + second;
}

/** The text of a moment that was drawn. */
export function momentOf(drawn: Drawn): string {
  const [second, minutesOf] = [drawn % seconds.length, Math.floor(drawn / seconds.length)];
  const [minute, datesOf] = [minutesOf % minutes.length, Math.floor(minutesOf / minutes.length)];
  const [date, year] = [datesOf % dates.length, Math.floor(datesOf / dates.length)];
  return `${year}${dates[date] ?? ''}${minutes[minute] ?? ''}${seconds[second] ?? ''}`;
}

/** The text of a moment that is drawn now. */
export const moment = (random: Random, year: number): string => momentOf(drawMoment(random, year));

/** The value of a dateTime that was never set. */
export const unset = '0001-01-01T00:00:00';

/** The largest dateTime there is: "for ever". */
export const forEver = '9999-12-31T23:59:59.9999999';

/** A user or, as such services send it for changes by the system itself, the empty id. */
const authorOf = (random: Random): string => (random.percent(3) ? emptyId : knownId('user', 1 + random.below(4)));

/** Who made and changed a record, and when. */
export interface DrawnAudit {
  readonly created: Drawn;
  readonly createdBy: string;
  /** Undefined for a record that nobody changed since it was made. */
  readonly modified: Drawn | undefined;
  readonly modifiedBy: string;
}

/** Draws audit data; now and then of a record that nobody changed, unless it must have been changed. */
export function drawAudit(random: Random, must?: 'changed'): DrawnAudit {
  const changed = !random.percent(5) || must === 'changed';
  const created = drawMoment(random, 2015 + random.below(5));
  const createdBy = authorOf(random);
  if (!changed) return { created, createdBy, modified: undefined, modifiedBy: emptyId };
  const modified = drawMoment(random, 2020 + random.below(6));
  return { created, createdBy, modified, modifiedBy: authorOf(random) };
}

/** When a record was changed; one that was not has a change that was never set. */
export const modifiedAt = ({ modified }: DrawnAudit): string => (modified === undefined ? unset : momentOf(modified));

/** The audit data that were drawn. */
export const auditOf = (drawn: DrawnAudit): InputOf<typeof PvAuditData> => ({
  CreatedAt: momentOf(drawn.created),
  CreatedByUser: drawn.createdBy,
  ModifiedAt: modifiedAt(drawn),
  ModifiedByUser: drawn.modifiedBy,
});

/** Audit data that are drawn now. */
export const audit = (random: Random): InputOf<typeof PvAuditData> => auditOf(drawAudit(random));
