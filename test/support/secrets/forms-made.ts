/** What other programs make of a secret, by the name of the form. Independent of src/core/secrets/forms.ts. */
export const formsMade: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'the bytes of UTF-16, base64': (secret) =>
    // The last character shares its bits with what follows.
    Buffer.from(secret, 'utf16le').toString('base64').replace(/.=+$/, ''),
  'the bytes of UTF-16, hexadecimal': (secret) => Buffer.from(secret, 'utf16le').toString('hex'),
  'BitConverter of .NET': (secret) =>
    [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('-'),
  'every byte behind %': (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'a URL within a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'references by number': (secret) => Array.from(secret, (each) => `&#${String(each.codePointAt(0))};`).join(''),
  'references in hexadecimal': (secret) =>
    Array.from(secret, (each) => `&#x${(each.codePointAt(0) ?? 0).toString(16)};`).join(''),
  'escapes of JavaScript': (secret) =>
    secret
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  'a page within XML': (secret) =>
    [1, 2].reduce(
      (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
      secret,
    ),
  'JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  'references for all but letters and digits': (secret) =>
    secret.replace(/[^a-z0-9]/giu, (each) => `&#x${(each.codePointAt(0) ?? 0).toString(16)};`),
  'escapes of JavaScript for all but letters and digits': (secret) =>
    secret.replace(/[^a-z0-9]/gi, (unit) => {
      const code = unit.charCodeAt(0).toString(16).toUpperCase();
      return code.length < 3 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
    }),
  'a URL that holds letters and digits alone': (secret) =>
    encodeURIComponent(secret).replace(/[-_.~!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
  'base64 within a URL': (secret) => encodeURIComponent(Buffer.from(secret).toString('base64').replace(/.=+$/, '')),
  'base64 within JSON, by PHP': (secret) =>
    Buffer.from(secret).toString('base64').replace(/.=+$/, '').replaceAll('/', '\\/'),
  'a header, read as ISO 8859-1': (secret) => Buffer.from(secret).toString('latin1'),
};
/** What other programs make of a GUID besides. */
export const formsOfGuidsMade: Readonly<Record<string, (secret: string) => string>> = {
  'written again by the service': (secret) => secret.toLowerCase(),
  'written again, base64': (secret) => Buffer.from(secret.toLowerCase()).toString('base64'),
  'without dashes': (secret) => secret.replaceAll('-', ''),
  'without dashes, base64': (secret) =>
    Buffer.from(secret.toLowerCase().replaceAll('-', '')).toString('base64').replace(/.=+$/, ''),
  'in capitals, base64': (secret) => Buffer.from(secret.toUpperCase()).toString('base64'),
  'in capitals, the bytes of UTF-16': (secret) =>
    Buffer.from(secret.toUpperCase(), 'utf16le').toString('base64').replace(/.=+$/, ''),
  'in capitals, every byte behind %': (secret) =>
    [...Buffer.from(secret.toUpperCase())].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'within braces': (secret) => `{${secret.toUpperCase()}}`,
  'a structure': (secret) => {
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = secret.toLowerCase().split('-');
    const bytes = (`${fourth}${fifth}`.match(/../g) ?? []).map((byte) => `0x${byte}`);
    return `{0x${first},0x${second},0x${third},{${bytes.join(',')}}}`;
  },
  'ToByteArray, base64': (secret) => {
    const turned = secret
      .split('-')
      .map((group, index) => (index < 3 ? (group.match(/../g) ?? []).reverse().join('') : group));
    return Buffer.from(turned.join(''), 'hex').toString('base64').replace(/.=+$/, '');
  },
};
