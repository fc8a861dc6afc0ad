/** Code of an error of the system, such as `ENOENT`; undefined for what has none. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
