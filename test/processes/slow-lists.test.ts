import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { brokenServer, httpAnswer } from '../support/broken-server.js';
import { answerOf } from '../support/called.js';
import { home, program } from '../support/relctl.js';
import { namespace, relations } from '../support/soap-answers.js';

const id = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';

describe('A list whose service is slow', () => {
  // The service answers only when the line was shown: the test waits for the program, not for a time.
  for (const [args, line, answer] of [
    [['product', 'list'], 'waiting for the list, ', answerOf('ProductGetAll_V2', '<Products/>')],
    [['relation', 'list', '--page', '1'], 'waiting for the first page, ', relations(id)],
  ] as const) {
    it(`says in a terminal what it waits for: ${args.join(' ')}`, async () => {
      let shown = '';
      let show = (): void => undefined;
      const isShown = new Promise<void>((resolve) => (show = resolve));
      const server = await brokenServer({
        answer: (socket) => isShown.then(() => void socket.write(httpAnswer(answer))),
      });
      const here = home();
      try {
        const variables = {
          RELCTL_BASE_URL: server.url,
          RELCTL_NAMESPACE: namespace,
          RELCTL_USER_ID: id,
          RELCTL_API_KEY: id,
        };
        const env = { ...here.env, ...variables, RELCTL_RETRIES: '0', RELCTL_FORCE_TTY: '80' };
        const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          shown += text;
          if (shown.includes(line)) show();
        });
        await once(child, 'close');
        assert.ok(shown.includes(line), shown);
        assert.equal(child.exitCode, 0, shown);
      } finally {
        show();
        await server.close();
        here.remove();
      }
    });
  }
});
