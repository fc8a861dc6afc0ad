import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from './relctl.js';

/** The document that a tool answers. */
export interface Answered {
  readonly count: number;
  readonly cut?: string;
  readonly notes?: readonly string[];
  readonly error?: Readonly<Record<string, unknown>>;
  readonly records: readonly unknown[];
}

/** The answer of a tool, and whether it is an error. */
interface ToolRun {
  readonly isError: boolean;
  /** The text as it came. */
  readonly text: string;
  readonly answered: Answered;
}

/** A client of the official library, connected to the program by pipes. */
export interface Agent {
  readonly client: Client;
  /** What the server said on stderr. */
  readonly stderr: () => string;
  call(name: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolRun>;
  close(): Promise<void>;
}

/** Starts `relctl mcp` in a process of its own and connects to it. */
export async function agent(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Agent> {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    // Those without a value are left out.
    env: variables as Record<string, string>,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    stderr: () => stderr,
    async call(name, given = {}, signal = new AbortController().signal) {
      const { content, isError } = await client.callTool({ name, arguments: given }, { signal, timeout: 300_000 });
      const [only, ...others] = content;
      assert.deepEqual(others, []);
      assert.equal(only?.type, 'text');
      const { text } = only;
      return { isError: isError === true, text, answered: JSON.parse(text) as Answered };
    },
    close: () => client.close(),
  };
}

/** How a conversation ended. */
export interface Talk {
  readonly code: number | null;
  readonly stderr: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
}

/** The messages that open a connection. */
export const opening: readonly object[] = [
  {
    jsonrpc: '2.0',
    id: 'opening',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** A request to call a tool. */
export const toolCall = (id: string | number, name: string, given: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

/** Writes lines to `relctl mcp`, ends its stdin, and reads what it says until it ends: objects are JSON, others are as they are. */
export async function talk(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  lines: readonly (object | string | Buffer)[],
): Promise<Talk> {
  const child = spawn(process.execPath, [program, 'mcp', ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdin.on('error', () => undefined);
  for (const line of lines) {
    child.stdin.write(typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify(line));
    child.stdin.write('\n');
  }
  child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const text = Buffer.concat(out).toString();
  const messages = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return { code, stderr, messages };
}

/** The document of a tool in a message. */
export function answeredIn(message: Readonly<Record<string, unknown>> | undefined): Answered {
  const { content } = message?.['result'] as { readonly content: readonly { readonly text: string }[] };
  return JSON.parse(content[0]?.text ?? '') as Answered;
}
