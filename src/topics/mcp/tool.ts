import type { Access } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';

/** A JSON Schema of a parameter. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: ValueSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A JSON Schema of the parameters of a tool. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

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
  /** The command as it is typed. */
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  /** The mirror, or what a profile keeps, answers: no service is called. */
  readonly isLocal: boolean;
  readonly parameters: ObjectSchema;
  /** The operation that a call of it is about, which must have the same access; undefined for a tool of a command. */
  readonly operationIn?: (given: Given) => string;
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
