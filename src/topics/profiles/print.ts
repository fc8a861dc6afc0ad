import { opt, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { endpointOf, lacks, textOf } from '../../cli/session/connection.js';
import { shownAddress } from '../../lexical/address.js';
import { sandboxName } from '../../profiles/store/store.js';
import { isSandbox, profileChoice } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { profileStore } from '../../cli/session/profile-store.js';
import { originText, ProfileLine, profileRecord, settingRecords, ShownProfile, ShownSetting } from './view.js';
import { printRecords } from '../../cli/output/open-output.js';
import { noteOverrides } from '../../cli/session/session.js';
import { profileOf } from '../../cli/session/profile-store.js';

/** Prints a line for each profile, the built-in one last. */
export async function listProfiles(context: Context, flags: OutputFlags): Promise<void> {
  const store = profileStore(context);
  const names = store.names();
  const inUse = profileChoice({ store, profile: undefined, variables: context.environment.variables })?.name;
  const lines = names.map((name) => {
    const { baseUrl, userName, soapVersion, protected: isProtected } = store.get(name);
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      Name: name,
      InUse: name === inUse,
      BaseUrl: typeof baseUrl === 'string' ? shownAddress(baseUrl) : null,
      UserName: text(userName),
      SoapVersion: text(soapVersion),
      Protected: isProtected === true,
    };
  });
  const builtIn = {
    Name: sandboxName,
    InUse: inUse === sandboxName,
    BaseUrl: 'built in',
    UserName: null,
    SoapVersion: null,
    Protected: false,
  };
  await printRecords(context, { flags, record: ProfileLine, shape: 'list' }, () => [...lines, builtIn]);
}

/** Prints a profile with everything that overrides it, secrets masked. Throws `profile`. */
export async function showProfile(
  context: Context,
  name: string | undefined,
  flags: OutputFlags & { readonly origin?: boolean | undefined },
): Promise<void> {
  const profile = profileOf(context, { profile: name });
  return flags.origin === true
    ? printRecords(context, { flags, record: ShownSetting, shape: 'list' }, () => settingRecords(profile))
    : printRecords(context, { flags, record: ShownProfile, shape: 'single' }, () => [profileRecord(profile)]);
}

/** What `whoami` prints. */
export const WhoAmI = recordWithoutPresence('WhoAmI', 'What the next command would use.', {
  Profile: req(string, 'Name of the profile.'),
  ChosenBy: req(string, 'What chose the profile.'),
  Url: opt(string, 'Address of the service.'),
  Namespace: opt(string, 'Namespace of the service.'),
  SoapVersion: req(string, 'SOAP version.'),
  DatabaseId: opt(string, 'Database to work on.'),
  UserId: opt(string, 'User to work as.'),
  UserName: opt(string, 'Name of the user.'),
  ApiKeyFrom: req(string, 'Where the ApiKey comes from.'),
});

/** Prints what the next command would use, without calling anything. Throws `profile` when credentials are missing. */
export async function whoAmI(
  context: Context,
  flags: OutputFlags & { readonly profile?: string | undefined; readonly set?: string[] | undefined },
): Promise<void> {
  const profile = profileOf(context, { profile: flags.profile, set: flags.set });
  await noteOverrides(context, flags, profile);
  const { apiKey } = profile.values;
  if (apiKey === undefined) throw lacks(profile, 'apiKey');
  if (profile.values.baseUrl === undefined && isSandbox(profile) && context.streams.err.isTerminal)
    await note(
      context,
      flags,
      'the service of this profile is built in: each command starts it, unless it runs already',
    );
  await printRecords(context, { flags, record: WhoAmI, shape: 'single' }, () => [
    {
      Profile: profile.name,
      ChosenBy: profile.chosenBy,
      Url: endpointOf(profile) ?? null,
      Namespace: textOf(profile, 'namespace') ?? null,
      SoapVersion: textOf(profile, 'soapVersion') ?? '',
      DatabaseId: textOf(profile, 'databaseId') ?? null,
      UserId: textOf(profile, 'userId') ?? null,
      UserName: textOf(profile, 'userName') ?? null,
      ApiKeyFrom: originText(apiKey.origin),
    },
  ]);
}
