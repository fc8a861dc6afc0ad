import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { relationColumns } from '../../cli/output/columns.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { csvFlags } from '../../cli/flags/csv.js';
import { idsFlags } from '../../cli/flags/ids.js';
import { optionalGuidArg } from '../../cli/flags/kinds.js';
import { includeFlags, includesOf } from '../../cli/flags/include.js';
import { outputFlags } from '../../cli/flags/output.js';
import { subjectOf } from '../../lists/ids/read.js';
import { runEach } from '../../lists/ids/run-each.js';
import { runCall } from '../../records/call.js';
import { openSession } from '../../cli/session.js';

const operation = operations.RelationGet;

export default defineCommand(
  {
    summary: 'Show one relation, a person or an organisation, or with --ids a list of them.',
    description:
      'With --ids the relations come in the order of the file. One that fails is told on stderr and the others go on: ' +
      'exit code 8 when some failed.',
    examples: [
      '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --profile sandbox',
      '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --include-fields -o json --profile sandbox',
      '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation get --ids - --include-fields -o csv --profile sandbox',
    ],
    args: { id: optionalGuidArg('Id of the relation.') },
    flags: { ...idsFlags, ...includeFlags, ...connectionFlags, ...outputFlags, ...csvFlags },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    const subject = await subjectOf(context, { args, flags });
    const session = await openSession(context, flags);
    const place = { context, session, flags };
    const inputOf = (relationId: string) => ({ relationId, ...includesOf(flags) });
    const shared = { operation, shows: 'Relation' };
    const beside = ['Counters'];
    if (subject.kind === 'one') {
      await runCall(place, { ...shared, beside, input: inputOf(subject.id) });
      return;
    }
    const planOf = (id: string) => ({ ...shared, table: relationColumns, input: inputOf(id) });
    await runEach(place, { ids: subject.ids, what: 'relations', planOf, beside });
  },
);
