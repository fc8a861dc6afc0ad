import { Flags } from '@oclif/core';

const helpGroup = 'CONNECTION';

/** Flags of every command that calls a service. Values are checked by profiles/profile.ts, the owner of their rules. */
export const connectionFlags = {
  profile: Flags.string({
    char: 'p',
    summary: 'Profile to use (RELCTL_PROFILE).',
    description: '`sandbox` is built in: it starts the embedded service for the length of the command.',
    helpValue: 'NAME',
    helpGroup,
  }),
  soap: Flags.string({ summary: 'SOAP version: 1.1 or 1.2.', helpValue: 'VERSION', helpGroup }),
  timeout: Flags.string({ summary: 'Longest time for one call.', helpValue: 'SECONDS', helpGroup }),
  retries: Flags.string({
    summary: 'How often a read is repeated after a failure that passes.',
    helpValue: 'N',
    helpGroup,
  }),
  'ca-file': Flags.string({ summary: 'PEM file of the authorities to trust as well.', helpValue: 'FILE', helpGroup }),
  'client-cert': Flags.string({ summary: 'PEM file of the client certificate.', helpValue: 'FILE', helpGroup }),
  'client-key': Flags.string({ summary: 'PEM file of its private key.', helpValue: 'FILE', helpGroup }),
  insecure: Flags.boolean({ hidden: true, summary: 'Do not check the certificate of the service.', helpGroup }),
  'dry-run': Flags.boolean({
    char: 'n',
    summary: 'Print the exact envelope, secrets masked, and send nothing.',
    helpGroup,
  }),
  trace: Flags.string({
    summary: 'Tell each attempt in a file, or without =FILE on stderr; secrets are masked.',
    helpValue: 'FILE',
    helpGroup,
  }),
};

/** Values of the connection flags as parsed. */
export interface ConnectionFlags {
  readonly profile?: string | undefined;
  readonly soap?: string | undefined;
  readonly timeout?: string | undefined;
  readonly retries?: string | undefined;
  readonly 'ca-file'?: string | undefined;
  readonly 'client-cert'?: string | undefined;
  readonly 'client-key'?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly trace?: string | undefined;
  readonly 'page-size'?: string | undefined;
}
