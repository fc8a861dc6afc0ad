import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { idsFlags, periodFlags, wholeListFlags } from '../../lists/list-flags.js';
import { itemType } from '../../lists/plan.js';
import { relationCommand } from '../../lists/ids/ids-command.js';
import { resolvePeriod } from '../../lists/open-start.js';
import { needsRelation } from '../../lists/record/missing.js';
import { markNaming, withNames } from '../../topics/marks/names.js';

const operation = operations.RelationGetMarksModified;
const shape = { shows: 'RelationshipMarks', beside: ['Relation'] } as const;

export default relationCommand({
  summary: 'List the marks of a relation that changed in a period; without a period, all of them.',
  description:
    'Tables and cards show the name of each mark, from the mirror or by a call, as --columns Mark.Name does. Each mark has its relation, in the columns Relation.Id to Relation.CounterValues. With --ids, relctl prints the marks of many relations as one list, whose first column, _relationId, is the relation. If a ' +
    `relation fails, relctl reports it on stderr and continues: ${exitWords('partial')} if some failed.`,
  examples: [
    '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --profile sandbox',
    '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --from 2021-01-01 --to now --profile sandbox',
    '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --from yesterday --profile sandbox',
    '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation marks --ids - -o csv --profile sandbox',
  ],
  flags: { ...periodFlags, ...idsFlags, ...wholeListFlags },
  operations: [operation],
  prints: () => [withNames(itemType({ operation, input: {}, ...shape, table: [] }))],
  plan: async (run) => {
    const { period, start } = await resolvePeriod(run, run.flags);
    // Only now: what was typed is checked before anything is called.
    const named = await markNaming(run);
    return (relationId) =>
      named({
        operation,
        input: { relationId, ...period },
        ...shape,
        table: ['RelationshipId', 'Mark.Name', 'Date', 'RelationshipDescription', 'MarkId', 'Id'],
        request: { start },
        answer: { check: needsRelation(operation, 'RelationshipMarks') },
      });
  },
});
