import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../state/part-file.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { FieldDescription } from '../../soap/codec/field-rules.js';
import type { Context } from '../../kit/host/context.js';
import { serviceOf, type Session } from '../../kit/session/session.js';
import { isObject } from '../../core/values/value.js';
import { makeFolders } from '../../state/own-file.js';

const maxAgeMs = 24 * 60 * 60 * 1000;

interface Cached {
  readonly savedAt: number;
  readonly profile?: string;
  readonly fields: readonly FieldDescription[];
}

const folderOf = ({ environment }: Context): string => join(foldersOf(environment).state, 'fields');

function fileFor(context: Context, session: Session, workflowId: string): string {
  // Descriptions depend on service, database and workflow. They are hashed, so that no text of a user becomes a path.
  const { url, namespace, database } = serviceOf(session);
  const key = JSON.stringify([url, namespace, database, workflowId.toLowerCase()]);
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

/** All descriptions in the cache that a profile looked up, of any workflow and age. */
export function fieldsSeenBy(context: Context, profile: string): readonly FieldDescription[] {
  const folder = folderOf(context);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .map((name) => readCached(join(folder, name)))
    .flatMap((cached) => (cached.profile === profile ? (cached.fields ?? []) : []));
}

/** Descriptions that were looked up in the last 24 hours; undefined when there are none. */
export function cachedFields(
  context: Context,
  session: Session,
  workflowId: string,
): readonly FieldDescription[] | undefined {
  const { savedAt = 0, fields } = readCached(fileFor(context, session, workflowId));
  const age = context.clock.date().getTime() - savedAt;
  return age >= 0 && age < maxAgeMs ? fields : undefined;
}

/** Puts descriptions into the cache. A cache that cannot be written is ignored. */
export function cacheFields(
  context: Context,
  session: Session,
  kept: { workflowId: string; fields: readonly FieldDescription[] },
): void {
  if (kept.fields.length === 0) return;
  const file = fileFor(context, session, kept.workflowId);
  try {
    makeFolders(join(file, '..'));
    const { name: profile } = session.profile;
    const cached: Cached = { savedAt: context.clock.date().getTime(), profile, fields: kept.fields };
    writeWhole(file, JSON.stringify(cached));
  } catch {
    // The next command looks them up again.
  }
}
