import type { Context } from './context.js';

/** True when the user can be asked: stdin, stdout and stderr are terminals, --no-input was not given, and CI is not set. */
export function canAsk(context: Context, flags: { readonly 'no-input'?: boolean | undefined }): boolean {
  const { stdinIsTerminal, variables } = context.environment;
  const isTerminal = stdinIsTerminal && context.streams.err.isTerminal && context.streams.out.isTerminal;
  return isTerminal && flags['no-input'] !== true && variables['CI'] === undefined;
}
