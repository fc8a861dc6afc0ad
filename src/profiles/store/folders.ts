import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where relctl keeps its files. */
export interface Folders {
  /** Profiles. */
  readonly config: string;
  /** The embedded service's database and what runs. */
  readonly state: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The home folder of the user. */
export function homeOf(variables: Variables): string {
  return variables['HOME'] ?? variables['USERPROFILE'] ?? homedir();
}

/** The folders by RELCTL_CONFIG_DIR and RELCTL_STATE_DIR, XDG_CONFIG_HOME and XDG_STATE_HOME, or the platform's own custom. */
export function foldersOf({
  platform,
  variables,
}: {
  readonly platform: NodeJS.Platform;
  readonly variables: Variables;
}): Folders {
  const xdg = (name: string): string | undefined => {
    const base = variables[name];
    // As the specification says; a relative one would make profiles depend on the working folder.
    return base === undefined || !isAbsolute(base) ? undefined : join(base, 'relctl');
  };
  const below = (...parts: readonly string[]): string => join(homeOf(variables), ...parts);
  const support = below('Library', 'Application Support', 'relctl');
  const usual: Folders =
    platform === 'darwin'
      ? { config: support, state: join(support, 'state') }
      : platform === 'win32'
        ? {
            config: join(variables['APPDATA'] ?? below('AppData', 'Roaming'), 'relctl'),
            state: join(variables['LOCALAPPDATA'] ?? below('AppData', 'Local'), 'relctl'),
          }
        : { config: below('.config', 'relctl'), state: below('.local', 'state', 'relctl') };
  return {
    config: variables['RELCTL_CONFIG_DIR'] ?? xdg('XDG_CONFIG_HOME') ?? usual.config,
    state: variables['RELCTL_STATE_DIR'] ?? xdg('XDG_STATE_HOME') ?? usual.state,
  };
}

/** The file in which the description of a profile is kept. @param folder that of the profiles */
export const fileOfDescription = (folder: string, profile: string): string =>
  join(folder, 'wsdl', `${encodeURIComponent(profile)}.json`);
