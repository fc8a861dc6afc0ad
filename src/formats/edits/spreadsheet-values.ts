import { withoutLastZeros } from '../../core/text/text.js';

// What spreadsheets take a text for: a number, a truth value, a day, a time. Each in a form that all its spellings share.

/** Digits that spreadsheets keep of a number. */
export const mostDigits = 15;

const number = /^([+-]?)(\d{0,400})(?:[.,](\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?(\s?%)?$/;

/** The places of the point between which a number is neither too large nor too small for a spreadsheet. */
const [least, most] = [-307, 308] as const;

/** As many digits as are kept, rounded half away from zero; `carried` is 1 where 99… became 100…. */
function roundedDigits(digits: string): { readonly rounded: string; readonly carried: number } {
  const leading = digits.slice(0, mostDigits);
  const rounded = (BigInt(leading) + ((digits[mostDigits] ?? '0') >= '5' ? 1n : 0n)).toString();
  return { rounded, carried: rounded.length - leading.length };
}

function spreadsheetNumber(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0', percent = ''] = number.exec(text) ?? [];
  if (whole + fraction === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const point = digits.length - fraction.length + Number(exponent);
  const rounded = spreadsheetDigits(digits, point);
  return `${sign === '-' && rounded !== '0' ? '-' : ''}${rounded}${percent.trim()}`;
}

function spreadsheetDigits(digits: string, point: number): string {
  if (digits === '' || point < least) return '0';
  if (point > most) return 'huge';
  const { rounded, carried } = roundedDigits(digits);
  return `${withoutLastZeros(rounded)}e${point + carried}`;
}

const money = String.raw`(?:\p{Sc}|[A-Z]{3})`;
const [moneyBefore, moneyAfter] = [new RegExp(`^${money}\\s?`, 'u'), new RegExp(`\\s?${money}$`, 'u')] as const;

/** Signs that a spreadsheet may write for a code of money. */
const signs: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£', JPY: '¥' };

/** The number within signs of money, parentheses, or before its sign. */
function undressed(text: string): { readonly text: string; readonly money: string } {
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  let [sign, rest, money] = inner === undefined ? ['', text, ''] : ['-', inner.trim(), ''];
  const takeMoney = (at: RegExp): void => {
    const matched = at.exec(rest)?.[0] ?? '';
    rest = rest.replace(at, '');
    money += signs[matched.trim()] ?? matched.trim();
  };
  // Sign and money may stand in both orders.
  for (let turn = 0; turn < 2; turn += 1) {
    takeMoney(moneyBefore);
    if (!/^[+-]/.test(rest)) continue;
    sign = rest.startsWith('-') ? '-' : sign;
    rest = rest.slice(1).trimStart();
  }
  takeMoney(moneyAfter);
  return { text: rest.endsWith('-') ? `-${rest.slice(0, -1).trimEnd()}` : sign + rest, money };
}

function ungrouped(text: string): string | undefined {
  const match = /^([+-]?)0*([1-9]\d{0,2}(?:([.,'\u2019 \u00a0\u202f])\d{3})(?:\3\d{3})*)(?:([.,])(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', parting, point, fraction = ''] = match;
  if (parting === point) return undefined;
  return `${sign}${whole.replace(/\D/g, '')}${point === undefined ? '' : `.${fraction}`}`;
}

function computedFraction(text: string): string | undefined {
  const [, sign = '', whole, over, under] = /^([+-]?)(\d{1,9}) (\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  if (whole === undefined || Number(under) === 0) return undefined;
  return sign + (Number(whole) + Number(over) / Number(under)).toPrecision(mostDigits);
}

/** The numbers of which a text with thousands may be taken. */
export function groupedForms(value: string): readonly string[] {
  const text = ungrouped(value);
  const rounded = text === undefined ? undefined : spreadsheetNumber(text);
  return rounded === undefined ? [] : [`number ${rounded}`];
}

/** The number that a text is, by its own spelling. */
export function plainForms(value: string): readonly string[] {
  const rounded = spreadsheetNumber(value);
  return rounded === undefined ? [] : [`number ${rounded}`];
}

/** The numbers that a text may be, with its money where it has some: ABC 12 is not what becomes of XYZ 12. */
function numberForms(value: string): readonly string[] {
  const { text, money } = undressed(value);
  const forms = [...plainForms(text), ...groupedForms(text), ...plainForms(computedFraction(text) ?? '')];
  return money === '' ? forms : forms.map((form) => `${money} ${form}`);
}

const bareForms = (value: string): readonly string[] => numberForms(undressed(value).text);

const months: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['jan', 'gen', 'ene'],
    ['feb', 'fev', 'fév'],
    ['mar', 'mrt', 'maa', 'mär'],
    ['apr', 'avr', 'abr'],
    ['may', 'mei', 'mai', 'mag'],
    ['jun', 'giu'],
    ['jul', 'lug'],
    ['aug', 'ago', 'aoû'],
    ['sep', 'set'],
    ['oct', 'okt', 'ott'],
    ['nov'],
    ['dec', 'dez', 'déc', 'dic'],
  ].flatMap((words, at) => words.map((word) => [word, at + 1])),
);

const day = /^(?:\d{1,4}|\p{L}{3,9}\.?)(?:[-/., ]{0,2}(?:\d{1,4}|\p{L}{3,9}\.?)){1,2}\.?$/u;

const shortYear = (value: number): number => (value >= 1900 && value < 2100 ? value % 100 : value);

const weekday = /^\p{L}{2,10}\.?,?\s/u;

function dayNumbers(text: string): readonly number[] | undefined {
  const date = day.test(text) ? text : text.replace(weekday, '');
  if (!day.test(date)) return undefined;
  const words = date.match(/\d+|\p{L}+/gu) ?? [];
  const numbers = words.map((word) => (/\d/.test(word) ? Number(word) : months[word.slice(0, 3).toLowerCase()]));
  const known = numbers.filter((each) => each !== undefined);
  if (known.length !== words.length || words.length < 2) return undefined;
  return known.map(shortYear).toSorted((left, right) => left - right);
}

const clock = /^(\d{1,4}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?(?:\s?([ap])\.?m\.?)?$/i;

const secondsOfDay = 86_400;

const hourOf = (hours: number, half: string): number => (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);

function minuteSeconds(text: string): readonly number[] {
  const [, minutes, seconds] = /^(\d{1,4}):(\d{1,2})[.,]\d*$/.exec(text) ?? [];
  return minutes === undefined ? [] : [Number(minutes) * 60 + Number(seconds)];
}

/** The seconds until a time of a day; two where its last second may be rounded up. */
function clockSeconds(text: string): readonly number[] {
  const [, hours, minutes, seconds = '0', fraction = '', half] = clock.exec(text) ?? [];
  if (hours === undefined) return minuteSeconds(text);
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half);
  const passed = (hour * 60 + Number(minutes)) * 60 + Number(seconds);
  return fraction.startsWith('999') ? [passed, passed + 1] : [passed];
}

const timeForms = (value: string): readonly string[] =>
  clockSeconds(value).map((passed) => `time ${passed % secondsOfDay}`);

function dayAfter(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const nextMs = Date.parse(`${text}T00:00:00Z`) + secondsOfDay * 1000;
  return Number.isNaN(nextMs) ? undefined : new Date(nextMs).toISOString().slice(0, 10);
}

function momentForms(value: string): readonly string[] {
  const [, date = '', time = ''] = /^(\S.*?)[T ]\s?(\d{1,2}:.*)$/.exec(value) ?? [];
  return clockSeconds(time).flatMap((passed) => {
    const numbers = dayNumbers(passed < secondsOfDay ? date : (dayAfter(date) ?? ''));
    return numbers === undefined ? [] : [`moment ${numbers.join(' ')} ${passed % secondsOfDay}`];
  });
}

const truth = /^(?:true|false|waar|onwaar|wahr|falsch|vrai|faux)$/i;
const untrue = /^(?:false|onwaar|falsch|faux)$/i;

const truthForms = (value: string): readonly string[] =>
  truth.test(value) ? [`truth ${String(!untrue.test(value))}`] : [];

function dayForms(value: string): readonly string[] {
  const numbers = dayNumbers(value);
  return numbers === undefined ? [] : [`day ${numbers.join(' ')}`];
}

/** The forms of a day that lack one of its numbers: a spreadsheet adds a year to a day without one. */
export function shorterDayForms(value: string): readonly string[] {
  const numbers = dayNumbers(value) ?? [];
  return numbers.length < 3 ? [] : numbers.map((_, at) => `day ${numbers.toSpliced(at, 1).join(' ')}`);
}

/** The forms of all that a text may be, by its spelling; which of them depends on the country of the spreadsheet. */
export const spelledForms = (value: string): readonly string[] => [
  ...new Set([
    ...numberForms(value),
    ...truthForms(value),
    ...timeForms(value),
    ...dayForms(value),
    ...momentForms(value),
  ]),
];

/** The forms of all that a text may be taken for: a number also without the money that stands beside it. */
export const spreadsheetForms = (value: string): readonly string[] => [
  ...new Set([...spelledForms(value), ...bareForms(value)]),
];
