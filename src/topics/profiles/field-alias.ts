import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { nearest } from '../../lexical/nearest.js';
import { aliasesOf, checkAlias } from '../../profiles/kept/aliases.js';
import { chosenProfile } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import { fieldNamed, shown } from '../../fields/catalogue.js';
import { fieldsSeenBy } from '../../fields/cache.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { profileStore, refuseBuiltIn } from '../../cli/session/profile-store.js';
import { printRecords } from '../../cli/output/open-output.js';
import { perhaps, usage } from '../../errors/usage.js';

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

/** What `field alias list` prints. */
export const AliasLine = recordWithoutPresence('FieldAlias', 'A name that a profile gives to a field.', {
  Alias: inRole('key', req(string, 'The name.')),
  Id: inRole('key', req(string, 'Id of the field.')),
});

function profileName(context: Context, { profile }: ProfileFlag): string {
  const name = chosenProfile({ store: profileStore(context), profile, variables: context.environment.variables });
  refuseBuiltIn(name);
  return name;
}

/** Prints the aliases of a profile. Throws `profile` and `usage`. */
export async function listAliases(context: Context, flags: ProfileFlag & OutputFlags): Promise<void> {
  const aliases = aliasesOf(profileStore(context).get(profileName(context, flags)));
  await printRecords(context, { flags, record: AliasLine, shape: 'list' }, () =>
    Object.entries(aliases).map(([Alias, Id]) => ({ Alias, Id })),
  );
}

/** Gives a field a name. Throws `usage` for the name of another field that is in the cache, `profile` and `local`. */
export async function setAlias(
  context: Context,
  flags: ProfileFlag,
  given: { alias: string; id: string },
): Promise<void> {
  const { alias: name } = given;
  checkAlias(name);
  const id = given.id;
  const profile = profileName(context, flags);
  const shadowed = fieldNamed(fieldsSeenBy(context, profile), { name, id });
  if (shadowed !== undefined) {
    throw usage('ALIAS', `'${name}' is the name of another field, ${shown(shadowed)}, which it would hide`, {
      advice: 'Take a name that no field has.',
    });
  }
  await profileStore(context).alias(profile, name, id);
}

/** Removes a name. Throws `usage` for one that is not there, `profile` and `local`. */
export async function removeAlias(context: Context, flags: ProfileFlag, alias: string): Promise<void> {
  const store = profileStore(context);
  const name = profileName(context, flags);
  const known = Object.keys(aliasesOf(store.get(name)));
  if (!known.includes(alias)) {
    const near = nearest(alias, known);
    throw usage('ALIAS', `there is no alias '${alias}' in profile '${name}'`, {
      hint: 'relctl field alias list',
      ...perhaps(alias, near),
    });
  }
  await store.alias(name, alias, null);
}
