import type { Command, Config } from '@oclif/core';
import { CommandHelp, Help } from '@oclif/core/help';

/** Groups of flags that many commands share; those of the command itself stand before them. */
const sharedGroups: readonly string[] = ['PAGING', 'EXPORT', 'OUTPUT', 'CSV', 'CONNECTION', 'GLOBAL'];

const isShown = ({ hidden }: { readonly hidden?: boolean }): boolean => hidden !== true;

function requiredFlag({ name, ...flag }: Command.Flag.Any): string {
  return flag.type === 'option' ? `--${name} ${String(flag.helpValue ?? name.toUpperCase())}` : `--${name}`;
}

/** Help of one command, examples first: they are what people read. */
class ExamplesFirst extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const order = ['EXAMPLES', 'USAGE', 'ARGUMENTS', 'DESCRIPTION'];
    const rank = (header: string): number => {
      const place = order.indexOf(header);
      return place === -1 ? order.length : place;
    };
    return super
      .sections()
      .filter(({ header }) => header !== 'FLAG DESCRIPTIONS')
      .sort((left, right) => rank(left.header) - rank(right.header));
  }

  /** What must be given; the flags that may be stand below, one a line. */
  protected override defaultUsage(): string {
    const { id, args, flags } = this.command;
    const words = Object.values(args)
      .filter(isShown)
      .map(({ name, required }) => (required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`));
    const required = Object.values(flags).filter((flag) => isShown(flag) && flag.required === true);
    return [id, ...words, ...required.map(requiredFlag), '[FLAGS]'].join(' ');
  }

  /** Without the summary, which is the first line of the help. */
  protected override description(): string | undefined {
    const { description } = this.command;
    return description === undefined ? undefined : this.wrap(description);
  }

  protected override groupFlags(
    flags: Parameters<CommandHelp['groupFlags']>[0],
  ): ReturnType<CommandHelp['groupFlags']> {
    const { mainFlags, flagGroups } = super.groupFlags(flags);
    const sorted = Object.entries(flagGroups).sort(
      ([left], [right]) => sharedGroups.indexOf(left) - sharedGroups.indexOf(right),
    );
    return { mainFlags, flagGroups: Object.fromEntries(sorted) };
  }
}

/** Collects help as text, so that the one owner of stdout can print it. */
class HelpText extends Help {
  protected override CommandHelpClass = ExamplesFirst;
  readonly lines: string[] = [];

  protected override log(...parts: string[]): void {
    this.lines.push(parts.join(' '));
  }

  async ofRoot(): Promise<string> {
    await this.showRootHelp();
    this.lines.push(
      'EXIT CODES\n  0 done, 2 usage, 3 credentials, 4 refused, 5 not found, 6 no answer; all in docs/exit-codes.md',
      '',
    );
    return this.lines.join('\n');
  }
}

/**
 * Help of the program (no id), of a topic or of a command.
 * @param id command or topic with `:` between its words
 */
export async function helpText(config: Config, id?: string): Promise<string> {
  const help = new HelpText(config, { maxWidth: 100 });
  if (id === undefined) return help.ofRoot();
  await help.showHelp(id.split(':'));
  return help.lines.join('\n');
}
