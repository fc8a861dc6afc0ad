import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { recordArg } from '../../cli/flags/kinds.js';
import { treeFlags, TreeRow } from '../../topics/tree/flags.js';

const { RelationGet, RelationshipGetAll } = operations;

export default defineCommand(
  {
    summary: 'Show what is below a relation: its organisations, contacts and employees, as a tree.',
    description:
      'Drawn as a tree, or as rows with -o. It comes from the mirror, where `mirror sync` made one; without, all ' +
      'relationships are read. A relation that stands above already is shown again, but not what is below it; where the ' +
      'relationships between are a circle, it says so. From level 33 on, and where ' +
      'branches would take more than half of a terminal, the drawing has the number of the level.',
    examples: [
      '<%= config.bin %> relation tree 00000000-0000-4000-8000-000000000103 --profile sandbox',
      '<%= config.bin %> relation tree 00000000-0000-4000-8000-000000000101 --depth 1 --profile sandbox',
      '<%= config.bin %> relation tree 00000000-0000-4000-8000-000000000103 --live -o csv --profile sandbox',
      '<%= config.bin %> relation tree "Sandbox & Zonen B.V." --max-age 1h --profile sandbox',
    ],
    args: { id: recordArg('relation') },
    prints: [TreeRow],
    flags: treeFlags,
    operations: [RelationGet.name, RelationshipGetAll.name],
  },
  async ({ args, flags, context }) => {
    const { showTree } = await import('../../topics/tree/tree.js');
    await showTree({ context, flags, id: args.id });
  },
);
