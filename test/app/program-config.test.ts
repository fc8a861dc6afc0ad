import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config, type Interfaces } from '@oclif/core';
import { loadConfig, topicNames } from '../../src/app/program-config.js';
import { argv } from '../support/argv.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { commands } = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as { commands: object };
const ids = Object.keys(commands);

describe('The configuration of the program', () => {
  const loaded: string[] = [];
  const modules = Object.fromEntries(
    ids.map((id) => [
      id,
      () => {
        loaded.push(id);
        return Promise.resolve({ default: { id } as never });
      },
    ]),
  );
  let ours: Awaited<ReturnType<typeof loadConfig>>;
  let theirs: Config;

  before(async () => {
    ours = await loadConfig(root, modules);
    theirs = await Config.load({ root });
  });

  it('knows the commands and topics that oclif finds', () => {
    const byName = (topics: readonly Interfaces.Topic[]) =>
      topics.map(({ name, description }) => `${name}: ${description ?? ''}`).sort();
    assert.deepEqual([...ours.commandIDs].sort(), [...theirs.commandIDs].sort());
    assert.deepEqual(byName(ours.topics), byName(theirs.topics));
    const facts = (config: Config) =>
      // The manifest leaves out what is empty, and oclif has it as it is read.
      config.commands.map(({ id, summary, flags, ...rest }) => [id, summary, flags, { ...rest.args }]).sort();
    assert.deepEqual(facts(ours), facts(theirs));
    for (const id of ids) assert.deepEqual(ours.findCommand(id)?.examples, theirs.findCommand(id)?.examples, id);
    assert.equal(ours.findTopic('operations')?.description, theirs.findTopic('operations')?.description);
    assert.deepEqual([ours.version, ours.bin, ours.userAgent], [theirs.version, theirs.bin, theirs.userAgent]);
  });

  it('is read from a manifest without members that say nothing, a command a line', () => {
    const text = readFileSync(`${root}oclif.manifest.json`, 'utf8');
    assert.equal(text.split('\n').length, ids.length + 3);
    assert.doesNotMatch(text, /":(?:false|""|\[\]|\{\})[,}]/);
  });

  it('loads a command from the table alone, and only when it is asked to', async () => {
    assert.deepEqual(loaded, []);
    assert.deepEqual(await ours.loadCommand('whoami'), { id: 'whoami' });
    assert.deepEqual(await ours.findCommand('relation:get', { must: true }).load(), { id: 'relation:get' });
    assert.deepEqual(loaded, ['whoami', 'relation:get']);
  });

  it('refuses what there is not', async () => {
    assert.equal(ours.findCommand('relation:find'), undefined);
    assert.equal(ours.findTopic('nothing'), undefined);
    assert.throws(() => ours.findCommand('relation:find', { must: true }), /command relation:find not found/);
    assert.throws(() => ours.findTopic('nothing', { must: true }), /topic nothing not found/);
    await assert.rejects(ours.loadCommand('relation:find'), /command relation:find not found/);
  });

  it('names what stands above a command once', () => {
    assert.deepEqual(
      topicNames(['mirror:add:call', 'mirror:add:workflow', 'whoami']),
      argv`
      mirror:add:call mirror:add mirror mirror:add:workflow whoami
    `,
    );
  });
});
