const references: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** What a browser reads in escaped markup. */
export const read = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => references[found] ?? '');

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : read(found);
};

function* controls(form: string): Generator<readonly [name: string, text: string]> {
  for (const [tag] of form.matchAll(/<input\s[^>]*>/g)) {
    const isLeftOut = attribute(tag, 'type') === 'checkbox' && !tag.includes('checked="checked"');
    if (!isLeftOut) yield [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? 'on'];
  }
  for (const [, tag = '', text = ''] of form.matchAll(/<textarea(\s[^>]*)>\n?([^<]*)<\/textarea>/g)) {
    yield [attribute(tag, 'name') ?? '', read(text)];
  }
  for (const [, tag = '', options = ''] of form.matchAll(/<select(\s[^>]*)>([^]*?)<\/select>/g)) {
    const all = options.match(/<option[^>]*>/g) ?? [];
    const chosen = all.find((option) => option.includes('selected="selected"')) ?? all[0] ?? '';
    yield [attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? ''];
  }
}

/** What a browser would send of the form in a page, without its buttons. */
export function formIn(page: string): Map<string, string> {
  const form = /<form\s[^]*?<\/form>/.exec(page)?.[0];
  if (form === undefined) throw new Error(`there is no form in ${page.slice(0, 2000)}`);
  return new Map(controls(form));
}

/** The text of the answer that a page shows; undefined when it shows none. */
export const resultIn = (page: string): string | undefined => {
  const found = /<pre id="result">([^]*?)<\/pre>/.exec(page)?.[1];
  return found === undefined ? undefined : read(found.replace(/<[^>]*>/g, ''));
};

/** The request that a page shows. */
export const requestIn = (page: string): string =>
  read((/<summary>The request[^<]*<\/summary>\s*<pre>([^]*?)<\/pre>/.exec(page)?.[1] ?? '').replace(/<[^>]*>/g, ''));
