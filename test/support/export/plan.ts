import type { Fingerprint } from '../../../src/lists/export/journal.js';
import type { ExportPlan } from '../../../src/lists/export/plan.js';
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
  looks: '{}',
  flags: '',
};

/** An export of Ids as CSV. */
export function planFor(file: string, changes: Partial<ExportPlan> & Pick<ExportPlan, 'traces' | 'pages'>): ExportPlan {
  return {
    file,
    job,
    writer: async (kept) =>
      formats.csv.open({
        columns,
        isChosen: false,
        shape: 'list',
        isContinued: kept !== undefined,
        hasHeader: true,
        width: undefined,
        hasColor: false,
      }),
    idOf: ({ Id }) => (typeof Id === 'string' ? Id : undefined),
    printed: (record) => record,
    consistent: false,
    resume: false,
    restart: false,
    resumeCommand: 'relctl relation list',
    force: false,
    lockWaitMs: 0,
    startedAt: '2026-03-02T09:15:00.000Z',
    nowMs: () => performance.now(),
    signal: new AbortController().signal,
    ...changes,
  };
}
