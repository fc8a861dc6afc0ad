import type { OptionFacts, Values } from '../../../src/kit/flags/define.js';

/** Values of options as the parser makes them of texts, each by the reader of its definition. Throws what that throws. */
export function valuesOf<F extends object>(flags: F, texts: Readonly<Record<string, string>>): Values<F> {
  const entries = Object.entries(texts).map(([name, text]) => {
    const { reader } = (flags as Readonly<Record<string, OptionFacts>>)[name] ?? {};
    return [name, reader === undefined ? text : reader(text, `--${name}`)] as const;
  });
  return Object.fromEntries(entries) as Values<F>;
}
