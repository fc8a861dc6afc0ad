/**
 * The number of the last page that the journal of an export keeps, which a run that goes on asks for first; undefined where
 * none is kept, or the file was finished.
 */
export function lastKept(files: ReadonlyMap<string, string>, file: string): number | undefined {
  const [text = ''] = [`${file}.journal`, `${file}.spool.journal`].flatMap((path) => files.get(path) ?? []);
  if (text.includes('{"done":')) return undefined;
  // A line that was not written to its end is none.
  const last = [...text.matchAll(/^.*\{"page":(\d+),.*\n/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}
