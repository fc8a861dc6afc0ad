import type { ExportPlan, ExportTarget, Fingerprint } from '../../../src/lists/export/export-plan.js';
import { formats } from '../../../src/formats/writers/index.js';
import type { Column } from '../../../src/formats/columns.js';
import { string } from '../../../src/contract/scalars.js';

const columns: readonly Column[] = [{ title: 'Id', path: ['Id'], type: string }];

/** What the exports of these tests are known by. */
export const job: Fingerprint = {
  operation: 'RelationGetAll',
  parameters: '{}',
  url: 'http://127.0.0.1:1/V1/service.asmx',
  namespace: 'http://relctl.example/',
  database: '',
  format: 'csv',
  columns: 'Id',
  pageSize: 2,
  firstPage: 1,
  style: '{}',
  flags: '',
};

/** An export of Ids as CSV. */
export function planFor(
  file: string,
  {
    target,
    ...changes
  }: Partial<Omit<ExportPlan, 'target'>> &
    Pick<ExportPlan, 'pages'> & { readonly target: Partial<ExportTarget> & Pick<ExportTarget, 'registry'> },
): ExportPlan {
  return {
    target: {
      file,
      consistent: false,
      resume: false,
      restart: false,
      command: 'relctl relation list',
      force: false,
      lock: { patienceMs: 0, signal: new AbortController().signal },
      startedAt: '2026-03-02T09:15:00.000Z',
      nowMs: () => performance.now(),
      ...target,
    },
    job,
    writer: async (before) =>
      formats.csv.open({
        columns,
        isChosen: false,
        shape: 'list',
        isContinued: before !== undefined,
        hasHeader: true,
      }),
    idOf: ({ Id }) => (typeof Id === 'string' ? Id : undefined),
    ...changes,
  };
}
