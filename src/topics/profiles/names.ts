import { chosenName, profileStore } from '../../kit/session/profile-store.js';
import type { ConnectionFlags, OutputFlags } from '../../kit/flags/common.js';
import { guidOf, choiceOf } from '../../kit/flags/readers.js';
import { printRecords } from '../../kit/output/open-output.js';
import { recordWithoutPresence, req } from '../../contract/build.js';
import { guid, string } from '../../contract/scalars.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import { nearest, shellCommand } from '../../core/text/text.js';
import { checkedName, nameKinds, namesLike, namesOf, withName, type NameKind } from '../../profiles/names.js';
import type { StoredProfile } from '../../profiles/store/store.js';
import { argument } from '../../kit/flags/define.js';

const kind = argument((text, name) => choiceOf(text, name, nameKinds), { offers: nameKinds });

const description = `Kind of the name: ${nameKinds.join(', ')}.`;

/** The argument that says of which kind a name is. */
export const kindArg = kind({ required: true, description });

/** The same where it may be left out. */
export const optionalKindArg = kind({ required: false, description });

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

/** What `name list` prints. */
export const NameLine = recordWithoutPresence('Name', 'A name of an id in a profile.', {
  Kind: req(string, 'Kind of the record.'),
  Name: req(string, 'The name; of a field-datastore the Id of the field.'),
  Id: req(guid, 'Id of the record; of a field-datastore that of the datastore.'),
});

/** Prints the names of one kind, or of all. Throws `profile`. */
export async function listNames(
  context: Context,
  flags: ProfileFlag & OutputFlags,
  nameKind: NameKind | undefined,
): Promise<void> {
  const names = namesOf(profileStore(context).kept(chosenName(context, flags.profile)));
  const blank = `No names. ${shellCommand(['name', 'set', nameKind ?? 'workflow', 'NAME', 'ID'])} adds one.`;
  await printRecords(context, { flags, record: NameLine, shape: 'list', blank }, () =>
    nameKinds
      .filter((kind) => nameKind === undefined || kind === nameKind)
      .flatMap((Kind) => Object.entries(names[Kind]).map(([Name, Id]) => ({ Kind, Name, Id }))),
  );
}

function idFor(
  storedProfile: StoredProfile,
  kind: NameKind,
  { text, path }: { readonly text: string; readonly path: string },
) {
  const names = namesOf(storedProfile)[kind];
  const [name] = namesLike(text, Object.keys(names));
  return name === undefined ? guidOf(text, path) : (names[name] ?? '');
}

/** The name as it is stored: of a field-datastore the Id of the field, which may be given by its name. Throws `usage`. */
const keyFor = (profile: StoredProfile, kind: NameKind, text: string): string =>
  kind === 'field-datastore' ? idFor(profile, 'field', { text, path: 'NAME' }).toLowerCase() : checkedName(kind, text);

/** Gives an id a name. Throws `usage` for a name of another id without --force, `profile` and `local`. */
export async function setName(
  context: Context,
  flags: ProfileFlag & { readonly force: boolean; readonly quiet?: boolean },
  request: { readonly kind: NameKind; readonly name: string; readonly id: string },
): Promise<void> {
  const { kind } = request;
  const profile = chosenName(context, flags.profile);
  const store = profileStore(context);
  const stored = store.kept(profile);
  const name = keyFor(stored, kind, request.name);
  const id =
    kind === 'field-datastore'
      ? idFor(stored, 'datastore', { text: request.id, path: 'ID' })
      : guidOf(request.id, 'ID');
  await store.change(profile, (before) => withName(before, { kind, name, id }, { replaces: flags.force }));
  await noteInTerminal(context, flags, `${kind} '${name}' is now ${id}, in profile '${profile}'`);
}

/** Removes a name. Throws `usage` for one that is not there, `profile` and `local`. */
export async function removeName(
  context: Context,
  flags: ProfileFlag,
  { kind, name: text }: { readonly kind: NameKind; readonly name: string },
): Promise<void> {
  const store = profileStore(context);
  const profile = chosenName(context, flags.profile);
  const stored = store.kept(profile);
  const known = Object.keys(namesOf(stored)[kind]);
  const [name] = namesLike(kind === 'field-datastore' ? keyFor(stored, kind, text) : text, known);
  if (name === undefined) {
    const near = nearest(text, known);
    throw usage(
      'NAME',
      `there is no ${kind} '${text}' in profile '${profile}'`,
      near === undefined ? `relctl name list ${kind}` : shellCommand(['name', 'remove', kind, near]),
    );
  }
  await store.change(profile, (before) => withName(before, { kind, name, id: null }, { replaces: true }));
}
