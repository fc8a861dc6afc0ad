import type { Known } from '../../cli/names/kept.js';
import { mirrorFile } from '../../cli/names/mirror-file.js';
import { serviceOfMirror } from '../../cli/names/open-mirror.js';
import { openSchema } from '../../cli/mirror/open.js';
import { postgresPlaceOf } from '../../cli/mirror/postgres.js';
import { profileOf } from '../../cli/session/session.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import type { Source } from '../../mirror/store.js';

/** Names of a profile, with what else it compares. */
interface Planned {
  readonly known: Known;
  /** Why the plan of a mirror is not compared. */
  readonly notes: readonly string[];
}

/** Members of the input of a source that hold Ids, by what they are Ids of. */
const idMembers = { workflow: ['workflowId', 'workflowIds'], datastore: ['entityTypeId'] } as const;

type PlannedKind = keyof typeof idMembers;

const idsIn = (sources: readonly Source[], kind: PlannedKind): readonly string[] =>
  sources.flatMap(({ input }) =>
    idMembers[kind].flatMap((member) => [input[member] ?? []].flat()).filter((id) => typeof id === 'string'),
  );

/** The names of a kind, and each Id that has none under itself. */
function named(names: Readonly<Record<string, string>>, ids: readonly string[]): Readonly<Record<string, string>> {
  const known = new Set(Object.values(names).map((id) => id.toLowerCase()));
  const others = ids.map((id) => id.toLowerCase()).filter((id) => !known.has(id));
  return { ...names, ...Object.fromEntries(others.map((id) => [id, id])) };
}

async function sourcesOf(context: Context, profile: string): Promise<readonly Source[]> {
  const service = serviceOfMirror(profileOf(context, { profile }));
  const place = postgresPlaceOf(context, { profile });
  if (place !== undefined) {
    const { sourcesIn: sourcesInSchema } = await import('../../mirror/postgres/source.js');
    const found = await openSchema(context, place, service);
    const sources = found && (await sourcesInSchema(found.postgres, found.names));
    await found?.postgres.close();
    return sources ?? [];
  }
  const database = readMirrorFile({
    file: mirrorFile(context, profile),
    service,
    forget: shellCommand(['mirror', 'forget', '--profile', profile]),
  });
  try {
    return database === undefined ? [] : sourcesIn(database);
  } finally {
    database?.close();
  }
}

/** Kinds of failures of a mirror for which a comparison of what is known without it is still worth having. */
const passedOver: ReadonlySet<string> = new Set(['local', 'profile', 'no-answer']);

/**
 * The names of a profile with the workflows and datastores that are sources of its mirror, each by its Id where it has no name. A
 * mirror that cannot be read is a note. Throws what is no such failure.
 */
export async function withPlanned(context: Context, known: Known): Promise<Planned> {
  try {
    const sources = await sourcesOf(context, known.profile);
    const { workflow, datastore } = known.names;
    const names = {
      ...known.names,
      workflow: named(workflow, idsIn(sources, 'workflow')),
      datastore: named(datastore, idsIn(sources, 'datastore')),
    };
    return { known: { ...known, names }, notes: [] };
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (!passedOver.has(kind)) throw thrown;
    return { known, notes: [`what is a source of the mirror of '${known.profile}' is not compared: ${message}`] };
  }
}
