/** `--trace` without a value means stderr, which oclif cannot say. */
export const withTraceTarget = (argv: readonly string[]): string[] =>
  argv.map((argument) => (argument === '--trace' ? '--trace=-' : argument));
