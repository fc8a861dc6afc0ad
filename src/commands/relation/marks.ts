import { operations } from '../../contract/service.js';
import { defineCommand } from '../../runtime/command.js';
import { guidArg, guidOf } from '../../runtime/flags/guid.js';
import { beginningOfTime, fromFlag, toFlag } from '../../runtime/flags/period.js';
import { listFlags } from '../../runtime/flags/shared.js';
import { missingRelation } from '../../runtime/missing.js';
import { runList } from '../../runtime/run-list.js';
import { openSession } from '../../runtime/session.js';
import { periodOf } from '../../runtime/times.js';

const operation = operations.RelationGetMarksModified;

export default defineCommand(
  {
    summary: 'List the marks of a relation that changed in a period; without a period, all of them.',
    examples: [
      '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --profile sandbox',
      '<%= config.bin %> relation marks 00000000-0000-4000-8000-000000000102 --from 2021-01-01 --to now --profile sandbox',
    ],
    args: { id: guidArg('Id of the relation.') },
    flags: { from: fromFlag, to: toFlag, ...listFlags(false) },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    const relationId = guidOf(args.id, 'ID');
    const session = await openSession(context, flags);
    const period = periodOf(context, session, { from: flags.from ?? beginningOfTime, to: flags.to ?? 'tomorrow' });
    await runList(
      { context, session, flags },
      {
        operation,
        input: { relationId, ...period },
        shows: 'RelationshipMarks',
        table: ['Id', 'MarkId', 'RelationshipDescription', 'Date'],
        check: missingRelation,
      },
    );
  },
);
