/** The rows of a CSV file with quotes, by the names of their columns; undefined for one that ends amid a row. */
export function csvRows(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const lines = [...text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)].map(([, line = '']) => cellsOf(line));
  if (lines.length === 0 || !text.endsWith('\r\n')) return undefined;
  const [titles = [], ...rows] = lines;
  if (rows.some(({ length }) => length !== titles.length)) return undefined;
  return rows.map((cells) => Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ''])));
}

const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
