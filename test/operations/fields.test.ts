import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { ends, type Run } from '../support/relctl.js';
import { allRefused, callsIn, place } from '../support/operations/place.js';
import { valuesOf } from '../support/thrown.js';

const { activityId, workflowId, activityEntityTypeId } = known;
const subject = fieldId(11, 'Subject');
const search = ['activity', 'search', '--entity-type', activityEntityTypeId, '--limit', '1'];
const named = [...search, '--fields-of', workflowId];

describe('The names of fields', () => {
  const here = place();
  const cache = (): string => join(here.folder, 'state/relctl/fields');

  interface Traced extends Run {
    /** What was called. */
    readonly calls: readonly string[];
  }

  const traced = async (args: readonly string[]): Promise<Traced> => {
    const trace = here.fresh('trace');
    const run = await here.run([...args, `--trace=${trace}`]);
    return { ...run, calls: callsIn(trace).map(({ operation }) => operation) };
  };
  const sentFor = async (text: string): Promise<string> => {
    const { stdout, stderr } = await here.run([...named, '--field', text, '--envelope']);
    return /<PvFieldValueData>\s*<Id>(.*)<\/Id>\s*<Value>(.*)<\/Value>/.exec(stdout)?.slice(1).join('=') ?? stderr;
  };

  it('are looked up once, and remembered in a file for nobody else', async () => {
    const first = await traced([...named, '--field', 'Subject=x']);
    // Nothing is found, so the page behind the empty one is looked at, and page 0.
    const searches = ['ActivitySearchByField', 'ActivitySearchByField', 'ActivitySearchByField'];
    assert.deepEqual([first.code, first.calls], [0, ['ActivityGetFields', ...searches]]);
    const second = await traced([...named, '--field', 'Onderwerp=x']);
    assert.deepEqual([second.code, second.calls], [0, searches]);
    const files = readdirSync(cache());
    assert.equal(files.length, 1);
    assert.match(files[0] ?? '', /^[0-9a-f]{32}\.json$/);
  });

  it('are remembered for each database apart', async () => {
    const env = { RELCTL_DATABASE_ID: '00000000-0000-4000-8000-0000000000ff' };
    const trace = here.fresh('trace');
    await here.run([...named, '--field', 'Subject=x', '--envelope', `--trace=${trace}`], { env });
    assert.deepEqual(valuesOf(callsIn(trace), 'operation'), ['ActivityGetFields']);
  });

  it('are looked up again after a day, and when what was remembered is damaged', async () => {
    const [name = ''] = readdirSync(cache());
    const file = join(cache(), name);
    const good = readFileSync(file, 'utf8');
    const { fields } = JSON.parse(good) as { fields: readonly unknown[] };
    const day = 24 * 60 * 60 * 1000;
    const damages = [
      JSON.stringify({ savedAt: Date.now() - day - 1000, fields }),
      JSON.stringify({ savedAt: Date.now() + day, fields }),
      JSON.stringify({ savedAt: Date.now(), fields: [null] }),
      good.slice(0, good.length / 2),
      '',
    ];
    for (const damage of damages) {
      writeFileSync(file, damage);
      utimesSync(file, 0, 0);
      const { code, calls } = await traced([...named, '--field', 'Subject=x']);
      assert.deepEqual([code, calls[0]], [0, 'ActivityGetFields'], damage.slice(0, 60));
      assert.deepEqual((JSON.parse(readFileSync(file, 'utf8')) as { fields: unknown }).fields, fields);
    }
  });

  it('may be the id, the name or the label, in any case of letters', async () => {
    const texts = [subject, subject.toUpperCase(), 'Subject', 'subject', 'Onderwerp', 'ONDERWERP'];
    const sent = await Promise.all(texts.map((text) => sentFor(`${text}=a=b`)));
    assert.deepEqual(
      sent.map((each) => each.toLowerCase()),
      texts.map(() => `${subject}=a=b`),
    );
  });

  it('of one field twice, in whatever form, are refused', () =>
    allRefused(here, [
      [[...named, '--field', 'Subject=a', '--field', 'Onderwerp=b'], /--field Onderwerp is set twice/],
      [[...named, '--field', 'Subject=a', '--field', `${subject}=b`], /is set twice/],
    ]));

  it('that are unknown are an error with what there is and what was meant', () =>
    allRefused(here, [
      [[...named, '--field', 'Subjetc=a'], /no field 'Subjetc'; there are Subject, Priority, .*\n.*--field Subject/],
      [[...named, '--date-field', 'Deadlin', '--from', '-1d', '--to', 'now'], /'Deadlin'.*\n.*--date-field Deadline/],
      [['activity', 'labels', activityId, '--workflow', workflowId, '--field', 'Tag'], /'Tag'.*\n.*--field Tags/],
    ]));

  it('that several fields have are an error with the candidates, and their ids still work', async () => {
    const priority = fieldId(11, 'Priority');
    here.execute(`UPDATE "PvFieldData" SET "Label" = 'Kenmerk' WHERE "Id" = '${priority}'`);
    for (const file of readdirSync(cache())) writeFileSync(join(cache(), file), '');
    const { code, stdout, stderr } = await here.run([...named, '--field', 'kenmerk=x']);
    assert.deepEqual([code, stdout], [2, '']);
    const candidates = [`Priority (Kenmerk, ${priority})`, `Reference (Kenmerk, ${fieldId(11, 'Reference')})`];
    assert.ok(stderr.includes(`--field: 'kenmerk' may be ${candidates.join(' or ')}`), stderr);
    assert.equal(await sentFor(`${priority}=${activityId}`), `${priority}=${activityId}`);
    assert.equal(await sentFor(`Priority=${activityId}`), `${priority}=${activityId}`);
  });

  describe('that a profile gives', () => {
    it('are kept, listed and taken away again', async () => {
      await ends(here.run(['name', 'set', 'field', 'titel', subject]), 0, '', '');
      assert.deepEqual(await here.json(['name', 'list', 'field']), [{ Kind: 'field', Name: 'titel', Id: subject }]);
      const sent = await here.run([...search, '--field', 'titel=x', '--envelope']);
      assert.match(sent.stdout, new RegExp(`<Id>${subject}</Id>`));
      await ends(here.run(['name', 'remove', 'field', 'titel']), 0, '');
      assert.deepEqual(await here.json(['name', 'list', 'field']), []);
      await ends(here.run([...search, '--field', 'titel=x', '--envelope']), 2);
    });

    it('work in every command that takes a field', async () => {
      await here.run(['name', 'set', 'field', 'opleiding', fieldId(4, 'Course')]);
      await here.run(['name', 'set', 'field', 'labels!', fieldId(11, 'Tags')]);
      const line = await here.run([
        ...['relationship', 'add-line', known.relationshipId, '--entity-type', known.lineEntityTypeId],
        ...['--datastore', known.datastoreEntityTypeId, '--field', 'opleiding=Zwemmen', '--envelope'],
      ]);
      assert.match(line.stdout, new RegExp(`<Id>${fieldId(4, 'Course')}</Id>`));
      const labels = await here.run(['activity', 'labels', activityId, '--field', 'labels!', '--envelope']);
      assert.match(labels.stdout, new RegExp(`<fieldId>${fieldId(11, 'Tags')}</fieldId>`));
    });

    it('are refused where they are used and another field has that name', async () => {
      assert.equal((await here.run(['name', 'set', 'field', 'Subject', subject])).code, 0);
      const handler = fieldId(11, 'Handler');
      await ends(here.run(['name', 'set', 'field', 'Subject', handler]), 2, /the field 'Subject' is .* already/);
      assert.equal((await here.run(['name', 'set', 'field', 'Subject', handler, '--force'])).code, 0);
      const used = await here.run([...named, '--field', `Subject=${known.userId}`]);
      assert.equal(used.code, 2);
      assert.match(used.stderr, /'Subject' may be .*, as the profile calls it, or .*\n.*Use the id/);
      assert.equal((await here.run(['name', 'remove', 'field', 'Subject'])).code, 0);
    });

    it('are refused when they cannot be typed, or there is no such field or profile', async () => {
      const mistakes: readonly (readonly [args: readonly string[], code: number, names: RegExp])[] = [
        [['set', 'field', 'a=b', subject], 2, /the name of a field cannot have =/],
        [['set', 'field', 'x', 'Subject'], 2, /ID takes a GUID/],
        [['remove', 'field', 'opleidign'], 2, /no field 'opleidign'.*\n.*remove field opleiding/],
        [['list', 'field', '--profile', 'lokaal'], 3, /no profile 'lokaal'/],
      ];
      await Promise.all(
        mistakes.map(async ([args, code, names]) => {
          await ends(here.run(['name', ...args]), code, names);
        }),
      );
      assert.ok(existsSync(join(here.folder, 'config/relctl/config.json')));
    });
  });
});
