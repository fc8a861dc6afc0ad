import assert from 'node:assert/strict';
import type { Command } from '@oclif/core';
import type { Context } from '../../../src/kit/host/context.js';
import { offeredTools } from '../../../src/topics/mcp/tools.js';

async function loadCommand(id: string): Promise<typeof Command> {
  const path = `../../../src/commands/${id.replaceAll(':', '/')}.ts`;
  return ((await import(path)) as { readonly default: typeof Command }).default;
}

const offered = (load: typeof loadCommand) => offeredTools({ loadCommand: load } as unknown as Context, true);

describe('The tools for agents', () => {
  it('name commands and flags that exist', async () => {
    assert.equal((await offered(loadCommand)).size, 15);
  });

  it('are refused where no command has a flag that one names', async () => {
    const withoutType = async (id: string): Promise<typeof Command> => {
      const command = await loadCommand(id);
      const { type, ...flags } = command.flags;
      return id === 'find' && type !== undefined
        ? (Object.create(command, { flags: { value: flags } }) as typeof Command)
        : command;
    };
    await assert.rejects(offered(withoutType), { kind: 'bug', message: 'no command of the tool find has --type' });
  });
});
