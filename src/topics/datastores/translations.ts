import { type RelctlError, usage } from '../../core/errors/relctl-error.js';

const form = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)=(.*)$/s;

function no(message: string): RelctlError {
  return usage('--translation', message, { advice: 'For example: --translation nl-NL=Naam' });
}

/** Translations out of `nl-NL=TEXT`; undefined when none were given. Throws `usage`. */
export function translationsOf(
  texts: readonly string[] | undefined,
): readonly { readonly CultureCode: string; readonly Value: string }[] | undefined {
  const seen = new Set<string>();
  return texts?.map((text) => {
    const [, CultureCode, Value] = form.exec(text) ?? [];
    if (CultureCode === undefined || Value === undefined)
      throw no(`--translation needs a language and a text, such as nl-NL=TEXT, not '${text}'`);
    const language = CultureCode.toLowerCase();
    if (seen.has(language)) throw no(`--translation ${CultureCode} is set twice`);
    seen.add(language);
    return { CultureCode, Value };
  });
}
