import type { Context } from './context.js';

/** True when questions can be put: both ends are terminals, nobody said no, and this is no CI. */
export function canAsk(context: Context, flags: { readonly 'no-input'?: boolean | undefined }): boolean {
  const { stdinIsTerminal, variables } = context.environment;
  const isTerminal = stdinIsTerminal && context.streams.err.isTerminal && context.streams.out.isTerminal;
  return isTerminal && flags['no-input'] !== true && variables['CI'] === undefined;
}
