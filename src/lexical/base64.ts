const form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const lineBreaks = /[ \t\r\n]+/g;
const chunkLength = 4 * 1024 * 1024;

/** True for strict base64, with its padding; white space must have been taken out. */
export const isBase64 = (text: string): boolean => {
  if (text.length % 4 !== 0) return false;
  // A pattern over one long text would need a stack as deep as the text is long.
  for (let at = 0; at < text.length; at += chunkLength) if (!form.test(text.slice(at, at + chunkLength))) return false;
  const padding = text.indexOf('=');
  return padding === -1 || padding >= text.length - 2;
};

/** The bytes of strict base64, in pieces, so that no more than a few megabytes are made at a time; white space is passed over. */
export function* base64Bytes(text: string): Generator<Uint8Array> {
  const bare = text.replace(lineBreaks, '');
  for (let at = 0; at < bare.length; at += chunkLength) {
    yield Buffer.from(bare.slice(at, at + chunkLength), 'base64');
  }
}

/** True when a text is base64 with or without line breaks. */
export const holdsBase64 = (text: string): boolean => isBase64(text.replace(lineBreaks, ''));
