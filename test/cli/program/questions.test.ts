import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { place } from '../../support/operations/place.js';
import { attachmentMade } from '../../support/soap-answers.js';
import { answers, brokenServer, type BrokenServer } from '../../support/broken-server.js';
import { ends, home, program, relctl } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { needs } from '../../support/skip.js';
import { openTerminal } from '../../support/terminal.js';

const id = '00000000-0000-4000-8000-000000000011';
const attach = ['activity', 'attach', id, program, '--name', 'x'];

describe('In a terminal', () => {
  const place = home();
  let server: BrokenServer | undefined;

  before(async function () {
    needs(this, 'tmux');
    server = await brokenServer({ answer: answers(attachmentMade) });
    const address = argv`--base-url ${server.url} --namespace http://relctl.example/sandbox --set protected=yes`;
    await ends(relctl(['profile', 'add', 'eu', ...address, '--api-key-stdin'], { env: place.env, input: id }), 0);
  });
  after(async () => {
    await server?.close();
    place.remove();
  });

  /** What is shown when the program has ended; a question that matches is answered with no. */
  async function ended(args: readonly string[], question?: RegExp): Promise<string> {
    const terminal = openTerminal([process.execPath, program, ...args], place.env);
    try {
      if (question !== undefined) {
        await terminal.until(question);
        terminal.type('n');
        terminal.press('Enter');
      }
      const shown = await terminal.until(/Pane is dead/);
      return shown.replace(/\s+/g, ' ');
    } finally {
      terminal.close();
    }
  }

  it('a wrong --confirm is refused without a question, and nothing is sent', async () => {
    const shown = await ended([...attach, '--confirm', 'us']);
    assert.match(shown, /--confirm names profile 'us', and the profile in use is 'eu'; nothing was sent/);
    assert.match(shown, /Pane is dead \(status 2,/);
    assert.doesNotMatch(shown, /Really/);
    assert.equal(server?.requests.length, 0);
  });

  it('a no to the question of a protected profile is exit code 2, and nothing is sent', async () => {
    const shown = await ended(attach, /Really/);
    const place = `Profile 'eu' \\(${server?.url ?? ''}/V1/service\\.asmx\\) is protected\\. This cannot be undone\\. Really attach x \\(\\d+ bytes\\) to activity ${id}\\?`;
    // A line that is wrapped is joined by a blank, also in the middle of an address.
    assert.match(shown.replaceAll(' ', ''), new RegExp(place.replaceAll(' ', '')));
    assert.match(shown, /not confirmed; nothing was sent Pane is dead \(status 2,/);
    assert.equal(server?.requests.length, 0);
  });

  for (const columns of [40, 80]) {
    it(`Ctrl-C at a question that wraps leaves it whole, and the error stands below it: ${columns} columns`, async () => {
      const command = ['/bin/sh', '-c', 'echo first line; echo second line; "$@"', 'sh', process.execPath, program];
      const terminal = openTerminal([...command, ...attach], place.env, columns);
      try {
        const asked = (await terminal.until(/\(y\/N\)/)).trimEnd();
        assert.match(asked, /^first line\nsecond line\n/);
        terminal.press('C-c');
        const shown = await terminal.until(/Pane is dead \(status 130,/);
        assert.ok(shown.startsWith(asked), shown);
        const below = shown.slice(asked.length).replace(/\s+/g, ' ');
        assert.match(below, /^ ?Error: interrupted at a question; nothing was changed Try: relctl activity attach/);
        assert.equal(server?.requests.length, 0);
      } finally {
        terminal.close();
      }
    });
  }

  it('a no to the question of profile remove is exit code 2, and the profile stays', async () => {
    const shown = await ended(['profile', 'remove', 'eu'], /Remove profile/);
    assert.match(shown, /not confirmed; nothing was removed.*Pane is dead \(status 2,/);
    const { stdout } = await relctl(['profile', 'list', '-o', 'json'], { env: place.env });
    assert.match(stdout, /"eu"/);
  });
});

describe('A write in a terminal', () => {
  const here = place();
  const activity = '00000000-0020-4000-8000-000000000001';
  const file = (name: string, text: string): string => {
    const path = here.fresh(name);
    writeFileSync(path, text);
    return path;
  };
  before(function () {
    needs(this, 'tmux');
  });

  /** What is shown until the program asks, or has ended; a question is answered by the text. */
  async function shownBy(args: readonly string[], answer: string): Promise<string> {
    const terminal = openTerminal([process.execPath, program, ...args], here.env, 160);
    try {
      const asked = await terminal.until(/\(y\/N\)|type \d+ local:|Pane is dead/);
      if (!asked.includes('Pane is dead')) {
        terminal.type(answer);
        terminal.press('Enter');
      }
      return (await terminal.until(/Pane is dead/)).replace(/\s+/g, ' ');
    } finally {
      terminal.close();
    }
  }

  const prices = (): string =>
    file('prices.csv', `Code,SalesPrice\n${[1, 2, 3, 4, 5, 6, 7].map((at) => `0000${at},9${at}\n`).join('')}`);
  const starts = (): string => file('starts.csv', `id,start\n${activity},2026-01-01T10:00\n`);
  const nil = ['--nil', 'end,owner,queue,in-agenda,reminder'];
  const undone = 'This cannot be undone. Really';
  const writes: readonly (readonly [question: string, args: () => readonly string[]])[] = [
    ['1 field changes. Really change product 00001', () => ['product', 'update', '00001', '--sales-price', '99']],
    [`${undone} change activity ${activity}`, () => ['activity', 'update', activity, '--start', '2026-01-01', ...nil]],
    [`${undone} attach x`, () => ['activity', 'attach', activity, program, '--name', 'x']],
    [`${undone} add a product line`, () => ['activity', 'add-line', activity, '--product', '00001', '--quantity', '1']],
    [`${undone} call ActivityUpdate`, () => ['call', 'ActivityUpdate', '--param', `activityId=${activity}`]],
    ['7 rows to send. Really change 7 records', () => ['product', 'update', '--file', prices(), '--no-base']],
    [`1 row to send. ${undone} change 1 record`, () => ['activity', 'update', '--file', starts(), ...nil]],
  ];

  for (const [question, args] of writes)
    it(`asks, and sends nothing after a no: ${question}`, async () => {
      const before = here.digest();
      const shown = await shownBy(args(), 'n');
      assert.ok(shown.includes(question), shown);
      assert.match(shown, /not confirmed; nothing was sent Pane is dead \(status 2,/);
      assert.equal(here.digest(), before);
    });

  it('of many rows shows the first of them, with what changes in each', async () => {
    const [[name] = []] = here.rows(`SELECT "Name" FROM "PvProductData_V2" WHERE "Code" = '00001'`);
    const shown = await shownBy(['product', 'update', '--file', prices(), '--no-base'], 'n');
    assert.match(shown, /line 2: 00001 .*: SalesPrice: "[\d.]+" -> "91" line 3: .*line 6: .* -> "95" and 2 more ./);
    assert.ok(shown.includes(`line 2: 00001 ${String(name)}: `), shown);
  });

  it('does not ask with --yes, nor where the profile says so, but through a protected profile', async () => {
    const update = (...more: readonly string[]): readonly string[] =>
      argv`activity update ${activity} --start 2026-01-01 ${nil} ${more}`;
    for (const more of [['--yes'], ['--set', 'askBeforeWrites=no']]) {
      assert.match(await shownBy(update(...more), 'n'), /Done: change activity .* Pane is dead \(status 0,/);
      assert.match(await shownBy(update(...more, '--set', 'protected=yes'), 'n'), /is protected\. .*not confirmed/);
    }
    const named = await shownBy(['product', 'update', '00001', '--sales-price', '98', '--no-input'], 'y');
    assert.match(named, /1 field changes; relctl will not change product 00001 .* without confirmation .*status 2,/);
  });
});
