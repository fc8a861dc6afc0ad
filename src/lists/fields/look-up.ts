import { timeReader } from '../../kit/session/times.js';
import { fieldSpec, fieldValuesOf, fieldCatalogue, type FieldCatalogue } from './catalogue.js';
import { wholeListIn } from '../../client/list-answer.js';
import { operations } from '../../contract/service.js';
import { namesOf, type IdsByName } from '../../profiles/names.js';
import type { FieldDescription } from '../../soap/codec/field-rules.js';
import type { Context } from '../../kit/host/context.js';
import { profileStore } from '../../kit/session/profile-store.js';
import { type Session, serviceOf } from '../../kit/session/session.js';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../state/part-file.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { isObject } from '../../core/values/value.js';
import { makeFolders } from '../../state/own-file.js';

const profileAliases = (context: Context, session: Session): IdsByName =>
  namesOf(profileStore(context).kept(session.profile.name)).field;

async function workflowFields(
  context: Context,
  session: Session,
  workflowId: string,
): Promise<readonly FieldDescription[]> {
  const cached = cachedFields(context, session, workflowId);
  if (cached !== undefined) return cached;
  const reply = await session.client.call(operations.ActivityGetFields, { workflowId });
  // Throws `bad-answer` when the answer has no list.
  wholeListIn({ operation: operations.ActivityGetFields, shows: 'Fields' }, reply.result, true);
  const fields = (reply.result.Fields ?? []).filter((field) => field !== null);
  cacheFields(context, session, { workflowId, fields });
  return fields;
}

/** Flags that say where names are looked up. */
export interface CatalogueFlags {
  readonly workflow?: string | undefined;
  /** Name of the flag of that workflow, where it is another one. */
  readonly called?: string;
  /** Values of --field: their form is checked before names are looked up. */
  readonly field?: string | readonly string[] | undefined;
}

/** The fields that the aliases of the profile name, for commands that look no fields up. */
export function aliasCatalogue(context: Context, session: Session): FieldCatalogue {
  const remedy = { advice: 'Use its id, or name it with `relctl name set field`.' };
  return fieldCatalogue({ aliases: profileAliases(context, session), remedy });
}

/** Field values to send, of commands that look no fields up: by id or alias. Throws `usage`. */
export function aliasedFieldValues(
  context: Context,
  session: Session,
  texts: readonly string[] | undefined,
): ReturnType<typeof fieldValuesOf> {
  const catalogue = aliasCatalogue(context, session);
  return fieldValuesOf(texts, { catalogue, use: 'write', readTime: timeReader(context, session) });
}

/** The fields of `--workflow`, and the aliases of the profile. Throws `usage`, and what the call throws. */
export async function openCatalogue(
  context: Context,
  session: Session,
  flags: CatalogueFlags,
): Promise<FieldCatalogue> {
  if (typeof flags.field === 'object') for (const text of flags.field) fieldSpec(text);
  const aliases = profileAliases(context, session);
  if (flags.workflow === undefined) {
    const advice = `--${flags.called ?? 'workflow'} with its Id resolves names; \`relctl name set field\` names a field.`;
    return fieldCatalogue({ aliases, remedy: { advice } });
  }
  return fieldCatalogue({ aliases, fields: await workflowFields(context, session, flags.workflow) });
}

/**
 * The fields of several workflows, each once, and the aliases of the profile; for the columns of lists. Throws what the
 * calls throw.
 */
export async function openWorkflowsCatalogue(
  context: Context,
  session: Session,
  { workflowIds }: { readonly workflowIds: readonly string[] },
): Promise<FieldCatalogue> {
  const byId = new Map<string, FieldDescription>();
  for (const workflowId of workflowIds) {
    const fields = await workflowFields(context, session, workflowId);
    for (const field of fields) byId.set(String(field.Id).toLowerCase(), field);
  }
  return fieldCatalogue({ aliases: profileAliases(context, session), fields: [...byId.values()] });
}

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

function cachedFields(context: Context, session: Session, workflowId: string): readonly FieldDescription[] | undefined {
  const { savedAt = 0, fields } = readCached(fileFor(context, session, workflowId));
  const age = context.clock.date().getTime() - savedAt;
  return age >= 0 && age < maxAgeMs ? fields : undefined;
}

/** Puts descriptions into the cache. A cache that cannot be written is ignored. */
export function cacheFields(
  context: Context,
  session: Session,
  stored: { workflowId: string; fields: readonly FieldDescription[] },
): void {
  if (stored.fields.length === 0) return;
  const file = fileFor(context, session, stored.workflowId);
  try {
    makeFolders(join(file, '..'));
    const { name: profile } = session.profile;
    const cached: Cached = { savedAt: context.clock.date().getTime(), profile, fields: stored.fields };
    writeWhole(file, JSON.stringify(cached));
  } catch {
    // The next command looks them up again.
  }
}
