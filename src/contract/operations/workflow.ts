import { defineOperations, list, opt, req } from '../build.js';
import { PvWorkflowStepData } from '../records/workflow.js';
import { guid } from '../scalars.js';

/** Interface document, Endpoints, Datastores, marks, workflows, notifications. */
export const workflowOperations = defineOperations({
  WorkflowStepGetAll: {
    doc: 'Lists the steps of a workflow.',
    access: 'read',
    parameters: { workflowId: req(guid, 'The workflow.') },
    result: { WorkflowSteps: opt(list(PvWorkflowStepData), 'Its steps.') },
  },
});
