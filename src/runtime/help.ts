import { CommandHelp, Help, type Config } from '@oclif/core';

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
