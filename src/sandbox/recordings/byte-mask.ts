import { formsOf, shortest } from '../../core/secrets/forms.js';
import { maskText } from '../../core/secrets/mask.js';

interface Form {
  readonly bytes: Buffer;
  readonly instead: Buffer;
}

const plainMask = Buffer.from(maskText, 'latin1');
const wideMask = Buffer.from(maskText, 'utf16le');

/** A text in UTF-16: in both orders at once, without the zero at its end, where each character has one. */
function wideForms(text: string): readonly Form[] {
  const bytes = Buffer.from(text, 'utf16le');
  if (bytes.every((byte, at) => at % 2 === 0 || byte === 0))
    return [{ bytes: bytes.subarray(0, -1), instead: wideMask.subarray(0, -1) }];
  return [
    { bytes, instead: wideMask },
    { bytes: Buffer.from(bytes).swap16(), instead: Buffer.from(wideMask).swap16() },
  ];
}

function formsIn(text: string): readonly Form[] {
  const latin = Buffer.from(text, 'latin1');
  const narrow = latin.toString('latin1') === text ? [Buffer.from(text), latin] : [Buffer.from(text)];
  return [...narrow.map((bytes) => ({ bytes, instead: plainMask })), ...wideForms(text)];
}

/** The forms of secrets as bytes, each once, by their first two bytes: what begins with no other is not compared. */
class Forms {
  readonly longest: number;
  readonly #byStart = new Map<number, Form[]>();
  readonly #starts = new Uint8Array(2 ** 16);

  constructor(secrets: readonly string[]) {
    const long = secrets.filter(({ length }) => length >= shortest);
    const forms = long.flatMap(formsOf).flatMap(formsIn);
    const all = [...new Map(forms.map((form) => [form.bytes.toString('latin1'), form] as const)).values()];
    this.longest = all.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
    for (const form of all.toSorted((left, right) => right.bytes.length - left.bytes.length)) {
      const start = form.bytes.readUInt16BE(0);
      this.#starts[start] = 1;
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), form]);
    }
  }

  at(bytes: Buffer, at: number): Form | undefined {
    if (at + 1 >= bytes.length) return undefined;
    const start = bytes.readUInt16BE(at);
    if (this.#starts[start] !== 1) return undefined;
    return this.#byStart.get(start)?.find((form) => bytes.subarray(at, at + form.bytes.length).equals(form.bytes));
  }
}

/**
 * Replaces secrets in the bytes of one stream, in all forms that `createMask` knows. Places that overlap are replaced as one,
 * so that no part of a secret is left.
 */
export class ByteMask {
  readonly #forms: Forms;
  #held: Buffer = Buffer.alloc(0);
  /** How many of the held bytes were replaced already. */
  #covered = 0;
  replaced = 0;

  constructor(forms: Forms) {
    this.#forms = forms;
  }

  /** The bytes that are known to be rid of secrets; the last few are held back, because a secret may begin in them. */
  take(piece: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.#held, piece]);
    return this.#masked(bytes, Math.max(0, bytes.length - Math.max(0, this.#forms.longest - 1)));
  }

  end(): Buffer {
    return this.#masked(this.#held, this.#held.length);
  }

  /** The bytes before `limit`: what begins there is here as a whole. */
  #masked(bytes: Buffer, limit: number): Buffer {
    const out: Buffer[] = [];
    let until = this.#covered;
    let from = until;
    for (let at = 0; at < limit; at += 1) {
      const form = this.#forms.at(bytes, at);
      if (form === undefined) continue;
      if (at >= until) {
        out.push(bytes.subarray(from, at), form.instead);
        this.replaced += 1;
      }
      until = Math.max(until, at + form.bytes.length);
      from = until;
    }
    if (from < limit) out.push(bytes.subarray(from, limit));
    this.#covered = Math.max(0, until - limit);
    this.#held = Buffer.from(bytes.subarray(limit));
    return Buffer.concat(out);
  }
}

/** Makes masks for these secrets, one for each stream. */
export function byteMasks(secrets: readonly string[]): () => ByteMask {
  const forms = new Forms(secrets);
  return () => new ByteMask(forms);
}
