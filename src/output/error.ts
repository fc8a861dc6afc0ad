import { kinds } from '../errors/kinds.js';
import type { RelctlError } from '../errors/relctl-error.js';
import { escapeForTerminal, escapeLines, visibleJson } from './escape.js';
import { outline } from './outline.js';

/** How an error is shown: to people, or as one JSON object. */
export type ErrorShape = 'text' | 'json';

/** What decides the looks of an error. */
export interface ErrorStyle {
  readonly shape: ErrorShape;
  /** Add the stack: for developers only. */
  readonly debug: boolean;
  /** Notes of the run, which go into the JSON object. */
  readonly notes?: readonly string[];
}

const report =
  'This is a defect in relctl. Please report it with the command, without its secrets; RELCTL_DEBUG=1 shows more.';

function where(error: RelctlError): string {
  const { operation, profile, page, code, number, httpStatus, url, attempts } = error.facts;
  const parts = [
    operation,
    profile === undefined ? undefined : `profile ${profile}`,
    url,
    page === undefined ? undefined : `page ${page}`,
    httpStatus === undefined ? undefined : `HTTP ${httpStatus}`,
    code === undefined ? undefined : `code ${code}`,
    number === undefined ? undefined : `number ${number}`,
    attempts === undefined ? undefined : `${attempts} attempts`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function asText(error: RelctlError, debug: boolean): string {
  const facts = where(error);
  const lines = [`Error: ${escapeForTerminal(error.message)}`];
  if (facts !== '') lines.push(`  ${escapeForTerminal(facts)}`);
  if (typeof error.data === 'object' && error.data !== null) lines.push(...outline(error.data, '  '));
  if (error.hint !== undefined) lines.push(`  Try: ${escapeForTerminal(error.hint)}`);
  if (error.kind === 'bug') lines.push(`  ${report}`);
  if (debug) lines.push(escapeLines(String(error.stack)));
  return `${lines.join('\n')}\n`;
}

function asJson(error: RelctlError, { debug, notes = [] }: Omit<ErrorStyle, 'shape'>): string {
  const shown = {
    kind: error.kind,
    layer: kinds[error.kind].layer,
    ...error.facts,
    message: error.message,
    hint: error.hint,
    data: error.data,
    exitCode: error.exitCode,
    notes: notes.length === 0 ? undefined : notes,
    stack: debug ? String(error.stack) : undefined,
  };
  return `${visibleJson(JSON.stringify({ error: shown }))}\n`;
}

/**
 * An error as it goes to stderr: what failed, where, and what to try; or one JSON object. Never the arguments, a cause, a
 * request or a secret.
 */
export function renderError(error: RelctlError, style: ErrorStyle): string {
  return style.shape === 'json' ? asJson(error, style) : asText(error, style.debug);
}

/** A line that is no error. */
export function renderWarning(text: string): string {
  return `Note: ${escapeForTerminal(text)}\n`;
}

/** The notes of a run that did not fail, where stderr holds JSON alone. */
export function renderNotes(notes: readonly string[]): string {
  return `${visibleJson(JSON.stringify({ notes }))}\n`;
}
