import { kinds } from '../core/errors/kinds.js';
import type { RelctlError } from '../core/errors/relctl-error.js';
import { seenCommand } from '../core/text/text.js';
import { escapeForTerminal, escapeLines, visibleJson } from './escape.js';
import { wrapWords } from './layout/width.js';

const mostLines = 40;
const mostCharacters = 400;

function linesOf(name: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => linesOf(name, each, indent));
  const inner = `${indent}  `;
  if (typeof value === 'object' && value !== null) {
    return [`${indent}${name}:`, ...Object.entries(value).flatMap(([key, each]) => linesOf(key, each, inner))];
  }
  const [first = '', ...more] = (typeof value === 'string' ? value : JSON.stringify(value ?? null)).split('\n');
  if (more.length === 0) return [`${indent}${name}: ${first}`];
  return [`${indent}${name}:`, ...[first, ...more].map((line) => `${inner}${line.trim()}`)];
}

/** A line of a terminal, as long as one reads. */
function escapeLine(line: string): string {
  const [, indent = '', text = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `${indent}${escapeForTerminal(cut)}`;
}

/**
 * Data as lines for people: a member in each, what it holds two spaces further in, several of a name below each other. Of
 * many lines the first 40, of a long one the first 400 characters; it is said that more is there.
 */
function outline(data: object, indent: string): readonly string[] {
  const lines = Object.entries(data).flatMap(([name, value]) => linesOf(name, value, indent));
  const omitted = lines.length - mostLines;
  const more = omitted > 0 ? [`${indent}… (${omitted} more lines; -o json prints them)`] : [];
  return [...lines.slice(0, mostLines).map(escapeLine), ...more];
}

/** How an error is shown: to people, or as one JSON object. */
export type ErrorShape = 'text' | 'json';

/** What decides the looks of an error. */
export interface ErrorStyle {
  readonly shape: ErrorShape;
  /** Add the stack: for developers only. */
  readonly debug: boolean;
  /** Columns of the terminal; undefined where nobody looks, and lines stay whole. */
  readonly width?: number | undefined;
  /** Notes of the run, which go into the JSON object. */
  readonly notes?: readonly string[];
}

/** What to do about a defect. */
export const reportAdvice = 'Please report it with the command line, without secrets; RELCTL_DEBUG=1 prints details.';

function where(error: RelctlError): string {
  const { operation, profile, page, number, httpStatus, url, attempts } = error.facts;
  const code = error.reportedCode;
  const parts = [
    operation,
    profile === undefined || error.namesProfile ? undefined : `profile ${profile}`,
    url,
    page === undefined ? undefined : `page ${page}`,
    httpStatus === undefined ? undefined : `HTTP ${httpStatus}`,
    code === undefined || isOfSystem(code) ? undefined : `code ${code}`,
    number === undefined ? undefined : `number ${number}`,
    attempts === undefined ? undefined : `${attempts} attempts`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Codes of the system, such as ENOSPC: the message says them in words, and -o json has them. */
const isOfSystem = (code: string): boolean => /^(?:E[A-Z0-9]+|ERR_[A-Z0-9_]+|SIG[A-Z]+)$/.test(code);

function paragraph(text: string, width: number | undefined): readonly string[] {
  const escaped = escapeForTerminal(text);
  const indent = /^ */.exec(escaped)?.[0] ?? '';
  if (width === undefined) return [escaped];
  return wrapWords(escaped, width - indent.length, '  ').map((line) => `${indent}${line}`);
}

function asText(error: RelctlError, { debug, width }: ErrorStyle): string {
  const facts = where(error);
  const lines = [...paragraph(`Error: ${error.message}`, width)];
  lines.push(...(error.excerpt ?? []).map((line) => `    ${escapeForTerminal(line)}`));
  if (facts !== '') lines.push(...paragraph(`  ${facts}`, width));
  if (typeof error.data === 'object' && error.data !== null) lines.push(...outline(error.data, '  '));
  if (error.advice !== undefined) lines.push(...paragraph(`  ${error.advice}`, width));
  // In one line, however long: a line break would be pasted as well.
  if (error.hint !== undefined) lines.push(`  Try: ${escapeForTerminal(seenCommand(error.hint))}`);
  if (error.kind === 'bug') lines.push(...paragraph(`  This is a bug in relctl. ${reportAdvice}`, width));
  if (debug) lines.push(escapeLines(String(error.stack)));
  return `${lines.join('\n')}\n`;
}

/** The facts of an error, its code under one name whoever gave it. */
const reportedFacts = ({ facts, reportedCode }: RelctlError): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) =>
      name === 'foreignCode' || name === 'code' ? ['code', reportedCode] : [name, fact],
    ),
  );

function asJson(error: RelctlError, { debug, notes = [] }: ErrorStyle): string {
  const report = {
    kind: error.kind,
    layer: kinds[error.kind].layer,
    ...reportedFacts(error),
    message: error.message,
    advice: error.advice,
    hint: error.hint,
    data: error.data,
    excerpt: error.excerpt,
    exitCode: error.exitCode,
    notes: notes.length === 0 ? undefined : notes,
    stack: debug ? String(error.stack) : undefined,
  };
  return `${visibleJson(JSON.stringify({ error: report }))}\n`;
}

/** An error for stderr: what failed, where, what to try; or one JSON object. Never arguments, causes or secrets. */
export function renderError(error: RelctlError, style: ErrorStyle): string {
  return style.shape === 'json' ? asJson(error, style) : asText(error, style);
}

/** What is no error: a line, or lines of a terminal that has a width. */
export function renderWarning(text: string, width?: number): string {
  return `${paragraph(`Note: ${text}`, width).join('\n')}\n`;
}

/** The notes of a run that did not fail, where stderr holds JSON alone. */
export function renderNotes(notes: readonly string[]): string {
  return `${visibleJson(JSON.stringify({ notes }))}\n`;
}
