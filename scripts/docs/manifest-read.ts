import { readFileSync } from 'node:fs';

/** What the manifest says of a command. */
export interface ManifestCommand {
  readonly id: string;
  readonly summary?: string;
  readonly operations?: readonly string[];
  readonly examples?: readonly string[];
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean; readonly description?: string }>>;
  readonly flags: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly char?: string;
        readonly summary?: string;
        readonly description?: string;
        readonly env?: string;
        readonly helpGroup?: string;
        readonly helpValue?: string;
        readonly hidden?: boolean;
        readonly type: string;
        readonly allowNo?: boolean;
      }
    >
  >;
}

/** The commands of the committed manifest, by name. */
export function manifestCommands(root: string): readonly ManifestCommand[] {
  const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as {
    readonly commands: Readonly<Record<string, ManifestCommand>>;
  };
  return Object.values(manifest.commands);
}

/** What a flag means, with its variable. */
export const meaningOf = ({ summary = '', env }: ManifestCommand['flags'][string]): string =>
  env === undefined || summary.includes(env) ? summary : `${summary.replace(/\.$/, '')} (${env}).`;

/** The name of a command as it is typed. */
export const typed = (command: ManifestCommand): string => command.id.replaceAll(':', ' ');
