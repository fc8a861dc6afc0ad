import { rowsIn, targetOf } from '../state/output-registry.js';
import { refuseShrink } from './export/shrink.js';
import { callsOf, commandOf } from './export/export.js';
import { checkExpected } from './list-flags.js';
import { tracesFolder } from '../kit/output/own-files.js';
import { printedOf } from './paging.js';
import { outputFileOf, type ListPlan, type ListRun } from './plan.js';

/** Flags that give a part of a list. */
const partFlags: ReadonlySet<string> = new Set([
  'limit',
  'page',
  'changes-since',
  'ids',
  'from',
  'to',
  'where',
  'query',
]);

/** Operation, service and parameters of a list as one text; undefined when a part of it is asked for. */
export function wholeListOf(run: ListRun, plan: ListPlan): string | undefined {
  const isPart = Object.entries(run.flags).some(([name, value]) => partFlags.has(name) && value !== undefined);
  if (isPart || plan.middleware !== undefined) return undefined;
  const { operation, parameters, url, namespace, database } = callsOf(run, plan);
  return JSON.stringify({ operation, parameters, url, namespace, database });
}

/**
 * Makes the check of a list's number of rows: it must be the one of --expect, and not too much smaller than in the file that
 * is replaced. The check throws `partial`.
 * @param isResumable true for an export that can be resumed: the hint says so
 */
export function acceptRows(
  run: ListRun,
  { list, isResumable }: { readonly list: string | undefined; readonly isResumable: boolean },
): (rows: number) => void {
  const { context, flags } = run;
  return (read) => {
    const now = printedOf(run, read);
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
