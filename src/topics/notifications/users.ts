import { readBounded } from '../../files/read-bounded.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { givenName, openGiven } from '../../host/given.js';
import { pastedGuid } from '../../lexical/values/guid.js';
import { forMessage } from '../../lexical/text.js';
import { namesLike, namesOf } from '../../profiles/kept/names.js';
import { profileStore } from '../../cli/session/profile-store.js';
import type { Session } from '../../cli/session/session.js';

const mostBytes = 1024 * 1024;
const mostUsers = 10_000;

/** A user to ask for. */
export interface User {
  /** As the file has it: a name, or the Id. */
  readonly name: string;
  readonly id: string;
}

async function textOf(context: Context, file: string): Promise<string> {
  const bytes = await readBounded(openGiven(context, file), mostBytes);
  if (bytes === undefined) throw usage('--ids', `${givenName(file)} is larger than ${mostBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage('--ids', `${givenName(file)} is not UTF-8`);
  }
}

/** The Id of a user by GUID or by a name of the profile. Throws `usage`. */
function idOf(text: string, names: Readonly<Record<string, string>>, where: string): string {
  const guid = pastedGuid(text);
  if (guid !== undefined) return guid;
  const [only, ...others] = namesLike(text, Object.keys(names));
  if (only !== undefined && others.length === 0) return names[only] ?? '';
  const shown = `'${forMessage(text)}'`;
  if (only !== undefined) throw usage('--ids', `${where}: ${shown} may be ${[only, ...others].join(' or ')}`);
  throw usage('--ids', `${where}: ${shown} is no GUID, and the profile has no user of that name`, {
    advice: 'Give the GUID, or name it once: `relctl name set user NAME GUID`',
    hint: 'relctl name list user',
  });
}

/**
 * The users of a file, or of stdin by `-`: a line each, its Id or its name in the profile; blank lines and lines that begin
 * with `#` are skipped. Throws `usage` for what is neither, for a user that comes twice and for a file without any.
 */
export async function readUsers(context: Context, session: Session, file: string): Promise<readonly User[]> {
  const source = givenName(file);
  const names = namesOf(profileStore(context).kept(session.profile.name)).user;
  const lines = (await textOf(context, file)).split(/\r\n|\n|\r/);
  const users = new Map<string, User>();
  for (const [at, line] of lines.entries()) {
    const name = line.trim();
    if (name === '' || name.startsWith('#')) continue;
    const where = `${source}, line ${at + 1}`;
    const id = idOf(name, names, where);
    if (users.has(id)) throw usage('--ids', `${where}: user ${forMessage(name)} came before`);
    users.set(id, { name, id });
    if (users.size > mostUsers) throw usage('--ids', `${source} has more than ${mostUsers} users`);
  }
  if (users.size === 0) throw usage('--ids', `${source} names no user`);
  return [...users.values()];
}
