import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../files/part-file.js';
import { foldersOf } from '../profiles/folders.js';
import { isSandbox } from '../profiles/resolve.js';
import type { FieldDescription } from '../soap/codec/field-rules.js';
import type { Context } from '../host/context.js';
import type { Session } from '../cli/session.js';
import { isObject } from '../plain/object.js';

/** Descriptions are looked up again after so long. */
const maxAgeMs = 24 * 60 * 60 * 1000;

interface Cached {
  readonly savedAt: number;
  /** Profile that looked them up. */
  readonly profile?: string;
  readonly fields: readonly FieldDescription[];
}

const folderOf = ({ environment }: Context): string =>
  join(foldersOf(environment.platform, environment.variables).state, 'fields');

function fileFor(context: Context, session: Session, workflowId: string): string {
  const { namespace, credentials } = session.connection;
  // The embedded service takes another port each time.
  const url = isSandbox(session.profile) ? 'sandbox' : session.connection.url;
  // What the descriptions depend on: service, database and workflow. A hash, so that no name from outside is a path.
  const key = JSON.stringify([url, namespace, credentials['DatabaseId'] ?? null, workflowId.toLowerCase()]);
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return join(folderOf(context), `${hash}.json`);
}

const isUsable = (fields: unknown): fields is readonly FieldDescription[] =>
  Array.isArray(fields) && fields.every(isObject);

function readCached(file: string): Partial<Cached> {
  try {
    const cached = JSON.parse(readFileSync(file, 'utf8')) as Partial<Cached>;
    return isUsable(cached.fields) ? cached : {};
  } catch {
    return {};
  }
}

/** All descriptions that a profile ever looked up and that are still kept, of whatever workflow and age. */
export function fieldsSeenBy(context: Context, profile: string): readonly FieldDescription[] {
  const folder = folderOf(context);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .map((name) => readCached(join(folder, name)))
    .flatMap((cached) => (cached.profile === profile ? (cached.fields ?? []) : []));
}

/** Descriptions that were looked up not long ago; undefined when there are none. */
export function cachedFields(
  context: Context,
  session: Session,
  workflowId: string,
): readonly FieldDescription[] | undefined {
  const { savedAt = 0, fields } = readCached(fileFor(context, session, workflowId));
  const age = context.clock.date().getTime() - savedAt;
  return age >= 0 && age < maxAgeMs ? fields : undefined;
}

/** Keeps descriptions, where there are any. A cache that cannot be written is done without. */
export function keepFields(
  context: Context,
  session: Session,
  kept: { workflowId: string; fields: readonly FieldDescription[] },
): void {
  if (kept.fields.length === 0) return;
  const file = fileFor(context, session, kept.workflowId);
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    const { name: profile } = session.profile;
    const cached: Cached = { savedAt: context.clock.date().getTime(), profile, fields: kept.fields };
    writeWhole(file, JSON.stringify(cached));
  } catch {
    // The next command looks them up again.
  }
}
