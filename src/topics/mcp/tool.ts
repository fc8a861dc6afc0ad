import type { Access } from '../../contract/build.js';
import { usage } from '../../errors/usage.js';
import type { ObjectSchema } from './schema.js';

/** What a client gives for the parameters of a tool. */
export type Given = Readonly<Record<string, unknown>>;

/** A command line that a tool stands for: the words of the command, flags and arguments, and its stdin. */
export interface ToolLine {
  readonly words: readonly string[];
  readonly flags: readonly string[];
  readonly args: readonly string[];
  readonly input: string;
}

/** A tool that agents are offered. */
export interface AgentTool {
  readonly name: string;
  /** The command, or the operation, as it is typed. */
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  /** The mirror, or what a profile keeps, answers: no service is called. */
  readonly isLocal: boolean;
  readonly parameters: ObjectSchema;
  /** The profiles that it may be used with; undefined for all that are allowed. */
  readonly profiles?: readonly string[];
  /** It names its profiles by parameters of its own. */
  readonly namesProfiles?: boolean;
  /** Throws `usage` for what does not fit its parameters. */
  readonly lineOf: (given: Given) => ToolLine;
}

/** Lists and objects within each other that a value may have. */
const mostDepth = 64;

/** Throws `usage` for what is given in more lists and objects within each other than any parameter has. */
export function checkDepth(given: Given): void {
  let level: readonly unknown[] = [given];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostDepth) throw usage(undefined, `parameters are at most ${mostDepth} lists and objects deep`);
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
}

/** Names that all clients take. */
const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** Names of parameters that all clients take. */
const parameterName = /^[A-Za-z0-9_.-]{1,64}$/;

/** True for a tool whose names all clients take. */
export const canBeOffered = ({ name, parameters }: Pick<AgentTool, 'name' | 'parameters'>): boolean =>
  toolName.test(name) && Object.keys(parameters.properties).every((each) => parameterName.test(each));
