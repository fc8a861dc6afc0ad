import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInput, type InputRequest } from '../../../src/formats/readers/open.js';
import type { InputRow, PointMeaning } from '../../../src/formats/readers/input.js';

/** All that an input file says. */
export interface ReadInput {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  /** Without the name of the file. */
  readonly said: readonly string[];
  readonly skipped: number;
  readonly point: PointMeaning;
}

/** Reads content as a file of this name, or as stdin for `-`. Throws what the reader throws, with the name for the path. */
export async function readInput(
  name: string,
  content: string | Uint8Array,
  request: Partial<InputRequest> = {},
): Promise<ReadInput> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-inputs-'));
  try {
    const file = name === '-' ? name : join(folder, name);
    if (name !== '-') writeFileSync(file, content);
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(content);
    }
    const input = await openInput({ ...request, file, stream });
    try {
      const rows: InputRow[] = [];
      for await (const row of input.rows()) rows.push(row);
      const { columns, said, skipped, point } = input;
      return { columns, rows, said: said.map((words) => words.slice(file.length + 2)), skipped, point };
    } finally {
      input.close();
    }
  } catch (thrown) {
    if (thrown instanceof Error) thrown.message = thrown.message.replaceAll(`${folder}/`, '');
    throw thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The words with which content of this name is refused; empty when it is not. */
export async function refusalOf(
  name: string,
  content: string | Uint8Array,
  request: Partial<InputRequest> = {},
): Promise<string> {
  try {
    await readInput(name, content, request);
    return '';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
