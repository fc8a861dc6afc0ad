import { profileStore } from '../../cli/session/profile-store.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { recordWithoutPresence, req } from '../../contract/build.js';
import { guid, string } from '../../contract/scalars.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { nearest } from '../../lexical/nearest.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { allNamesOf, checkedName, namesLike, namesOf, withName, type NameKind } from '../../profiles/kept/names.js';
import { chosenProfile } from '../../profiles/resolve.js';
import { removeAlias, setAlias } from './field-alias.js';

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

/** Kinds of names: those of ids, and the aliases of fields. */
export type KindOrField = NameKind | 'field';

/** What `name list` prints. */
export const NameLine = recordWithoutPresence('Name', 'A name that a profile gives to an id.', {
  Kind: req(string, 'Kind of the record.'),
  Name: req(string, 'The name.'),
  Id: req(guid, 'Id of the record.'),
});

const profileName = (context: Context, { profile }: ProfileFlag): string =>
  chosenProfile({ store: profileStore(context), profile, variables: context.environment.variables });

/** Prints the names of one kind, or of all. Throws `profile`. */
export async function listNames(
  context: Context,
  flags: ProfileFlag & OutputFlags,
  wanted: KindOrField | undefined,
): Promise<void> {
  const all = allNamesOf(profileStore(context).kept(profileName(context, flags)));
  const blank = `No names. ${shellCommand(['name', 'set', wanted ?? 'workflow', 'NAME', 'ID'])} gives one.`;
  await printRecords(context, { flags, record: NameLine, shape: 'list', blank }, () =>
    all
      .filter(([kind]) => wanted === undefined || kind === wanted)
      .flatMap(([Kind, names]) => Object.entries(names).map(([Name, Id]) => ({ Kind, Name, Id }))),
  );
}

/** Gives an id a name. Throws `usage` for a name of another id without --force, `profile` and `local`. */
export async function setName(
  context: Context,
  flags: ProfileFlag & { readonly force: boolean; readonly quiet?: boolean },
  given: { readonly kind: KindOrField; readonly name: string; readonly id: string },
): Promise<void> {
  const { kind, name: text, id } = given;
  if (kind === 'field') return setAlias(context, flags, { alias: text, id });
  const named = { kind, name: checkedName(text), id };
  const how = { replaces: flags.force };
  const profile = profileName(context, flags);
  await profileStore(context).change(profile, (kept) => withName(kept, named, how));
  if (context.streams.err.isTerminal) {
    await note(context, flags, `${kind} '${named.name}' is now ${id}, with profile '${profile}'`);
  }
}

/** Removes a name. Throws `usage` for one that is not there, `profile` and `local`. */
export async function removeName(
  context: Context,
  flags: ProfileFlag,
  { kind, name: text }: { readonly kind: KindOrField; readonly name: string },
): Promise<void> {
  if (kind === 'field') return removeAlias(context, flags, text);
  const store = profileStore(context);
  const profile = profileName(context, flags);
  const known = Object.keys(namesOf(store.kept(profile))[kind]);
  const [name] = namesLike(text, known);
  if (name === undefined) {
    const near = nearest(text, known);
    throw usage(
      'NAME',
      `there is no ${kind} '${text}' in profile '${profile}'`,
      near === undefined ? `relctl name list ${kind}` : shellCommand(['name', 'remove', kind, near]),
    );
  }
  await store.change(profile, (kept) => withName(kept, { kind, name, id: null }, { replaces: true }));
}
