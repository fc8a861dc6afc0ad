/**
 * The words of a command line, as a shell splits them: blanks and line breaks separate, double quotes hold together. A text
 * that is put in stays as it is; a list that is put in as a word stands for its words.
 */
export function argv(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  let at = 0;
  const next = (): readonly string[] => [values[at++] ?? []].flat().map(String);
  const found = texts.join('\0').matchAll(/(?:"[^"]*"|[^\s"])+/g);
  return [...found].flatMap(([word]) =>
    word === '\0' ? next() : word.replaceAll('"', '').replaceAll('\0', () => next().join('')),
  );
}
