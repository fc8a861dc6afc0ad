import { inRole, opt, recordWithoutPresence, req } from '../build.js';
import { WorkflowStepType } from '../enumerations.js';
import { guid, string } from '../scalars.js';

/** Interface document, Small shared records. */
export const PvWorkflowStepData = recordWithoutPresence('PvWorkflowStepData', 'A step of a workflow.', {
  Id: req(guid, 'Identifies the step.'),
  Name: inRole('name', opt(string, 'Name of the step.')),
  Code: inRole('key', opt(string, 'Short code of the step.')),
  Type: req(WorkflowStepType, 'The part that it plays.'),
});
