import assert from 'node:assert/strict';
import fc from 'fast-check';
import { guessCommands } from '../../src/app/guess.js';
import { topicNames } from '../../src/app/program-config.js';
import { argv } from '../support/argv.js';
import { commands } from '../support/manifest.js';

const ids = Object.keys(commands);
const names = { commands: ids, topics: topicNames(ids) };
const guess = (line: string): readonly string[] => guessCommands(line.split(' '), names);

/** Commands that change what relctl keeps, or what runs; those that write to the service are known by their operations. */
const local =
  /^(profile:(add|edit|remove|use)|bookmark:remove|name:(set|remove)|mirror:(add|sync|remove)|sandbox:(start|stop|reset)|writes:forget)$/;

/** Whether a command changes something: the operations that write say so in their names. */
const changes = (id: string): boolean =>
  local.test(id) || (commands[id]?.operations ?? []).some((name) => /Add|Create|Update/.test(name));

const changing = new Set(ids.filter(changes).map((id) => id.replaceAll(':', ' ')));
const reading = ids.filter((id) => !changes(id));

/** Words that say that something is to be changed, and are near to words of reading: set to get, put to cat. */
const saysChange = new Set(argv`set change put use rest reset add up del rm start stop new`);

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Words that differ from another by one letter. */
const slips = (word: string): fc.Arbitrary<string> =>
  fc
    .record({ at: fc.nat(word.length - 1), letter: fc.constantFrom(...letters), how: fc.nat(2) })
    .map(({ at, letter, how }) => word.slice(0, at) + (how === 0 ? '' : letter) + word.slice(how === 2 ? at : at + 1))
    .filter((slip) => slip !== '' && !slip.startsWith('-') && !saysChange.has(slip));

/** Words of reading of other programs. */
const synonyms = argv`show get view list ls search find describe print display cat query`;

describe('guessCommands', () => {
  for (const [typed, ...meant] of [
    ['search', 'activity search', 'find'],
    ['show', 'relation get', 'product get', 'profile show'],
    ['version', '--version'],
    ['login', 'profile add NAME'],
    ['config', 'profile list', 'profile show'],
    ['config list', 'profile list'],
    ['ls', 'relation list', 'product list', 'relationship list'],
    ['relation show', 'relation get'],
    ['relation lst', 'relation list'],
    ['relation phonebook', 'relation phone-book'],
    ['relation phone', 'relation phone-book'],
    ['get relation', 'relation get'],
    ['list relations', 'relation list'],
    ['relations', 'relation list'],
    ['relations list', 'relation list'],
    ['relatoin', 'relation'],
    ['relatoin list', 'relation list'],
    ['customers', 'relation list'],
    ['who am i', 'whoami'],
    ['whomai', 'whoami'],
    ['export csv', 'relation list -o csv', 'export run'],
    ['profile create', 'profile add'],
    ['profile delete', 'profile remove'],
    ['profile rm acceptance', 'profile remove'],
    ['aliases', 'name list'],
    ['datastore list', 'datastore items'],
    ['datastore add', 'datastore create-item'],
    ['activity add', 'activity add-line'],
    ['activity attch', 'activity attach'],
    ['sandbox up', 'sandbox start'],
    ['completion bash', 'autocomplete --install'],
    ['RELATION LST', 'relation list'],
  ] as const)
    it(`takes ${typed} for ${meant.join(', ')}`, () => assert.deepEqual(guess(typed), meant));

  it('points at the commands of a topic where no command there is meant', () => {
    for (const line of ['relation delete', 'product rm', 'activity create', 'relation qqqq'])
      assert.deepEqual(guess(line), [`${line.split(' ')[0] ?? ''} --help`]);
  });

  it('means nothing by a word without meaning', () => {
    for (const line of ['qqqq', 'qqqq qqqq', '', '__proto__', 'constructor toString'])
      assert.deepEqual(guess(line), []);
  });

  it('suggests what there is, three at most', () => {
    const starts = [...ids, ...names.topics].map((id) => `${id.replaceAll(':', ' ')} `);
    const words = fc.oneof(fc.constantFrom(...synonyms, ...ids.flatMap((id) => id.split(':'))), fc.string());
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (typed) => {
        const found = guessCommands(typed, names);
        assert.ok(found.length <= 3);
        for (const line of found)
          assert.ok(line.startsWith('--') || starts.some((start) => `${line} `.startsWith(start)), line);
      }),
    );
  });

  it('never suggests what changes something for a word near one of reading, with and without its topic', () => {
    assert.ok(changing.size > 10 && reading.length > 20);
    const near = fc.constantFrom(...reading).chain((id) => {
      const [word = '', ...above] = id.split(':').reverse();
      return slips(word).map((slip) => [...above.reverse(), slip]);
    });
    fc.assert(
      fc.property(near, fc.boolean(), (typed, isWhole) => {
        const words = isWhole ? typed : typed.slice(-1);
        if (ids.includes(words.join(':'))) return;
        const wrong = guessCommands(words, names).filter((line) => changing.has(line));
        assert.deepEqual(wrong, [], words.join(' '));
      }),
      { numRuns: 5000 },
    );
  });

  it('never suggests what changes something for a word of reading, in any topic and either order', () => {
    const topics = names.topics.filter((topic) => ids.some((id) => id.startsWith(`${topic}:`)));
    for (const topic of topics.map((id) => id.replaceAll(':', ' '))) {
      for (const verb of synonyms) {
        for (const line of [`${topic} ${verb}`, `${verb} ${topic}`]) {
          if (ids.includes(line.replaceAll(' ', ':'))) continue;
          assert.deepEqual(
            guess(line).filter((found) => changing.has(found)),
            [],
            line,
          );
        }
      }
    }
  });
});
