import type { CommonFlags } from '../../../cli/flags/output.js';
import type { Values } from '../../../cli/flags/define.js';
import { usage } from '../../../errors/usage.js';
import type { Context } from '../../../host/context.js';
import { readMoment } from '../../../lexical/time/moment.js';
import { zoneName } from '../../../cli/session/times.js';
import type { Session } from '../../../cli/session/session.js';
import { addSources, type addFlags, type Addition } from './sources.js';

type Flags = Values<typeof addFlags> & CommonFlags & { readonly since?: string | undefined };

/** The start of what is asked for, as it is sent. */
function sinceOf(context: Context, { profile }: Session, since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const nowMs = context.clock.date().getTime();
  return readMoment(since, { nowMs, zone: zoneName(profile), side: 'earlier' })?.text;
}

/** Adds a source that is asked for relation by relation. Throws as `addSources` does. */
export function addEachRelation(context: Context, flags: Flags, addition: Addition): Promise<void> {
  return addSources(context, flags, (session) => {
    const from = sinceOf(context, session, flags.since);
    if (from === undefined) return [addition];
    return [{ ...addition, more: [`since ${from}`], input: { ...addition.input, from } }];
  });
}

/** Flags that a search has, and a source that is asked for relation by relation has not. */
const ofSearch = ['entity-type', 'date-field', 'from', 'to', 'field'] as const;

/**
 * The kind of activity that is searched; undefined with --by-relation. Throws `usage` for flags that do not go together.
 */
export function searchedType(
  flags: Partial<Readonly<Record<(typeof ofSearch)[number] | 'since', unknown>>> & { readonly 'by-relation': boolean },
): string | undefined {
  const { 'by-relation': isByRelation, 'entity-type': type, since } = flags;
  const found = ofSearch.find((name) => flags[name] !== undefined);
  if (isByRelation) {
    if (found === undefined) return undefined;
    throw usage(`--${found}`, `--${found} is of a search, and excludes --by-relation`);
  }
  if (since !== undefined) throw usage('--since', '--since goes with --by-relation');
  if (typeof type === 'string') return type;
  throw usage('--entity-type', 'which kind of activity? Give --entity-type, or --by-relation');
}
