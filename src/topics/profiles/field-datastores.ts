import { profileStore } from '../../cli/session/profile-store.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { recordWithoutPresence, req } from '../../contract/build.js';
import { guid } from '../../contract/scalars.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { datastoreOf, fieldDatastoresOf, withFieldDatastore } from '../../profiles/kept/field-datastores.js';
import { chosenProfile } from '../../profiles/resolve.js';

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

/** What `field datastore list` prints. */
export const FieldDatastore = recordWithoutPresence('FieldDatastore', 'The datastore that a field chooses from.', {
  FieldId: req(guid, 'Id of the field.'),
  DatastoreId: req(guid, 'Id of the datastore.'),
});

const profileName = (context: Context, { profile }: ProfileFlag): string =>
  chosenProfile({ store: profileStore(context), profile, variables: context.environment.variables });

/** Prints the datastores of fields. Throws `profile`. */
export async function listFieldDatastores(context: Context, flags: ProfileFlag & OutputFlags): Promise<void> {
  const known = fieldDatastoresOf(profileStore(context).kept(profileName(context, flags)));
  await printRecords(context, { flags, record: FieldDatastore, shape: 'list' }, () =>
    Object.entries(known).map(([FieldId, DatastoreId]) => ({ FieldId, DatastoreId })),
  );
}

/** Keeps the datastore of a field. Throws `usage` for a field of another datastore without --force, `profile` and `local`. */
export async function setFieldDatastore(
  context: Context,
  flags: ProfileFlag & { readonly force: boolean },
  { field, datastore }: { readonly field: string; readonly datastore: string },
): Promise<void> {
  await profileStore(context).change(profileName(context, flags), (kept) => {
    const before = datastoreOf(fieldDatastoresOf(kept), field);
    if (before !== undefined && before !== datastore && !flags.force) {
      const again = `relctl field datastore set ${field} ${datastore} --force`;
      throw usage('--force', `the datastore of field ${field} is ${before} already`, again);
    }
    return withFieldDatastore(kept, field, datastore);
  });
}

/** Forgets the datastore of a field. Throws `usage` where none is known, `profile` and `local`. */
export async function removeFieldDatastore(context: Context, flags: ProfileFlag, field: string): Promise<void> {
  const profile = profileName(context, flags);
  await profileStore(context).change(profile, (kept) => {
    if (datastoreOf(fieldDatastoresOf(kept), field) !== undefined) return withFieldDatastore(kept, field, null);
    throw usage('FIELD', `profile '${profile}' knows no datastore of field ${field}`, 'relctl field datastore list');
  });
}
