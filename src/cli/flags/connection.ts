import { neutralGroup, switchFlag, type Values, repeated } from './define.js';
import { folderOption, outputFileOption, profileOption, settingOption } from './kinds.js';
import { setOption, setWords } from './values/set.js';

/** Flags of every command that calls a service. The profile's settings are the owners of their rules. */
export const connectionFlags = neutralGroup('CONNECTION', {
  profile: profileOption({
    char: 'p',
    summary: 'Profile to use.',
    env: 'RELCTL_PROFILE',
    description: '`sandbox` is built in: it starts the embedded service for the length of the command.',
    helpValue: 'NAME',
  }),
  timeout: settingOption('timeout')({
    summary: 'Longest time for one call: 30s, 5m.',
    helpValue: 'DURATION',
  }),
  set: setOption({
    ...repeated,
    summary: 'Change a setting of the profile for this run: soapVersion=1.1, retries=0; may be repeated.',
  }),
  envelope: switchFlag({ summary: 'Print the SOAP request, secrets masked, and write nothing.' }),
  trace: outputFileOption({
    summary: 'Tell each attempt in a file, or without =FILE on stderr; secrets are masked.',
    env: 'RELCTL_TRACE',
  }),
  record: folderOption({ summary: 'Record each call in this folder; secrets are masked, personal data is not.' }),
});

/** Values of those flags. */
export type ConnectionFlags = Values<typeof connectionFlags>;

/** The flags of a command that goes on with the same service in the same way. */
export const connectionWords = (flags: Partial<ConnectionFlags>): readonly string[] => [
  ...(flags.profile === undefined ? [] : [`--profile=${flags.profile}`]),
  ...(flags.timeout === undefined ? [] : [`--timeout=${flags.timeout}`]),
  ...setWords(flags.set),
];
