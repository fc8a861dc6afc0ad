import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOf } from '../../profiles/folders.js';
import type { FieldDescription } from '../../soap/field-rules.js';
import type { Context } from '../context.js';
import type { Session } from '../session.js';

/** Descriptions are looked up again after so long. */
export const maxAgeMs = 24 * 60 * 60 * 1000;

interface Cached {
  readonly savedAt: number;
  readonly fields: readonly FieldDescription[];
}

function fileFor(context: Context, session: Session, workflowId: string): string {
  const { platform, variables } = context.environment;
  const { url, namespace, credentials } = session.connection;
  // What the descriptions depend on: service, database and workflow. A hash, so that no name from outside is a path.
  const key = JSON.stringify([url, namespace, credentials['DatabaseId'] ?? null, workflowId.toLowerCase()]);
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return join(foldersOf(platform, variables).state, 'fields', `${hash}.json`);
}

const isUsable = (fields: unknown): fields is readonly FieldDescription[] =>
  Array.isArray(fields) && fields.every((field) => typeof field === 'object' && field !== null);

/** Descriptions that were looked up not long ago; undefined when there are none. */
export function cachedFields(
  context: Context,
  session: Session,
  workflowId: string,
): readonly FieldDescription[] | undefined {
  try {
    const cached = JSON.parse(readFileSync(fileFor(context, session, workflowId), 'utf8')) as Partial<Cached>;
    const age = context.clock.date().getTime() - (cached.savedAt ?? 0);
    return isUsable(cached.fields) && age >= 0 && age < maxAgeMs ? cached.fields : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps descriptions. A cache that cannot be written is done without. */
export function keepFields(
  context: Context,
  session: Session,
  kept: { workflowId: string; fields: readonly FieldDescription[] },
): void {
  const file = fileFor(context, session, kept.workflowId);
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    const part = `${file}.${process.pid}`;
    const cached: Cached = { savedAt: context.clock.date().getTime(), fields: kept.fields };
    writeFileSync(part, JSON.stringify(cached), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // The next command looks them up again.
  }
}
