import { neutral, switchFlag, type Values } from './define.js';
import { folderOption, outputFileOption, profileOption, settingOption } from './kinds.js';

const helpGroup = 'CONNECTION';

/** Flags of every command that calls a service. The profile's settings are the owners of their rules. */
export const connectionFlags = neutral({
  profile: profileOption({
    char: 'p',
    summary: 'Profile to use.',
    env: 'RELCTL_PROFILE',
    description: '`sandbox` is built in: it starts the embedded service for the length of the command.',
    helpValue: 'NAME',
    helpGroup,
  }),
  soap: settingOption('soapVersion')({ summary: 'SOAP version: 1.1 or 1.2.', helpValue: '1.1|1.2', helpGroup }),
  timeout: settingOption('timeout')({
    summary: 'Longest time for one call: 30s, 5m.',
    helpValue: 'DURATION',
    helpGroup,
  }),
  retries: settingOption('retries')({
    summary: 'How often a read is repeated after a failure that passes.',
    helpValue: 'N',
    helpGroup,
  }),
  'ca-file': settingOption('caFile')({ summary: 'PEM file of the authorities to trust as well.', helpGroup }),
  'client-cert': settingOption('clientCertFile')({ summary: 'PEM file of the client certificate.', helpGroup }),
  'client-key': settingOption('clientKeyFile')({ summary: 'PEM file of its private key.', helpGroup }),
  insecure: switchFlag({ hidden: true, summary: 'Do not check the certificate of the service.', helpGroup }),
  'dry-run': switchFlag({
    char: 'n',
    summary: 'Print the exact envelope, secrets masked, and send nothing.',
    helpGroup,
  }),
  trace: outputFileOption({
    summary: 'Tell each attempt in a file, or without =FILE on stderr; secrets are masked.',
    env: 'RELCTL_TRACE',
    helpGroup,
  }),
  record: folderOption({
    summary: 'Record each call in this folder; secrets are masked, personal data is not.',
    helpGroup,
  }),
});

/** Values of those flags. */
export type ConnectionFlags = Values<typeof connectionFlags>;
