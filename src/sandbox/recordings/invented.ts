import { createHmac } from 'node:crypto';

const guid = '[\\dA-Fa-f]{8}(?:-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}';
// Not of a longer number: that may be of a telephone.
const time =
  '(?<![\\d-])\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)?(?:Z|[+-]\\d\\d:\\d\\d)?(?![\\p{L}\\p{N}]|-\\d)';
// Of a text that is a number and nothing else: within a code it says what the code is.
const exponent = '(?<=^\\s*[+-]?\\d+(?:\\.\\d+)?)[eE][+-]?\\d{1,3}(?=\\s*$)';

/** What of a text is replaced as one: Ids, times, numbers, words. What stands between them stays. */
const parts = new RegExp(`${guid}|${time}|${exponent}|[\\p{L}\\p{M}]+|\\p{N}+`, 'gu');

const whole = {
  guid: new RegExp(`^${guid}$`),
  time: new RegExp(`^${time}$`),
  exponent: /^[eE][+-]?\d+$/,
};

/** The content of a file, as it is sent: its letters say nothing to who reads them, and everything to who decodes them. */
const base64 = /^(?:[A-Za-z\d+/\r\n]{64,}={0,2}|[A-Za-z\d+/]{2,}={1,2})\s*$/;

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';
const dayMs = 86_400_000;

const isUpper = (text: string): boolean => text !== text.toLowerCase() && text === text.toUpperCase();

/** Texts that are invented for others: the same for the same in one case, whatever stands around it; no way leads back. */
export class Invented {
  readonly #key: Uint8Array;
  readonly #days: number;

  /** @param key random bytes, which are kept nowhere */
  constructor(key: Uint8Array) {
    this.#key = key;
    this.#days = 1 + (this.#bytes('days')[0] ?? 0);
  }

  /** A text of the same form: letters for letters, digits for digits, a GUID for a GUID, a time some months before. */
  textFor(text: string): string {
    if (base64.test(text)) return this.#fileFor(text);
    return text.replaceAll(parts, (part) => this.#partFor(part));
  }

  #partFor(part: string): string {
    if (whole.guid.test(part)) return this.#guidFor(part);
    if (whole.time.test(part)) return this.#timeFor(part);
    if (whole.exponent.test(part)) return part;
    return /^\p{N}/u.test(part) ? this.#digitsFor(part) : this.#wordFor(part);
  }

  #bytes(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }

  #guidFor(id: string): string {
    if (/^[0-]+$/.test(id)) return id;
    const hex = this.#bytes(`guid ${id.toLowerCase()}`).toString('hex');
    const made = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
    return isUpper(id) ? made.toUpperCase() : made;
  }

  #timeFor(moment: string): string {
    // The ends of time stand for none.
    if (/^(?:0001-01-01|9999-12-31)/.test(moment)) return moment;
    const day = Date.parse(moment.slice(0, 10));
    const days = moment.startsWith('000') ? this.#days : -this.#days;
    return new Date(day + days * dayMs).toISOString().slice(0, 10) + moment.slice(10);
  }

  /** A number of as many digits, that fits wherever the other did: one of many digits begins with 1. */
  #digitsFor(digits: string): string {
    if (/^0+$/.test(digits)) return digits;
    const zeros = /^0*/.exec(digits)?.[0] ?? '';
    const { length } = digits.slice(zeros.length);
    for (let round = 0; ; round += 1) {
      const made = [...this.#stream(`digits ${round} ${digits}`, length)].map((byte) => byte % 10).join('');
      const first = length > 4 ? '1' : String((Number(made[0]) % 9) + 1);
      const number = `${zeros}${first}${made.slice(1)}`;
      if (number !== digits) return number;
    }
  }

  #wordFor(word: string): string {
    for (let round = 0; ; round += 1) {
      const letters = Array.from(word);
      const bytes = this.#stream(`word ${round} ${word.toLowerCase()}`, letters.length);
      const made = letters.map((letter, at) => {
        const choice = at % 2 === 0 ? consonants : vowels;
        const invented = choice[(bytes[at] ?? 0) % choice.length] ?? 'x';
        return isUpper(letter) ? invented.toUpperCase() : invented;
      });
      if (made.join('') !== word) return made.join('');
    }
  }

  /** Base64 of as many bytes, which say nothing. */
  #fileFor(text: string): string {
    const { length } = Buffer.from(text, 'base64');
    return Buffer.alloc(length, 'invented ').toString('base64');
  }

  #stream(text: string, length: number): Buffer {
    const pieces: Buffer[] = [];
    for (let bytes = 0; bytes < length; bytes += 32) pieces.push(this.#bytes(`${bytes} ${text}`));
    return Buffer.concat(pieces, length);
  }
}
