import { knownOperations } from '../../kit/operations/described.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { profileOf } from '../../kit/session/profile-store.js';
import type { Context } from '../../kit/host/context.js';
import { forMessage } from '../../core/text/text.js';
import { Answer, ofPrograms, type ToolAnswer } from './answer.js';
import { flagOf } from '../../profiles/resolve.js';
import { checkDepth, type AgentTool, type ToolArguments } from './tool.js';

interface CallStop extends Pick<Context, 'signal' | 'guardWrite'> {
  /** The call is over: its deadline is not waited for any more. */
  end(): void;
}

const reasonOf = ({ reason }: AbortSignal): RelctlError =>
  reason instanceof RelctlError
    ? reason
    : new RelctlError('interrupted', 'the client cancelled the call', { facts: { code: 'cancelled' }, hint: null });

/**
 * Stops a call when one of the signals is aborted, or after a time. A write that is under way is not stopped: its answer says
 * whether it was carried out, and so does the ledger.
 */
export function createStop(signals: readonly AbortSignal[], deadlineMs: number): CallStop {
  const [late, stop] = [new AbortController(), new AbortController()];
  const tooLate = new RelctlError('partial', `stopped after ${deadlineMs / 1000} s`, {
    facts: { code: 'deadline' },
    advice: 'Request less, or start the server with a longer --deadline.',
    hint: null,
  });
  const timer = setTimeout(() => late.abort(tooLate), deadlineMs);
  const reasons = AbortSignal.any([...signals, late.signal]);
  let writes = 0;
  const stopUnlessWriting = (): void => {
    if (reasons.aborted && writes === 0) stop.abort(reasonOf(reasons));
  };
  reasons.addEventListener('abort', stopUnlessWriting, { once: true });
  stopUnlessWriting();
  return {
    signal: stop.signal,
    async guardWrite(write) {
      writes += 1;
      try {
        return await write();
      } finally {
        writes -= 1;
        stopUnlessWriting();
      }
    },
    end() {
      clearTimeout(timer);
      reasons.removeEventListener('abort', stopUnlessWriting);
    },
  };
}

/** What the calls of all tools share. */
export interface ToolBounds {
  readonly context: Context;
  readonly profiles: readonly string[];
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

/** A call of a tool. */
export interface ToolCall {
  readonly tool: AgentTool;
  readonly given: ToolArguments;
  /** Aborted when the client does not want the answer any more. */
  readonly signal: AbortSignal;
}

/** Variables that say how things look: what agents are told is in one form, and complete. */
const without = ['RELCTL_EXCEL', 'RELCTL_FORCE_TTY', 'RELCTL_OUTPUT', 'RELCTL_PROGRESS', 'RELCTL_QUIET'] as const;

function checkOperation(
  context: Context,
  tool: AgentTool,
  { profile, name }: { readonly profile: string; readonly name: string | undefined },
): void {
  if (name === undefined) return;
  const { names, find } = knownOperations(context, flagOf(profile));
  const access = names.includes(name) ? find(name)?.access : undefined;
  const printable = forMessage(name, 80);
  if (access === undefined) {
    throw usage('operation', `profile '${profile}' has no operation '${printable}'`, null);
  }
  if ((access === 'read') === (tool.access === 'read')) return;
  if (access === 'read') throw usage('operation', `${printable} reads: use the tool call; nothing was sent`, null);
  throw usage('operation', `${printable} writes, or may write; nothing was sent`, {
    advice: 'The tool write calls it, if the server was started with --allow-writes.',
    hint: null,
  });
}

function checkWritable(context: Context, name: string): void {
  const { values } = profileOf(context, { profile: flagOf(name) });
  if (values.protected?.value === true) {
    throw usage('profile', `profile '${name}' is protected: no tool writes to it; nothing was sent`, {
      advice: 'A person can write to it on the command line, with the command of the same name.',
      hint: null,
    });
  }
  if (values.ledger?.value !== false) return;
  throw new RelctlError(
    'profile',
    `profile '${name}' has its ledger turned off, but tools need it for their writes; nothing was sent`,
    { facts: { profile: name, path: 'ledger' }, namesProfile: true, hint: 'relctl profile edit NAME --set ledger=yes' },
  );
}

const profileWords = (name: string): readonly string[] => (flagOf(name) === undefined ? [] : [`--profile=${name}`]);

const refuseWrite = (): Promise<never> =>
  Promise.reject(new RelctlError('bug', 'a tool that only reads was about to write; nothing was sent'));

/**
 * Does a write as the process does one: a defect, or a second signal, that ends the process meanwhile tells that its outcome is
 * not known. When it is over the client knows of it, whatever came out.
 */
const writeOf =
  ({ guardWrite }: Context, stop: CallStop): Context['guardWrite'] =>
  (write) =>
    stop.guardWrite(async () => {
      const [done] = await guardWrite(() => Promise.allSettled([write()]));
      if (done.status === 'rejected') throw RelctlError.from(done.reason);
      return done.value;
    });

/** Calls a tool within the bounds of the server. Never throws: what fails is in the answer. */
export async function runTool(
  { context, profiles, maxBytes, deadlineMs }: ToolBounds,
  call: ToolCall,
): Promise<ToolAnswer> {
  const { tool } = call;
  const isWrite = tool.access !== 'read';
  const { err } = context.streams;
  const answer = new Answer(maxBytes);
  const stop = createStop([call.signal, context.signal], deadlineMs);
  try {
    checkDepth(call.given);
    const { profile: named = profiles[0], ...toolArguments } = call.given;
    const profile = profiles.find((name) => name === named);
    if (profile === undefined)
      throw usage('profile', `profile takes ${profiles.join(', ')}: no other profile is allowed`, null);
    const { words, flags, args, input } = tool.lineOf(toolArguments);
    checkOperation(context, tool, { profile, name: tool.operationIn?.(toolArguments) });
    if (isWrite) checkWritable(context, profile);
    const { failure, notes, hide } = await context.runApart({
      argv: [...words, '-o', 'ndjson', ...profileWords(profile), ...flags, '--', ...args],
      input,
      out: answer.sink,
      err: { write: (text) => err.write(text), writeBytes: (bytes) => err.writeBytes(bytes), ...ofPrograms },
      // What is written is written to its end, however long the answer is.
      outClosed: isWrite ? new AbortController().signal : answer.full,
      signal: stop.signal,
      guardWrite: isWrite ? writeOf(context, stop) : refuseWrite,
      without,
    });
    return answer.end(failure, { notes, isWrite, hide });
  } catch (thrown) {
    return answer.end(RelctlError.from(thrown), { notes: [], isWrite });
  } finally {
    stop.end();
  }
}
