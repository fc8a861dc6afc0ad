import { knownOperations } from '../../cli/operations/described.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { Answer, type ToolAnswer } from './answer.js';
import { flagOf } from '../../profiles/resolve.js';
import { checkWritable, type AllowedProfiles } from './profiles.js';
import { createStop, type Stop } from './stop.js';
import { checkDepth, type AgentTool, type Given, type ToolLine } from './tool.js';

/** What the calls of all tools share. */
export interface ToolBounds {
  readonly context: Context;
  readonly allowed: AllowedProfiles;
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

/** A call of a tool. */
export interface ToolCall {
  readonly tool: AgentTool;
  readonly given: Given;
  /** Aborted when the client does not want the answer any more. */
  readonly signal: AbortSignal;
}

/** Variables that say how things look: what agents are told is in one form, and complete. */
const without = ['RELCTL_EXCEL', 'RELCTL_FORCE_TTY', 'RELCTL_OUTPUT', 'RELCTL_PROGRESS', 'RELCTL_QUIET'] as const;

/** The parameter that names the profile; an operation may have one of its own with the usual name. */
export const profileParameter = ({ parameters }: Pick<AgentTool, 'parameters'>): string =>
  Object.hasOwn(parameters.properties, 'profile') ? '_profile' : 'profile';

/** The profiles that a tool may be used with. */
export const profilesOf = ({ profiles }: AgentTool, { names }: AllowedProfiles): readonly string[] => profiles ?? names;

/** The profile of a call, and what else was given. Throws `usage` for a profile that is not allowed. */
function withProfile(
  { tool, given }: ToolCall,
  allowed: AllowedProfiles,
): { readonly profile: string; readonly rest: Given } {
  const profiles = profilesOf(tool, allowed);
  const [usual = ''] = profiles;
  if (tool.namesProfiles === true) return { profile: usual, rest: given };
  const parameter = profileParameter(tool);
  const { [parameter]: named, ...rest } = given;
  if (named === undefined) return { profile: usual, rest };
  if (typeof named === 'string' && profiles.includes(named)) return { profile: named, rest };
  throw usage(parameter, `${parameter} takes ${profiles.join(', ')}: no other profile is allowed`, '');
}

/** Throws `usage` for an imported operation that is not any more what was offered. */
function checkImported(context: Context, tool: AgentTool, profile: string): void {
  if (tool.profiles === undefined) return;
  const found = knownOperations(context, flagOf(profile)).find(tool.title);
  if (found?.access === tool.access) return;
  throw usage(undefined, `what was imported has changed: ${tool.title} is not as it was offered; nothing was sent`, {
    advice: 'Start the server again, so that it offers what there is now.',
    hint: '',
  });
}

function argvOf({ words, flags, args }: ToolLine, tool: AgentTool, profile: string): readonly string[] {
  const flag = flagOf(profile);
  const named = tool.namesProfiles === true || flag === undefined ? [] : [`--profile=${flag}`];
  return [...words, '-o', 'ndjson', ...named, ...flags, '--', ...args];
}

/** A tool that only reads writes nothing, whatever its command does. */
const noWrite = (): Promise<never> =>
  Promise.reject(new RelctlError('bug', 'a tool that only reads was about to write; nothing was sent'));

/** What a command says on stderr besides notes, such as a trace, goes to that of the server. */
const errOf = ({ streams: { err } }: Context): Context['streams']['err'] => ({
  write: (text) => err.write(text),
  writeBytes: (bytes) => err.writeBytes(bytes),
  isTerminal: false,
  isPipe: true,
  width: undefined,
  hasColor: false,
});

/**
 * Does a write as the process does one: a defect, or a second signal, that ends the process meanwhile tells that its outcome is
 * not known. When it is over the client knows of it, whatever came out.
 */
const writeOf =
  ({ guardWrite }: Context, stop: Stop): Context['guardWrite'] =>
  (write) =>
    stop.guardWrite(async () => {
      const [done] = await guardWrite(() => Promise.allSettled([write()]));
      if (done.status === 'rejected') throw RelctlError.from(done.reason);
      return done.value;
    });

async function runLine({ context, allowed, maxBytes }: ToolBounds, call: ToolCall, stop: Stop): Promise<ToolAnswer> {
  const { tool } = call;
  const isWrite = tool.access !== 'read';
  const answer = new Answer(maxBytes);
  try {
    checkDepth(call.given);
    const { profile, rest } = withProfile(call, allowed);
    const line = tool.lineOf(rest);
    checkImported(context, tool, profile);
    if (isWrite) checkWritable(context, profile);
    const { failure, notes, hide } = await context.runApart({
      argv: argvOf(line, tool, profile),
      input: line.input,
      out: answer.sink,
      err: errOf(context),
      // What is written is written to its end, however long the answer is.
      outClosed: isWrite ? new AbortController().signal : answer.full,
      signal: stop.signal,
      guardWrite: isWrite ? writeOf(context, stop) : noWrite,
      without,
    });
    return answer.end(failure, { notes, isWrite, hide });
  } catch (thrown) {
    return answer.end(RelctlError.from(thrown), { notes: [], isWrite });
  }
}

/** Calls a tool within the bounds of the server. Never throws: what fails is in the answer. */
export async function runTool(bounds: ToolBounds, call: ToolCall): Promise<ToolAnswer> {
  const stop = createStop([call.signal, bounds.context.signal], bounds.deadlineMs);
  try {
    return await runLine(bounds, call, stop);
  } finally {
    stop.end();
  }
}
