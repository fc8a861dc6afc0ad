import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { mirrorTables } from '../../mirror/tables.js';
import { escapeForTerminal } from '../../output/escape.js';
import type { SqlFlags } from './flags.js';
import { askedMirror } from './place.js';

/** Says in a terminal what can be asked. Throws `usage` where nobody reads it: a statement is missing there. */
export async function guide(context: Context, flags: Pick<SqlFlags, 'profile' | 'to'>): Promise<void> {
  if (!context.streams.out.isTerminal) {
    throw usage('QUERY', 'QUERY is missing: the statement to ask; - reads it from stdin', 'relctl sql --help');
  }
  const { file, sources } = askedMirror(context, flags);
  const filled = new Set(sources.map(({ table }) => table));
  const tables = [...mirrorTables.values()].filter(({ name }) => filled.has(name));
  const names = tables.flatMap(({ name, holds, lists }) => [
    [name, holds],
    ...lists.map((list) => [list.name, `a list in ${name}`]),
  ]);
  const width = Math.max(...names.map(([name = '']) => name.length));
  const lines = [
    `Tables of the mirror ${file}:`,
    ...names.map(([name = '', holds = '']) => `  ${name.padEnd(width)}  ${holds}`),
    '',
    'Try: relctl sql "SELECT DisplayName, ImportKey FROM relations LIMIT 5"',
    'Columns: relctl mirror tables relations. More: relctl help sql-guide.',
  ];
  await context.streams.out.write(`${lines.map(escapeForTerminal).join('\n')}\n`);
}
