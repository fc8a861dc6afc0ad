// control characters are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/gu;

/** Text for an error message: characters that one cannot see become `\uXXXX`, and it is cut at `most` characters. */
export function forMessage(text: string, most = 40): string {
  const characters = Array.from(text.slice(0, most * 2 + 2));
  const cut = characters.length > most || text.length > most * 2 + 2 ? `${characters.slice(0, most).join('')}…` : text;
  return cut.replace(
    unseen,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** An address as it may be shown: a user name and a password in it are left out, and a text with an @ that is no address is not shown. */
export function addressForMessage(text: string): string {
  if (!URL.canParse(text)) return text.includes('@') ? '(no address)' : text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return url.href;
}
