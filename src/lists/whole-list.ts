import { rowsIn, targetOf } from '../export/output-registry.js';
import { refuseShrink } from '../export/shrink.js';
import { callsOf, commandOf } from './export.js';
import { checkExpected } from '../cli/flags/export.js';
import { tracesFolder } from '../cli/output/record-output.js';
import { outputFileOf, type ListPlan, type ListRun } from './plan.js';

/** Flags that make a part of a list. */
const partFlags: ReadonlySet<string> = new Set(['limit', 'page', 'since-last', 'changes-since', 'ids', 'from', 'to']);

/** Stands for operation, service and parameters of a list; undefined when only a part of it is asked for. */
export function wholeListOf(run: ListRun, plan: ListPlan): string | undefined {
  const isPart = Object.entries(run.flags).some(([name, value]) => partFlags.has(name) && value !== undefined);
  if (isPart || plan.middleware !== undefined) return undefined;
  const { operation, parameters, url, namespace, database } = callsOf(run, plan);
  return JSON.stringify({ operation, parameters, url, namespace, database });
}

/**
 * Looks at the number of rows that a list came to: it is the one that --expect says, and not so much smaller than in the
 * file that is replaced. Throws `partial` when it is not.
 * @param isResumable the file is an export that can be resumed
 */
export function acceptRows(
  run: ListRun,
  { list, isResumable }: { readonly list: string | undefined; readonly isResumable: boolean },
): (rows: number) => void {
  const { context, flags } = run;
  return (now) => {
    checkExpected(flags, now);
    const named = outputFileOf(run);
    if (named === undefined) return;
    const file = targetOf(named);
    const before = list === undefined ? undefined : rowsIn(tracesFolder(context), file, list);
    if (before === undefined) return;
    const again = `${commandOf(run, ['--max-shrink'])}${isResumable ? ' --resume' : ''}`;
    const shrink = { before, now, mostPercent: flags['max-shrink'] };
    refuseShrink(shrink, `${file}, as relctl wrote it,`, (flag) => `${again} ${flag}`);
  };
}
