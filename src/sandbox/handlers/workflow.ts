import { PvWorkflowStepData } from '../../contract/records/workflow.js';
import { recordsWhere } from '../store/find.js';
import { answered, type Handler } from './handler.js';
import { check, idOf } from './known.js';

/** Interface document, Endpoints, WorkflowStepGetAll. */
export const WorkflowStepGetAll: Handler<'WorkflowStepGetAll'> = ({ store }, input) => {
  check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
  const values = [idOf(input.workflowId)];
  return answered({ WorkflowSteps: recordsWhere(store, PvWorkflowStepData, { where: '"WorkflowId" = ?', values }) });
};
