import type { HttpResponse } from '../../soap/http.js';
import { plain } from '../answers.js';
import { servicePath, type SandboxContext } from '../context.js';

/** The pages for people (interface document, "What the service does", rule 5). */
export function page(context: SandboxContext): HttpResponse {
  return plain(
    200,
    `relctl sandbox\n\nSOAP 1.1 and 1.2 by POST to ${servicePath}, namespace ${context.namespace}.\n` +
      `${context.dataset.relations} relations, seed ${context.dataset.seed}.`,
  );
}
