import { readFileSync } from 'node:fs';

/** What the manifest says of a flag. */
export interface ManifestFlag {
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

/** What the manifest says of a command. */
export interface ManifestCommand {
  readonly id: string;
  readonly summary?: string;
  readonly operations?: readonly string[];
  readonly examples?: readonly string[];
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean; readonly description?: string }>>;
  readonly flags: Readonly<Record<string, ManifestFlag>>;
}

/** The commands of the committed manifest, by name. */
export function manifestCommands(root: string): readonly ManifestCommand[] {
  const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as {
    readonly commands: Readonly<Record<string, Omit<ManifestCommand, 'args'> & Partial<ManifestCommand>>>;
  };
  return Object.values(manifest.commands).map((command) => ({ args: {}, ...command }));
}

/** What a flag means, with its variable. */
export const meaningOf = ({ summary = '', env }: ManifestFlag): string =>
  env === undefined || summary.includes(env) ? summary : `${summary.replace(/\.$/, '')} (${env}).`;

/** The name of a command as it is typed. */
export const typed = (command: ManifestCommand): string => command.id.replaceAll(':', ' ');

/** A flag as it is typed: `-o, --output FORMAT`. */
export const typedFlag = ({ name, char, helpValue = '', allowNo }: ManifestFlag): string =>
  `${char === undefined ? '' : `-${char}, `}--${allowNo === true ? '[no-]' : ''}${name} ${helpValue}`.trimEnd();
