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
    (isTerminal ? (columns ?? 80) : undefined)
  );
}

/** Whether a stream gets colour: FORCE_COLOR and CLICOLOR_FORCE, NO_COLOR and CLICOLOR=0, TERM=dumb, then the terminal. */
export function hasColor({ isTerminal, variables }: StreamFacts): boolean {
  if (variables['NO_COLOR'] !== undefined) return false;
  const forced = variables['FORCE_COLOR'] ?? variables['CLICOLOR_FORCE'];
  if (forced !== undefined) return forced !== '0';
  return isTerminal && variables['TERM'] !== 'dumb' && variables['CLICOLOR'] !== '0';
}
