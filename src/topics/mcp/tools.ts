import { knownOperations } from '../../cli/operations/described.js';
import type { Operation } from '../../contract/build.js';
import { operations } from '../../contract/service.js';
import { matches } from '../../descriptions/kept.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { nearest } from '../../lexical/nearest.js';
import { toolOfCommand } from './command-tool.js';
import type { DescribedCommand } from './described.js';
import { toolOfOperation } from './operation-tool.js';
import { flagOf } from '../../profiles/resolve.js';
import type { AllowedProfiles } from './profiles.js';
import { canBeOffered, type AgentTool } from './tool.js';

/** What decides which tools there are. */
export interface Choice {
  readonly commands: readonly DescribedCommand[];
  readonly allowed: AllowedProfiles;
  readonly allowWrites: boolean;
  /** Patterns of names; undefined for all. */
  readonly patterns: readonly string[] | undefined;
}

/** The tools that are offered, by their names, and what is not although it could be. */
export interface Offer {
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Names that clients do not take, or that are taken. */
  readonly leftOut: readonly string[];
}

/** The imported operations that a profile knows. */
function importedOf(context: Context, profile: string): readonly Operation[] {
  const { names, find } = knownOperations(context, flagOf(profile));
  return names.flatMap((name) => {
    const operation = find(name);
    return operation?.source === 'imported' ? [operation] : [];
  });
}

/** What tells two operations of one name apart. */
const faceOf = ({ description, access, parameters }: AgentTool): string =>
  JSON.stringify([description, access, parameters]);

/** Tools of imported operations: one for all profiles that know an operation alike, another one for those that do not. */
function importedTools(context: Context, { names }: AllowedProfiles): readonly AgentTool[] {
  const found = new Map<string, { readonly tool: AgentTool; readonly profiles: string[] }>();
  for (const profile of names) {
    for (const operation of importedOf(context, profile)) {
      const tool = toolOfOperation(operation);
      const face = faceOf(tool);
      const known = found.get(`${operation.name} ${face}`);
      if (known !== undefined) known.profiles.push(profile);
      else {
        const isFirst = ![...found.values()].some((each) => each.tool.title === operation.name);
        const named = isFirst ? tool : toolOfOperation(operation, `${operation.name}-${profile}`);
        found.set(`${operation.name} ${face}`, { tool: named, profiles: [profile] });
      }
    }
  }
  return [...found.values()].map(({ tool, profiles }) => ({ ...tool, profiles }));
}

/** Throws `usage` for a pattern that is of no tool. */
function checkPatterns(patterns: readonly string[], names: readonly string[]): void {
  const idle = patterns.find((pattern) => !names.some((name) => matches([pattern], name)));
  if (idle === undefined) return;
  throw usage('--tools', `--tools: no tool is called '${idle}'`, {
    hint: 'relctl mcp --list',
    ...perhaps(idle, nearest(idle, names)),
  });
}

/** The tools for agents. Throws `usage` for patterns that match none, `profile` and `local`. */
export function offeredTools(context: Context, { commands, allowed, allowWrites, patterns }: Choice): Offer {
  const all = [
    ...commands.flatMap((command) => toolOfCommand(command, allowed.names) ?? []),
    ...Object.values<Operation>(operations).map((operation) => toolOfOperation(operation)),
    ...importedTools(context, allowed),
  ].filter(({ access }) => allowWrites || access === 'read');
  const tools = new Map<string, AgentTool>();
  const leftOut: string[] = [];
  for (const tool of all) {
    if (canBeOffered(tool) && !tools.has(tool.name)) tools.set(tool.name, tool);
    else leftOut.push(tool.name);
  }
  if (patterns === undefined) return { tools, leftOut };
  checkPatterns(patterns, [...tools.keys()]);
  return { tools: new Map([...tools].filter(([name]) => matches(patterns, name))), leftOut: [] };
}
