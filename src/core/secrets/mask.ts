import { formsOf, shortest } from './forms.js';

/** The text that is shown instead of a secret. */
export const maskText = '********';

/** Stands where a text was cut. */
const cut = '…';

/** Of a secret at a cut, so many characters are taken for it: fewer begin ordinary words too. */
const fewest = 3;

function groupByEdge(
  forms: readonly string[],
  edgeOf: (form: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const form of forms) {
    const edge = edgeOf(form);
    groups.set(edge, [...(groups.get(edge) ?? []), form]);
  }
  return groups;
}

class CutSecrets {
  readonly #begins: ReadonlyMap<string, readonly string[]>;
  readonly #ends: ReadonlyMap<string, readonly string[]>;
  readonly #longest: number;
  readonly #forms: readonly string[];

  /** @param forms the longest first */
  constructor(forms: readonly string[]) {
    this.#forms = forms;
    this.#begins = groupByEdge(forms, (form) => form.slice(0, fewest));
    this.#ends = groupByEdge(forms, (form) => form.slice(-fewest));
    this.#longest = forms[0]?.length ?? 0;
  }

  /** Where the part at the end of a text begins that a secret begins with; the length of the text where there is none. */
  beginOf(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest); at + fewest <= text.length; at += 1) {
      const tail = text.slice(at);
      const candidates = this.#begins.get(tail.slice(0, fewest)) ?? [];
      if (candidates.some((form) => form.startsWith(tail))) return at;
    }
    return text.length;
  }

  /** True for a text that is within a secret. */
  hold(text: string): boolean {
    return text.length >= fewest && this.#forms.some((form) => form.includes(text));
  }

  /** Where the part at the beginning of a text ends that a secret ends with; 0 where there is none. */
  endOf(text: string): number {
    for (let at = Math.min(text.length, this.#longest); at >= fewest; at -= 1) {
      const head = text.slice(0, at);
      const candidates = this.#ends.get(head.slice(-fewest)) ?? [];
      if (candidates.some((form) => form.endsWith(head))) return at;
    }
    return 0;
  }
}

function withoutParts(pieces: readonly string[], secrets: CutSecrets): readonly string[] {
  return pieces.map((piece, index) => {
    const isBetween = index > 0 && index < pieces.length - 1;
    if (isBetween && secrets.hold(piece)) return maskText;
    const from = index === 0 ? 0 : secrets.endOf(piece);
    const until = index === pieces.length - 1 ? piece.length : Math.max(from, secrets.beginOf(piece));
    return `${from > 0 ? maskText : ''}${piece.slice(from, until)}${until < piece.length ? maskText : ''}`;
  });
}

/** Hides secrets in a text. */
export type Mask = (text: string) => string;

/**
 * Makes the function that hides secrets in texts, in every form of formsOf. Where `…` says that a text was cut, the
 * part of a secret beside it is hidden too. Secrets shorter than four characters are not looked for: they would be found
 * everywhere.
 */
export function createMask(secrets: readonly string[]): Mask {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  if (long.length === 0) return (text) => text;
  const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  let partly: CutSecrets | undefined;
  return (text) => {
    // One after the other: an expression of all forms takes seven times as long.
    const masked = forms.reduce((current, form) => current.replaceAll(form, maskText), text);
    if (!masked.includes(cut)) return masked;
    partly ??= new CutSecrets(forms);
    return withoutParts(masked.split(cut), partly).join(cut);
  };
}

/** What stands around parts of a document in the words about a mistake: quotes, and what tags and references are made of. */
const edge = /'|<\/?|>|&|;/g;

const edgeAtCuts = new RegExp(`${cut}(${edge.source})${cut}`, 'g');

/**
 * A text without secrets whose quotes, tags and references are parts of a document: as the place of a mistake has it, each
 * begins and ends anywhere, also within a secret.
 */
export function hideInQuotes(mask: Mask, text: string): string {
  // Whole secrets first: they may hold what stands around quotes.
  return mask(mask(text).replace(edge, `${cut}$&${cut}`)).replace(edgeAtCuts, '$1');
}

/** A text without secrets whose one quote is a piece of a text, which begins and ends anywhere, also within a secret. */
export const hideInQuote = (mask: Mask, text: string): string =>
  mask(
    text.replace(/'([^]*)'/, (_, piece: string) => `'${mask(`${cut}${piece}${cut}`).slice(cut.length, -cut.length)}'`),
  );

/** The secrets of a run, which must not leave the process but in requests. */
export class SecretFilter {
  readonly #secrets = new Set<string>();
  #mask: Mask | undefined;
  readonly #whole: SecretFilter | undefined;

  /** @param whole those of all runs of the process, which gets these too */
  constructor(whole?: SecretFilter) {
    this.#whole = whole;
  }

  /** Takes secrets that the run has come to know. */
  add(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
    this.#mask = undefined;
    this.#whole?.add(secrets);
  }

  /** A text without the secrets that are known so far, in any form of formsOf. */
  hide(text: string): string {
    // Made when there is something to say: most runs say nothing.
    this.#mask ??= createMask([...this.#secrets]);
    return this.#mask(text);
  }
}
