import type { OutputOf } from '../contract/infer.js';
import type { ApiCredentials } from '../contract/records/credentials.js';
import { knownCredentials } from './dataset/known.js';
import { isKnown } from './handlers/handler.js';
import type { Store } from './store/open.js';

/** Credentials of a request; undefined when the element is absent. */
export type ReceivedCredentials = OutputOf<typeof ApiCredentials> | undefined;

const sameId = (given: string, right: string): boolean => given.toLowerCase() === right;

const signIn = ({ UserName, Password }: NonNullable<ReceivedCredentials>): string | undefined => {
  if ((UserName ?? undefined) === undefined && (Password ?? undefined) === undefined) return undefined;
  if (UserName === knownCredentials.UserName && Password === knownCredentials.Password) return undefined;
  return 'The user name and the password do not match.';
};

/**
 * Why credentials are refused, or undefined when they are right (interface document, Authentication; assumptions.json, "How
 * credentials combine"). The text never repeats what was given.
 */
export function credentialsRefusal(store: Store, given: ReceivedCredentials): string | undefined {
  if (given === undefined) return 'Credentials are required.';
  const { ApiKey, DatabaseId, UserId } = given;
  if (typeof ApiKey !== 'string' || !sameId(ApiKey, knownCredentials.ApiKey)) return 'The ApiKey is not valid.';
  if (typeof DatabaseId === 'string' && !sameId(DatabaseId, knownCredentials.DatabaseId)) {
    return 'The DatabaseId is not a database of this ApiKey.';
  }
  if (typeof UserId === 'string' && !isKnown(store, 'User', UserId))
    return 'The UserId is not a user of this database.';
  return signIn(given);
}
