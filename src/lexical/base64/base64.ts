const form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const chunkLength = 4 * 1024 * 1024;

/** True for strict base64, with its padding and without white space. */
export const isBase64 = (text: string): boolean => {
  if (text.length % 4 !== 0) return false;
  // A pattern over one long text would need a stack as deep as the text is long.
  for (let at = 0; at < text.length; at += chunkLength) if (!form.test(text.slice(at, at + chunkLength))) return false;
  const padding = text.indexOf('=');
  return padding === -1 || padding >= text.length - 2;
};
