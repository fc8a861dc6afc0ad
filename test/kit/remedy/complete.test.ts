import assert from 'node:assert/strict';
import { withoutTypedSecrets } from '../../../src/kit/remedy/complete.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { place } from '../../support/operations/place.js';

const secret = "zand'Bak77";

/** Command lines that hold a secret and a mistake, and the line to try. */
const typed: readonly (readonly [args: readonly string[], hint: RegExp])[] = [
  [['relation', 'list', '--colums', 'Id', '--password', secret], /^relctl relation list --help$/],
  [['relation', 'list', '--colums', 'Id', `--api-key=${secret}`], /^relctl relation list --help$/],
  [['relation', 'list', '--password', secret], /^relctl relation list --help$/],
  [['relation', 'get', 'x', '--', '--password', secret], /^relctl relation get --help$/],
  [['relation', 'list', `RELCTL_PASSWORD=${secret}`], /^relctl relation list --help$/],
  [[`RELCTL_API_KEY=${secret}`, 'relation', 'list'], /^relctl/],
  [['relation list --token', secret], /^relctl/],
  [['relation', 'list', '--columns', `Id,Password=${secret}`], /^relctl relation list/],
  [['profile', 'add', 'x', '--base-url', `https://me:${secret}@host`, '--sopa', '1.2'], /^relctl profile add --help$/],
  [['profile', 'add', 'x', '--password-from', `plain:${secret}`, '--sopa', '1.2'], /^relctl profile add --help$/],
  [['profile', 'add', 'x', '--password-from', secret, '--sopa', '1.2'], /^relctl profile add --help$/],
  [['call', 'RelationGe', '--param', `password=${secret}`], /^relctl call --help$/],
  [['call', 'RelationGe', '--param', `filter={"apiKey": "${secret}"}`], /^relctl call --help$/],
];

describe('A secret that somebody typed in a command line', () => {
  const here = place();

  for (const [args, hint] of typed) {
    for (const shape of [[], ['-o', 'json']]) {
      it(`does not come back in the error of ${args.join(' ').replace(secret, '…')} ${shape.join(' ')}`, async () => {
        const { code, stdout, stderr } = await here.run([...args.slice(0, 2), ...shape, ...args.slice(2)]);
        assert.notEqual(code, 0);
        assert.doesNotMatch(stdout + stderr, /zand|Bak77/);
        if (shape.length === 0) assert.match(/^ {2}Try: (.*)$/m.exec(stderr)?.[1] ?? '', hint);
      });
    }
  }

  it('is hidden in each part of an error that may repeat it', () => {
    const typed = `http://me:${secret}@host/`;
    const error = new RelctlError('no-answer', typed, {
      facts: { url: typed, path: typed, profile: typed, foreignCode: 'x' },
    });
    const { message, facts } = withoutTypedSecrets(error, { command: undefined, argv: ['profile', 'test', typed] });
    const hidden = 'http://(hidden)@host/';
    assert.deepEqual([message, facts], [hidden, { url: hidden, path: hidden, profile: hidden, foreignCode: 'x' }]);
  });

  it('is none when it says where the secret is, or the flag takes no secret', async () => {
    const add = ['profile', 'add', 'x', '--password-from', 'env:CRM_PASSWORD', '--set', 'clientKeyFile=key.pem'];
    const { stderr } = await here.run([...add, '--namespac', 'urn:x']);
    assert.match(
      stderr,
      /Try: relctl profile add x --password-from env:CRM_PASSWORD --set clientKeyFile=key\.pem --namespace urn:x\n/,
    );
  });
});
