import { isSandbox } from '../../profiles/resolve.js';
import type { Session } from './session.js';

/** What identifies the service of an export or a bookmark. */
export interface Service {
  readonly url: string;
  readonly namespace: string;
  /** Empty where the credentials name no database. */
  readonly database: string;
}

/** The service of a session. The embedded one has another port each time, and is called `sandbox`. */
export function serviceOf({ profile, connection }: Session): Service {
  const { url, namespace, credentials } = connection;
  const database = credentials['DatabaseId'];
  return {
    url: isSandbox(profile) ? 'sandbox' : url,
    namespace,
    database: typeof database === 'string' ? database : '',
  };
}
