import { appendFileSync } from 'node:fs';
import type { Attempt } from '../client/client.js';
import type { Connection } from '../client/connection.js';
import { RelctlError } from '../errors/relctl-error.js';
import { escapeLines } from '../output/escape.js';
import { createMask } from '../secrets/mask.js';
import type { Context } from '../host/context.js';
import { maskedEnvelope } from './masked-envelope.js';
import { codeOf } from '../errors/code-of.js';

/** Where a trace goes and what must not be in it. */
export interface TraceOptions {
  /** A file, or `-` for stderr. */
  readonly target: string;
  readonly secrets: readonly string[];
}

function outcomeText({ outcome, elapsedMs }: Attempt): string {
  const time = `${elapsedMs.toFixed(0)} ms`;
  if (outcome.kind === 'error') return `< failed after ${time}: ${outcome.error.kind}: ${outcome.error.message}`;
  const { version, notes } = outcome.reply;
  return `< SOAP ${version} after ${time}${notes.length === 0 ? '' : `, ${notes.length} oddities`}\n${JSON.stringify(outcome.reply.result)}`;
}

/**
 * Tells each attempt: the envelope with its secrets left out, and what came of it with secrets masked in every form that a
 * service may echo them in.
 */
export function openTrace(context: Context, connection: Connection, options: TraceOptions): (attempt: Attempt) => void {
  const mask = createMask(options.secrets);
  return (attempt) => {
    const { operation, number } = attempt;
    const text = escapeLines(
      mask(
        `> ${operation.name}, attempt ${number}\n${maskedEnvelope(connection, attempt, 'indented')}${outcomeText(attempt)}\n`,
      ),
    );
    if (options.target === '-') {
      void context.streams.err.write(text);
      return;
    }
    try {
      appendFileSync(options.target, text, { mode: 0o600 });
    } catch (thrown) {
      const code = codeOf(thrown) ?? 'unknown reason';
      throw new RelctlError('local', `the trace cannot be written to ${options.target} (${code})`, { facts: { code } });
    }
  };
}
