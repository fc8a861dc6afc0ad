import { settingEntries } from '../../src/profiles/settings/settings.js';
import { manifestCommands } from './manifest-read.js';
import { code, table } from './markdown.js';

type Row = readonly [variable: string, meaning: string];

/** Variables that no flag and no setting has. Where two names stand in one line, the first comes before the other. */
const others: readonly Row[] = [
  ['CI', 'Any value: nothing is ever asked, as with `--no-input`.'],
  [
    'COLUMNS',
    'Columns that tables, cards and help are fitted to, also where the output is no terminal: 1 to 99999; anything else is ignored.',
  ],
  ['NO_COLOR', 'Any value: no colour, whatever the other variables of colour say.'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'Colour also without a terminal; `0`: none. The first comes before the second.'],
  ['CLICOLOR, TERM', '`CLICOLOR=0` or `TERM=dumb`: no colour, where neither of those two is set.'],
  ['https_proxy, HTTPS_PROXY', 'Proxy for https addresses, where the profile names none.'],
  ['http_proxy', 'Proxy for http addresses. `HTTP_PROXY` is not read: a request to a web server can set it.'],
  ['all_proxy, ALL_PROXY', 'Proxy where no other is named.'],
  ['no_proxy, NO_PROXY', 'Hosts to reach without a proxy, where the profile names none.'],
  ['PGUSER', 'User of a PostgreSQL database to publish to, where its address names none; the user of the system when it is not set.'],
  ['PGPASSWORD', 'Password of a PostgreSQL database to publish to.'],
  ['PGPASSFILE', 'File of such passwords; `~/.pgpass` when it is not set.'],
  ['TZ', "The machine's time zone, for times that name none and a profile without one."],
  ['RELCTL_CONFIG_DIR', 'Folder of the profiles.'],
  [
    'RELCTL_STATE_DIR',
    'Folder of bookmarks, of the names of fields, of the data of the sandbox, and of the list of files that relctl wrote.',
  ],
  ['RELCTL_CACHE_DIR', 'Folder of prepared code, which can be deleted at any time.'],
  ['XDG_CONFIG_HOME', 'The profiles are in its folder `relctl`, without `RELCTL_CONFIG_DIR`.'],
  ['XDG_STATE_HOME', 'The same for `RELCTL_STATE_DIR`.'],
  ['XDG_CACHE_HOME', 'The same for `RELCTL_CACHE_DIR`.'],
  ['HOME, USERPROFILE', 'Below it are these folders without the variables above, as is usual on the platform.'],
  ['APPDATA, LOCALAPPDATA', 'The same on Windows.'],
  ['SHELL', 'The shell that `relctl autocomplete --install` installs for, where none is named.'],
  ['XDG_DATA_HOME, BASH_COMPLETION_USER_DIR', 'Where bash looks for completion: the script is installed there.'],
  ['ZDOTDIR, FPATH', 'Where zsh looks for its start-up files and for completion.'],
  ['PATH', 'Where programs are looked for, such as `secret-tool` and those of `cmd:` references.'],
  [
    'USER, LANG',
    'Handed on, as `PATH` and `HOME` are, to programs that look up or keep a secret: those of `cmd:` references and of the keyring. They get no variable that is not named here.',
  ],
  ['XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS', 'Handed on to the same programs: the session with the keyring.'],
  ['SSH_AUTH_SOCK', 'Handed on to the same programs: the agent of SSH.'],
  ['GNUPGHOME, GPG_TTY', 'Handed on to the same programs: the keys of GnuPG, and the terminal in which it asks.'],
  ['TMPDIR, TEMP', 'Folder of temporary files.'],
  ['RELCTL_DEBUG', 'yes or no. Shows the stack of an error, by the places in the sources. For reports of defects.'],
  [
    'RELCTL_FORCE_TTY',
    'The output is taken for a terminal, of so many columns if the value is a number from 1 to 99999. For tests and screenshots.',
  ],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of authorities that Node trusts as well; `RELCTL_CA_FILE` does the same for relctl alone.'],
  ['NODE_DISABLE_COMPILE_CACHE', 'Any value: no prepared code is kept.'],
];

/** What variables mean whose values differ from those of their flags. */
const ownWords: Readonly<Record<string, string>> = {
  RELCTL_TRACE: 'File to which each attempt of a call is added, with secrets masked; `-` is stderr.',
};

/** Each variable of a flag that no setting has, with what the flag means. */
function flagRows(root: string): readonly Row[] {
  const ofSettings = new Set(settingEntries.map(([, { environment }]) => environment));
  const flags = manifestCommands(root).flatMap((command) => Object.values(command.flags));
  const own = flags.filter(({ env }) => env !== undefined && !ofSettings.has(env));
  const rows = own.map(({ env = '', name, summary = '', type }): Row => {
    const value = ownWords[env] ?? (type === 'boolean' ? `yes or no. ${summary}` : summary);
    return [env, `${value} Flag ${code(`--${name}`)}.`];
  });
  return [...new Map(rows.toReversed()).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Every variable of the environment that the program reads, but for those of settings, which are with the settings. */
export function environmentText(root: string): string {
  const rows = [...flagRows(root), ...others];
  return table(
    ['variable', 'meaning'],
    rows.map(([variable, meaning]) => [variable.split(', ').map(code).join(', '), meaning]),
  );
}
