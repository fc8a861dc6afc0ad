/** What the manifest says of a flag. */
export interface DescribedFlag {
  readonly name: string;
  readonly type: 'boolean' | 'option';
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly helpGroup?: string | undefined;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly multiple?: boolean | undefined;
  readonly required?: boolean | undefined;
}

/** What it says of an argument. */
export interface DescribedArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly multiple?: boolean | undefined;
}

/** What it says of a command. */
export interface DescribedCommand {
  readonly id: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly args: Readonly<Record<string, DescribedArgument>>;
  readonly flags: Readonly<Record<string, DescribedFlag>>;
  readonly operations?: readonly string[] | undefined;
}
