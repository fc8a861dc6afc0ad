import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { sandboxHere, type ServingSandbox } from '../../support/sandbox.js';

// By RFC 7617: base64 of the UTF-8 of ann:pä:ss.
const login = 'Basic YW5uOnDDpDpzcw==';
const password = 'pä:ss';
const key = 'k3y-of-the-gateway';

/** A request as it came. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

describe('A gateway in front of the service', () => {
  let place: Home;
  let service: ServingSandbox;
  let gateway: Server;
  let other: Server;
  let asked: Asked[] = [];
  let askedOther: Asked[] = [];
  /** What the gateway answers instead of passing on. */
  let answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const seen = ({ method = '', url = '', headers }: IncomingMessage): Asked => ({ method, url, headers });
  const refuse = (got: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(401, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="crm"' });
    const plain = Buffer.from((got.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    response.end(`<html><title>No: ${String(got.headers['x-key'])} ${plain}</title></html>`);
  };
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<Run> =>
    relctl(args, { env: { ...place.env, GATEWAY_KEY: key, ...env }, ...(input === undefined ? {} : { input }) });
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(args), 0)).stdout;
  };

  const lastAsked = (): Asked => asked.at(-1) ?? assert.fail();

  before(async () => {
    place = home();
    service = await sandboxHere(place.env);
    gateway = createServer((got, response) => {
      asked.push(seen(got));
      if (answer !== undefined) {
        answer(got, response);
        return;
      }
      const { authorization, 'x-key': given } = got.headers;
      if (authorization !== login || given !== key) {
        refuse(got, response);
        return;
      }
      // The service behind it has the usual path, and knows nothing of the gateway.
      const path = (got.url ?? '').replace('/crm/soap', '/V1/service.asmx');
      const ours = new Set(['x-key', 'authorization']);
      const headers = Object.fromEntries(Object.entries(got.headers).filter(([name]) => !ours.has(name)));
      const target = new URL(path, service.url);
      const onward = request(
        target,
        { method: got.method ?? '', headers: { ...headers, host: target.host } },
        (came) => {
          response.writeHead(came.statusCode ?? 0, came.headers);
          came.pipe(response);
        },
      );
      got.pipe(onward);
    });
    other = createServer((got, response) => {
      askedOther.push(seen(got));
      response.writeHead(403).end();
    });
    for (const server of [gateway, other]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const namespace = /--namespace (\S+)/.exec(service.profileAdd.join(' '))?.[1] ?? assert.fail();
    const passwordFile = join(place.folder, 'gateway-password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const address = argv`--base-url http://127.0.0.1:${portOf(gateway)} --set path=/crm/soap --namespace ${namespace}`;
    const [apiKey = '', userPassword = ''] = service.secrets.split('\n');
    const credentials = service.profileAdd
      .slice(service.profileAdd.indexOf('--namespace') + 2)
      .filter((word) => !word.startsWith('--base'));
    const added = await run(
      argv`
        profile add gw ${address} ${credentials} --set gatewayUser=ann --secret gatewayPassword=file:${passwordFile}
        --secret headers.X-Key=env:GATEWAY_KEY --use
      `,
      {},
      `${apiKey}\n${userPassword}\n`,
    );
    assert.equal(added.code, 0, added.stderr);
  });
  beforeEach(() => {
    asked = [];
    askedOther = [];
    answer = undefined;
  });
  after(async () => {
    gateway.close();
    other.close();
    await service.stop();
    place.remove();
  });

  it('gets login and headers with each call, at the path of the profile', async () => {
    const rows = JSON.parse(await done('relation', 'list', '--limit', '2', '-o', 'json')) as unknown[];
    assert.equal(rows.length, 2);
    assert.ok(asked.length > 0);
    for (const { method, url, headers } of asked)
      assert.deepEqual([method, url, headers.authorization, headers['x-key']], ['POST', '/crm/soap', login, key]);
  });

  it('gets them with the WSDL, which is then kept', async () => {
    await ends(run(['operations', 'import', '--dry-run']), 0);
    assert.deepEqual(
      asked.map(({ method, url, headers }) => [method, url, headers.authorization, headers['x-key']]),
      [['GET', '/crm/soap?WSDL', login, key]],
    );
  });

  it('is the only one that gets them: a document of another server is asked for without', async () => {
    const { code, stderr } = await run(['operations', 'import', `http://127.0.0.1:${portOf(other)}/x?wsdl`]);
    assert.equal(code, 3);
    assert.match(stderr, /refused access to .* with HTTP 403[^]*sends it neither the login nor the headers/);
    assert.deepEqual(
      askedOther.map(({ headers }) => [headers.authorization, headers['x-key']]),
      [[undefined, undefined]],
    );
  });

  it('is the only one that gets them: a redirect is not followed', async () => {
    answer = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/` }).end();
    await ends(run(['mark', 'list']), 6, /does not follow redirects/);
    assert.deepEqual(askedOther, []);
  });

  it('offers the base URL by https where the service leads to the same page there', async () => {
    const secure = `https://127.0.0.1:${portOf(gateway)}`;
    answer = ({ url }, response) => response.writeHead(301, { location: `${secure}${url ?? ''}` }).end();
    const usual = await run(['mark', 'list', '--set', 'path=/V1/service.asmx']);
    assert.equal(usual.code, 6);
    assert.match(usual.stderr, new RegExp(`Try: relctl profile edit gw --base-url ${secure}$`, 'm'));
    const own = await run(['mark', 'list']);
    assert.match(own.stderr, /use https in the base URL\.\n {2}Try: relctl profile show gw/);
  });

  it('names the schemes that it offers where relctl speaks none of them', async () => {
    answer = (_, response) => response.writeHead(401, { 'www-authenticate': ['Negotiate', 'NTLM'] }).end();
    for (const args of [
      ['mark', 'list'],
      ['operations', 'import'],
    ]) {
      await ends(run(args), 3, /It offers Negotiate and NTLM, and relctl supports only Basic and Bearer\./);
    }
  });

  it('shows none of them in profile show, dry runs, traces and errors that repeat them', async () => {
    answer = refuse;
    const trace = join(place.folder, 'trace');
    const runs = [
      await run(['profile', 'show', 'gw']),
      await run(['profile', 'show', 'gw', '--origin', '-o', 'json']),
      await run(['mark', 'list', '--envelope']),
      await run(['mark', 'list', `--trace=${trace}`, '-o', 'json']),
      await run(['operations', 'import']),
      await run(['doctor']),
    ];
    const told = [...runs.map(({ stdout, stderr }) => stdout + stderr), readFileSync(trace, 'utf8')];
    for (const text of told)
      for (const secret of [key, password, 'pä', login.slice(6)])
        assert.ok(!text.includes(secret), `${secret} in ${text}`);
    const [shown = '', , dry = ''] = told;
    assert.match(shown, /^headers +X-Key: env:GATEWAY_KEY$/m);
    assert.match(dry, /^X-Key: \*{8}\nAuthorization: \*{8}\n\n/m);
    assert.match(told[3] ?? '', /an HTML page titled 'No: \*{8} ann:\*{8}'/);
  });

  it('refuses what a profile sends nothing for: the error names the flags that send something', async () => {
    const env = {
      RELCTL_BASE_URL: `http://127.0.0.1:${portOf(gateway)}`,
      RELCTL_PATH: '/crm/soap',
      RELCTL_NAMESPACE: 'urn:x',
      RELCTL_API_KEY: '11111111-2222-4333-8444-555555555555',
    };
    const none = await ends(run(['mark', 'list', '-o', 'json'], { ...env, RELCTL_PROFILE: '' }), 3);
    const { error } = JSON.parse(none.stderr) as { error: Record<string, unknown> };
    assert.deepEqual([error['code'], error['httpStatus']], ['http-401', 401]);
    assert.match(String(error['message']), /^the web server, not the service, refused access for 'crm' with HTTP 401/);
    assert.match(String(error['advice']), /--set gatewayUser=.*--secret gatewayToken=.*--secret headers/);
  });

  it('is told from the service, which refuses credentials in SOAP', async () => {
    const { code, stderr } = await run(['profile', 'test', 'gw'], {
      RELCTL_API_KEY: '11111111-2222-4333-8444-555555555555',
    });
    assert.equal(code, 3);
    assert.doesNotMatch(stderr, /web server|gateway/);
  });

  it('is a check of profile test', async () => {
    const checks = JSON.parse(await done('profile', 'test', 'gw', '-o', 'json')) as Record<string, unknown>[];
    assert.deepEqual(
      checks.filter(({ Check }) => Check === 'gateway'),
      [{ Check: 'gateway', State: 'ok', Detail: 'accepted the call, with X-Key, Authorization', Try: null }],
    );
  });

  it('gets the headers of RELCTL_HEADERS in the place of those of the profile, and a token instead of the login', async () => {
    answer = (_, response) => response.writeHead(401).end();
    const env = { RELCTL_HEADERS: 'X-One: a: b\r\nX-Two:env:GATEWAY_KEY', RELCTL_GATEWAY_TOKEN: 'abc.def==' };
    const both = await run(['mark', 'list'], env);
    assert.match(both.stderr, /takes a login or a token, not both/);
    assert.deepEqual(asked, []);
    await done('profile', 'edit', 'gw', '--unset', 'gatewayUser', '--unset', 'gatewayPassword');
    const { stderr } = await run(['mark', 'list'], env);
    assert.match(stderr, /RELCTL_HEADERS overrides profile 'gw'/);
    const { headers } = lastAsked();
    // The value of a variable is the secret itself, never a reference.
    assert.deepEqual(
      [headers['x-one'], headers['x-two'], headers['x-key'], headers.authorization],
      ['a: b', 'env:GATEWAY_KEY', undefined, 'Bearer abc.def=='],
    );
  });

  it('gets no header with a line break, and none that cannot be sent to the letter', async () => {
    for (const bad of ['x\r\nX-Evil: 1', 'é', ' x', '']) {
      const { stderr } = await ends(run(['mark', 'list'], { GATEWAY_KEY: bad }), 3);
      assert.ok(!stderr.includes('X-Evil'));
    }
    assert.deepEqual(asked, []);
  });
});

describe('The headers of a profile', () => {
  let place: Home;
  const run = (args: readonly string[], input?: string): Promise<Run> =>
    relctl(args, { env: place.env, ...(input === undefined ? {} : { input }) });
  const kept = (): unknown =>
    (
      JSON.parse(readFileSync(join(place.folder, 'config/relctl/config.json'), 'utf8')) as {
        profiles: { p: { headers?: unknown } };
      }
    ).profiles.p.headers;
  const edit = async (args: readonly string[], input?: string): Promise<Run> =>
    run(['profile', 'edit', 'p', ...args], input);

  beforeEach(async () => {
    place = home();
    const base = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:x'];
    await ends(run(argv`profile add p ${base} --secret headers.X-Tenant=plain:acme --secret headers.X-Key=env:K`), 0);
  });
  afterEach(() => place.remove());

  it('are added to, replaced by name in any case, and taken away one by one', async () => {
    assert.equal(kept(), 'X-Tenant: plain:acme\nX-Key: env:K');
    await ends(edit(['--secret', 'headers.x-tenant=cmd:tenant', '--secret', 'headers.Cookie=keyring:c']), 0);
    assert.equal(kept(), 'X-Key: env:K\nx-tenant: cmd:tenant\nCookie: keyring:c');
    assert.equal((await edit(['--unset', 'headers.X-TENANT', '--unset', 'headers.cookie'])).code, 0);
    assert.equal(kept(), 'X-Key: env:K');
    assert.equal((await edit(['--unset', 'headers.X-Key'])).code, 0);
    assert.equal(kept(), undefined);
  });

  it('are read from stdin behind the secrets that come before them, and marked where they look like references', async () => {
    const stdin = argv`--api-key-stdin --secret headers.X-A=- --secret headers.X-B=- --secret gatewayToken=-`;
    await ends(edit(stdin, '11111111-2222-4333-8444-555555555555\nenv:x\nb\nt0ken\n'), 0);
    assert.equal(kept(), 'X-Tenant: plain:acme\nX-Key: env:K\nX-A: plain:env:x\nX-B: b');
  });

  it('are twenty when twenty were added at once', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `X-H${at}`);
    await Promise.all(names.map((name) => edit(['--secret', `headers.${name}=env:V`])));
    const found = String(kept()).split('\n').slice(2);
    assert.deepEqual(found.sort(), names.map((name) => `${name}: env:V`).sort());
  });

  const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    ...argv`
      Host content-length Content-Type SOAPAction Transfer-Encoding Accept-Encoding Proxy-Authorization If-Match
      Connection
    `.map(
      (name) =>
        [
          ['--secret', `headers.${name}=env:X`],
          new RegExp(`--secret cannot set ${name}: relctl writes that header itself`),
        ] as const,
    ),
    [['--secret', 'headers.X Key=env:X'], /--secret must be the name of a header/],
    [['--secret', 'headers=env:X'], /--secret must be the name of a header/],
    [['--secret', 'headers.X-Key'], /--secret needs SETTING=REFERENCE/],
    [['--secret', 'headers.X-New=s3cret-typed'], /--secret headers\.X-New takes env:NAME, /],
    [['--secret', 'headers.X-New=plain:'], /value of X-New that is not valid in a header/],
    [['--secret', 'headers.X-New=plain:s3cret é'], /value of X-New that is not valid in a header/],
    [['--secret', 'headers.X-A=env:A', '--secret', 'headers.x-a=env:B'], /--secret headers has the header x-a twice/],
    [['--secret', 'headers.X-A=-'], /stdin has no line for --secret headers\.X-A/],
    [['--unset', 'headers.X-Kei'], /headers has no 'X-Kei'/],
    [['--unset', 'retries.x'], /the setting retries has no parts/],
    [['--set', 'gatewayUser=a:b'], /--set gatewayUser takes a user name without a colon/],
    [['--set', 'path=V2/service.asmx'], /--set path takes a path that begins with one \//],
    [['--set', 'path=//evil.example/x'], /--set path takes a path that begins with one \//],
    [['--set', 'path=/a/../b'], /--set path must be percent-encoded: \/b, not/],
    [['--set', 'path=/x.asmx?wsdl'], /--set path must be percent-encoded: \/x\.asmx, not/],
    [['--set', 'soapAction=quoted'], /--set soapAction takes slash, slash-unquoted, joined/],
  ];
  for (const [args, says] of mistakes) {
    it(`are left as they are by ${args.join(' ')}, which is exit code 2`, async () => {
      const { stderr } = await ends(edit(args, ''), 2, says, '');
      assert.doesNotMatch(stderr, /s3cret/);
      assert.match(stderr, /Try: relctl/);
      assert.equal(kept(), 'X-Tenant: plain:acme\nX-Key: env:K');
    });
  }
});
