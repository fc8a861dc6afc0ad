import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { idsFlags } from '../../cli/flags/ids.js';
import { optionalGuidArg } from '../../cli/flags/kinds.js';
import { periodFlags } from '../../cli/flags/period.js';
import { wholeListFlags } from '../../cli/flags/shared.js';
import { subjectOf } from '../../lists/ids/read.js';
import { runEach } from '../../lists/ids/run-each.js';
import { needsRelation } from '../../records/missing.js';
import { runList } from '../../lists/run.js';
import { openSession } from '../../cli/session.js';
import { checkSince, givenPeriod, periodPlan, type GivenPeriod } from '../../lists/since/period.js';
import { defined } from '../../plain/defined.js';

const operation = operations.RelationGetMarksModified;

export default defineCommand(
  {
    summary: 'List the marks of a relation that changed in a period; without a period, all of them.',
    description:
      'Each mark comes with its relation, in the columns Relation.Id to Relation.CounterValues. With --ids the marks of many relations are one list: its first column, _relationId, says whose a mark is. A ' +
      'relation that fails is told on stderr and the others go on: exit code 8 when some failed.',
    examples: [
      '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --profile sandbox',
      '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --from 2021-01-01 --to now --profile sandbox',
      '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --since-last marks --from 0001-01-01 --profile sandbox',
      '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation marks --ids - -o csv --profile sandbox',
    ],
    args: { id: optionalGuidArg('Id of the relation.') },
    flags: { ...periodFlags, ...idsFlags, ...wholeListFlags },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    checkSince(flags);
    const subject = await subjectOf(context, { args, flags });
    const session = await openSession(context, flags);
    const place = { context, session, flags };
    const planOf = (relationId: string, { period, start }: GivenPeriod) => ({
      operation,
      input: { relationId, ...period },
      shows: 'RelationshipMarks',
      table: ['Id', 'MarkId', 'RelationshipDescription', 'Date'],
      ...defined({ start }),
      check: needsRelation(operation, 'RelationshipMarks'),
      beside: ['Relation'],
    });
    if (subject.kind === 'one') {
      return runList(place, await periodPlan(place, flags, (given) => planOf(subject.id, given)));
    }
    const given = await givenPeriod(place, flags);
    return runEach(place, { ids: subject.ids, what: 'relations', planOf: (id) => planOf(id, given) });
  },
);
