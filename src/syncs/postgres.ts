import type { Context } from '../host/context.js';
import { shellWord } from '../lexical/shell.js';
import { readSchema, usualSchema } from '../mirror/postgres/open.js';
import { isPostgresAddress, readPostgresAddress, type PostgresAddress } from '../postgres/address.js';
import type { Postgres } from '../postgres/connect.js';
import { findPassword } from '../postgres/password.js';
import { profileOfMirror, type PlaceFlags } from './place.js';

/** The schema of a PostgreSQL database that a command works on. */
export interface PostgresPlace {
  readonly address: PostgresAddress;
  readonly schema: string;
  /** The schema and its database, for people. */
  readonly shown: string;
  /** The command that removes it, for errors. */
  readonly forget: string;
}

/**
 * The place of a mirror in PostgreSQL; undefined when --to names a file or is not given. Throws `usage` for an address that
 * is none, and `profile` when no profile is chosen.
 */
export function postgresPlaceOf(context: Context, flags: PlaceFlags): PostgresPlace | undefined {
  const { to, schema: given } = flags;
  if (to === undefined || !isPostgresAddress(to)) return undefined;
  const { variables } = context.environment;
  const address = readPostgresAddress(to, { path: '--to', variables });
  const schema = given === undefined ? usualSchema : readSchema(given, '--schema');
  const words = ['relctl mirror forget --profile', shellWord(profileOfMirror(context, flags)), '--to', shellWord(to)];
  const forget = [...words, ...(given === undefined ? [] : ['--schema', shellWord(given)])].join(' ');
  return { address, schema, shown: `${address.shown}, schema ${schema}`, forget };
}

/** Connects to the database of a mirror until the command ends. Throws `no-answer`, `profile` and `usage`. */
export async function connectToMirror(context: Context, { address }: PostgresPlace): Promise<Postgres> {
  const { connectPostgres } = await import('../postgres/connect.js');
  const { environment, signal } = context;
  const postgres = await connectPostgres(address, {
    password: () => findPassword(address, environment.variables),
    signal,
  });
  context.onClose(() => postgres.close());
  return postgres;
}
