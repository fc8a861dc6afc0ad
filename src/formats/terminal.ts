/** What decides the looks of a stream; passed in, never read here. */
export interface StreamFacts {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

/**
 * Width to fit tables to: RELCTL_FORCE_TTY and COLUMNS first, then the terminal's own. Undefined means that nobody looks:
 * nothing is fitted or cut.
 */
export function widthOf({ isTerminal, columns, variables }: StreamFacts): number | undefined {
  return (
    positive(variables['RELCTL_FORCE_TTY']) ??
    positive(variables['COLUMNS']) ??
    // A terminal that does not know its width says 0.
    (isTerminal ? (columns === undefined || columns < 1 ? 80 : columns) : undefined)
  );
}

/** Whether a stream gets colour: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then the terminal, TERM=dumb and CLICOLOR=0. */
export function hasColor({ isTerminal, variables }: StreamFacts): boolean {
  if (variables['NO_COLOR'] !== undefined) return false;
  const forced = variables['FORCE_COLOR'] ?? variables['CLICOLOR_FORCE'];
  if (forced !== undefined) return forced !== '0';
  return isTerminal && variables['TERM'] !== 'dumb' && variables['CLICOLOR'] !== '0';
}

/** Text in bold, where colour is allowed. */
export const bold = (text: string, hasColor = false): string => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);

/** Text dimmed, where colour is allowed. */
export const dim = (text: string, hasColor = false): string => (hasColor ? `\u001b[2m${text}\u001b[22m` : text);
