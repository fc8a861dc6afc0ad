import assert from 'node:assert/strict';
import { attachmentMade } from '../support/attachment-answers.js';
import { answers, brokenServer, type BrokenServer } from '../support/broken-server.js';
import { home, program, relctl } from '../support/relctl.js';
import { needs } from '../support/skip.js';
import { openTerminal } from '../support/terminal.js';

const id = '00000000-0000-4000-8000-000000000011';
const attach = ['activity', 'attach', id, program, '--name', 'x'];

describe('In a terminal', () => {
  const place = home();
  let server: BrokenServer | undefined;

  before(async function () {
    needs(this, 'tmux');
    server = await brokenServer({ answer: answers(attachmentMade) });
    const address = [
      '--base-url',
      server.url,
      '--namespace',
      'http://relctl.example/sandbox',
      '--set',
      'protected=yes',
    ];
    const added = await relctl(['profile', 'add', 'eu', ...address, '--api-key-stdin'], { env: place.env, input: id });
    assert.equal(added.code, 0, added.stderr);
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
    const place = `Profile 'eu' \\(${server?.url ?? ''}/V1/service\\.asmx\\) is protected\\. Really attach x \\(\\d+ bytes\\) to activity ${id}\\?`;
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
