import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { ends, relctl } from '../../support/relctl.js';
import { valuesOf } from '../../support/thrown.js';
import { commands } from '../../support/manifest.js';

interface FieldLine {
  readonly Name: string;
  readonly Presence: string;
  readonly Assumed?: string;
}

interface Description {
  readonly Commands: readonly string[];
  readonly Parameters: readonly FieldLine[];
  readonly Result: readonly FieldLine[];
  readonly Records: readonly {
    readonly Name: string;
    readonly Assumed?: string;
    readonly Fields?: readonly FieldLine[];
  }[];
}

const legend = '  ?: assumed; the interface document does not define it.\n';

async function text(name: string): Promise<string> {
  return (await ends(relctl(['operations', name]), 0)).stdout;
}

async function described(name: string): Promise<Description> {
  return JSON.parse((await relctl(['operations', name, '-o', 'json'])).stdout) as Description;
}

describe('operations NAME', () => {
  for (const name of Object.keys(operations)) {
    const callers = Object.values(commands).filter((command) => command.operations?.includes(name) === true);
    it(`names the commands that call it, or call, and explains its marks: ${name}`, async () => {
      const typed = callers.map(({ id }) => id.replaceAll(':', ' ')).sort();
      const shown = await text(name);
      const words = typed.map((each) => `relctl ${each}`).join(', ');
      const line = typed.length === 0 ? `No command of its own: relctl call ${name}` : `: ${words}\n`;
      assert.ok(shown.includes(line), shown);
      const { Commands } = await described(name);
      assert.deepEqual(Commands, typed);
      const [body = '', marks = ''] = shown.split('\nMARKS\n');
      for (const mark of ['Req', 'Nil', 'Opt'])
        assert.equal(marks.includes(`  ${mark}: `), new RegExp(` ${mark}(?:\\?| ) `).test(body), mark);
      assert.equal(marks.includes('  ?: '), body.includes('?'));
    });
  }

  it('prints what --columns or --query picks of it', async () => {
    const picked = await relctl(['operations', 'RelationGetAll', '--columns', 'Name,Access']);
    assert.deepEqual([picked.code, picked.stdout], [0, 'Name    RelationGetAll\nAccess  read\n']);
    const { stdout } = await relctl(['operations', 'RelationGetAll', '--query', 'Result[].Name', '-o', 'table']);
    assert.equal(stdout, 'Relations\n');
    const wrong = await relctl(['operations', 'RelationGetAll', '--columns', 'Nope']);
    assert.equal(wrong.code, 2);
  });

  for (const columns of [80, 40]) {
    it(`breaks lines between words in a terminal of ${columns} columns, and loses none`, async () => {
      const { stdout } = await relctl(['operations', 'RelationGet'], { env: { RELCTL_FORCE_TTY: String(columns) } });
      const words = (shown: string): string => shown.replaceAll(/\s+/g, ' ');
      assert.equal(words(stdout), words(await text('RelationGet')));
      // At 40 columns a name and a type may take more; words of a sentence never do.
      const tooLong = stdout.split('\n').filter((line) => line.length > columns && !/(?:Req|Nil|Opt)\??$/.test(line));
      assert.deepEqual(tooLong.slice(0, 1), []);
      if (columns === 80) assert.match(stdout, /^ {2}includeFields .*\n {34}\S/m);
      else assert.match(stdout, /^ {2}includeFields {2}boolean {2}Req\?\n {4}Asks for the values/m);
      if (columns === 40) assert.match(stdout, /^ {2}Counters {2}list of PvCounterData {2}Opt\?\n/m);
    });
  }

  it('takes the words of a command, for the operations that it calls', async () => {
    assert.equal((await relctl(['operations', 'relation', 'get'])).stdout, await text('RelationGet'));
    const several = await relctl(['operations', 'product', 'update', '-o', 'json']);
    const names = (JSON.parse(several.stdout) as readonly { readonly Name: string }[]).map(({ Name }) => Name);
    const called = commands['product:update']?.operations ?? [];
    assert.ok(called.length > 1);
    assert.deepEqual(names.toSorted(), called.toSorted());
    await ends(relctl(['operations', 'relation', 'gt']), 2, /there is no operation 'relation gt'/, '');
  });

  it('shows the result envelope only where the document gives it', async () => {
    assert.match(await text('NotificationGetCount'), /^ {2}Result {2,}PvApiResultDataOfObject {2}Req {3}/m);
    const without = await described('RelationGet');
    assert.deepEqual(valuesOf(without.Result, 'Name'), ['Relation', 'Counters']);
    assert.ok(without.Records.every(({ Name }) => Name !== 'PvApiResultDataOfObject'));
  });

  it('marks what is assumed: presence that the document does not state, names and types that it does not show', async () => {
    const relation = await text('RelationGet');
    assert.match(relation, /^ {2}relationId {2,}guid {2,}Req\? {2}/m);
    assert.match(relation, /^ {2}Items {2}list of PvFieldValueData\? {2}Opt\? /m);
    assert.ok(relation.endsWith(`\n${legend}`));
    const notifications = await described('NotificationsGet');
    assert.deepEqual(valuesOf(notifications.Parameters, 'Name', 'Assumed'), [['userId', undefined]]);
    assert.deepEqual(valuesOf(notifications.Result, 'Name', 'Assumed'), [
      ['Result', undefined],
      ['Data', undefined],
      ['Notifications', 'name, presence'],
    ]);
    const activity = notifications.Records.find(({ Name }) => Name === 'PvActivityFollowUpData');
    assert.ok(activity?.Fields?.every(({ Assumed }) => Assumed === undefined));
  });

  it('marks records that the document does not have or does not name, and operations that it only names', async () => {
    const book = await text('RelationGetTelephoneBook_V2');
    assert.match(book, /^Assumed: the interface document only names it/m);
    assert.match(book, /^PvTelephoneNumberData \(assumed\): /m);
    assert.match(book, /^ {2}relation {2,}PvRelationData\? {2,}Opt\? /m);
    assert.match(await text('RelationshipAddLine'), /^PvLineData\?: /m);
    assert.doesNotMatch(await text('RelationGetTelephoneBook'), /^Assumed/m);
  });
});
