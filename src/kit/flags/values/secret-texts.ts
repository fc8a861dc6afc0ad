import { usage } from '../../../core/errors/relctl-error.js';
import { secretPlace } from '../../../profiles/secrets/secret.js';
import type { StoredProfile } from '../../../profiles/store/store.js';

/** Parsed values of those flags. */
export type SettingFlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What is needed to read them. */
export interface SettingSources {
  /** The whole path of one that was named in the working folder. */
  readonly pathOf: (path: string) => string;
  /** All of stdin, where a flag asks for it. */
  readonly stdin: string;
  /** What the profile has already; entries are added to it. */
  readonly known: StoredProfile;
}

/** A secret that is kept in the profile itself: one that looks like a reference is marked as none. */
export const keptSecret = (text: string): string =>
  secretPlace(text) !== 'value' || text.startsWith('plain:') ? `plain:${text}` : text;

/** A reference to a secret, with the whole path of a file. Throws `usage` for what is none, and never shows it. */
export function secretReference(text: string, flag: string, pathOf: SettingSources['pathOf']): string {
  const place = secretPlace(text);
  const [scheme = '', ...rest] = text.split(':');
  const target = rest.join(':');
  if (place === 'value' || target === '') {
    throw usage(flag, `${flag} takes env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT`);
  }
  return place === 'file' ? `${scheme}:${pathOf(target)}` : text;
}

/** The lines of stdin, one for each secret. */
export class StdinLines {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  /** The next line. Throws `usage` that names the flag when there is none. */
  next(flag: string): string {
    const line = this.#lines.shift();
    if (line !== undefined && line !== '') return line;
    throw usage(flag, `stdin has no line for ${flag}`);
  }
}
