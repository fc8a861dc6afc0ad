import { PvWorkflowStepData } from '../../contract/records/workflow.js';
import { readWhere } from '../store/find.js';
import { answered, type Handler } from './handler.js';
import { check, idOf } from './known.js';

/** Interface document, Endpoints, WorkflowStepGetAll. */
export const WorkflowStepGetAll: Handler<'WorkflowStepGetAll'> = ({ store }, input) => {
  check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
  const rows = readWhere(store, PvWorkflowStepData, { where: '"WorkflowId" = ?', values: [idOf(input.workflowId)] });
  return answered({ WorkflowSteps: rows.map(({ record }) => record) });
};
