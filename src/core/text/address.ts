/** An address as it may be shown: a user name and a password in it are left out, and a text with an @ that is no address is not shown. */
export function shownAddress(text: string): string {
  if (!URL.canParse(text)) return text.includes('@') ? '(no address)' : text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return url.href;
}
