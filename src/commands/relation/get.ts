import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { relationColumns } from '../../kit/output/columns.js';
import { connectionFlags, outputFlags, withNamesFlags } from '../../kit/flags/common.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { idsFlags, includeFlags, includesOf } from '../../lists/list-flags.js';
import { printedType } from '../../lists/record/call.js';
import { relationCommand } from '../../lists/ids/ids-command.js';

const operation = operations.RelationGet;
const shape = { shows: 'Relation', beside: ['Counters'] } as const;

export default relationCommand({
  summary: 'Show one relation, a person or an organisation, or with --ids a list of them.',
  description:
    'With --ids, the relations are in the order of the file. If one fails, relctl reports it on stderr and continues: ' +
    `${exitWords('partial')} if some failed.`,
  examples: [
    '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --profile sandbox',
    '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --include-fields -o json --profile sandbox',
    '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation get --ids - --include-fields -o csv --profile sandbox',
  ],
  flags: { ...idsFlags, ...includeFlags, ...connectionFlags, ...outputFlags, ...withNamesFlags, ...csvFlags },
  operations: [operation],
  prints: () => [printedType({ operation, input: {}, ...shape })],
  plan:
    ({ flags }) =>
    (relationId) => ({
      operation,
      input: { relationId, ...includesOf(flags) },
      ...shape,
      table: relationColumns,
    }),
});
