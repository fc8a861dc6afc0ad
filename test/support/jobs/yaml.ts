import assert from 'node:assert/strict';
import type { Mistake } from '../../../src/jobs/mistakes.js';

/** Marks of the syntax of YAML, ends of lines, and characters that a file should not have. */
export const yamlMarks = [
  ...[': ', '- ', '? ', '[', ']', '{', '}', ',', '&a ', '*a', '!!', '!<', '|', '>', '|9', '"', "'", '#'],
  ...['%YAML 1.1\n', '---', '...', '\n', '\r', '\r\n', '\t', '  ', '\0', '\ufeff', '\u0085', '\u2028', '\ud800'],
  ...['<<: ', '\\', '"\\'],
] as const;

/** Asserts that each mistake is told in words, with a place within the text. */
export function assertTold(mistakes: readonly Mistake[], text: string): void {
  const lines = text.split(/\r\n|\n|\r/).length + 1;
  for (const { at, message } of mistakes) {
    assert.ok(at.line >= 1 && at.line <= lines && at.column >= 1, JSON.stringify(at));
    assert.notEqual(message, '');
  }
}
