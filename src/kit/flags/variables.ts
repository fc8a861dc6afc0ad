import type { Interfaces } from '@oclif/core';
import { settingEntries } from '../../profiles/settings/settings.js';
import type { OptionFacts } from './define.js';
import { yesNoOf } from './readers.js';

type FlagsText = Interfaces.FlagInput;
type FlagValues = Readonly<Record<string, unknown>>;

/** Variables that flags name and that are read where the profile and the streams are. */
const readElsewhere: ReadonlySet<string> = new Set([
  'RELCTL_PROFILE',
  ...settingEntries.map(([, { environment }]) => environment),
]);

/** The flags for a parser that is to look at the command line alone: oclif takes any text of a variable for yes or no. */
export function withoutVariables<F extends FlagsText>(flags: F): F {
  const entries = Object.entries(flags).map(([name, flag]) => [name, { ...flag, env: undefined }] as const);
  // The same flags by the same names.
  return Object.fromEntries(entries) as unknown as F;
}

/** What oclif's parser gives of the flags of a command line. */
interface ParsedFlags {
  readonly flags: FlagValues;
  readonly metadata: { readonly flags: Readonly<Record<string, { readonly setFromDefault?: boolean } | undefined>> };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a variable for its flag; undefined where it has none. Throws `usage`. */
function valueOf(flag: FlagsText[string], variables: Variables): unknown {
  const { env } = flag;
  const text = env === undefined || readElsewhere.has(env) ? undefined : variables[env];
  if (env === undefined || text === undefined) return undefined;
  // Options are made by `option`, which gives them their reader.
  const { reader } = flag as OptionFacts;
  return flag.type === 'boolean' ? yesNoOf(text, env) : reader?.(text, env);
}

/**
 * The values of flags, with those of their variables where the command line says nothing. Throws `usage` that names the
 * variable for a value that is none.
 * @param variables those of the environment that are not empty
 */
export function withVariables(declared: FlagsText, { flags, metadata }: ParsedFlags, variables: Variables): FlagValues {
  const values: Record<string, unknown> = { ...flags };
  for (const [name, flag] of Object.entries(declared)) {
    const isGiven = flags[name] !== undefined && metadata.flags[name]?.setFromDefault !== true;
    const value = isGiven ? undefined : valueOf(flag, variables);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
