import { connectToMirror, type PostgresPlace } from '../../cli/mirror/postgres.js';
import type { Context } from '../../host/context.js';
import type { BegunName } from '../../mirror/names/begin.js';
import type { RecordKind } from '../../mirror/names/kinds.js';
import { findMirrorSchema } from '../../mirror/postgres/open.js';
import { namesBegun } from '../../mirror/postgres/reading/begin.js';
import { sourcesIn } from '../../mirror/postgres/source.js';
import type { Service, Source } from '../../mirror/store.js';
import type { Offer } from './answer.js';

/** How long a Tab waits for a server, in milliseconds: from the first packet to the last row. */
const patienceMs = 700;

/** A mirror in PostgreSQL, for completion. */
interface LookedInto {
  names(wanted: {
    readonly kind: RecordKind;
    readonly text: string;
    readonly most: number;
  }): Promise<readonly BegunName[]>;
  sources(): Promise<readonly Source[]>;
}

/** What is looked for in it. */
export type Look = (reader: LookedInto) => Promise<readonly Offer[]>;

/**
 * Looks into the mirror at a place in PostgreSQL; nothing where there is none, or where a program would be run for its
 * password. Throws `profile`, `local`, and `no-answer`, also of a server that takes longer than somebody waits.
 */
export async function lookInSchema(
  context: Context,
  { place, service }: { readonly place: PostgresPlace; readonly service: Partial<Service> | undefined },
  look: Look,
): Promise<readonly Offer[]> {
  if (place.isOfProgram) return [];
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)]);
  const address = { ...place.address, connectSeconds: patienceMs / 1000 };
  const postgres = await connectToMirror(context, { ...place, address }, signal);
  try {
    // What nobody waits for any longer is no work for the server either.
    await postgres.execute(`SET statement_timeout = ${patienceMs}`);
    const names = await findMirrorSchema(postgres, { ...place, service });
    if (names === undefined) return [];
    return await look({
      names: (wanted) => namesBegun(postgres, names, wanted),
      sources: () => sourcesIn(postgres, names),
    });
  } finally {
    await postgres.close();
  }
}
