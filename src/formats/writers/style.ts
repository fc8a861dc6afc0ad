/** Text in bold, where colour is allowed. */
export const bold = (text: string, hasColor: boolean): string => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);

/** Text dimmed, where colour is allowed. */
export const dim = (text: string, hasColor: boolean): string => (hasColor ? `\u001b[2m${text}\u001b[22m` : text);
