/** A cell of a Markdown table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text in code type. */
export const code = (text: string): string => `\`${text}\``;

/** Where a heading is found on its page. */
export const anchor = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-');
