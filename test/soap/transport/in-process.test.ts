import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { ExchangeOptions, HttpHandler, HttpRequest, PhaseLimits } from '../../../src/soap/transport/http.js';
import { clientOf } from '../../../src/soap/transport/in-process.js';

const patient: PhaseLimits = {
  connectMs: 60_000,
  tlsMs: 60_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  wholeMs: 60_000,
};
const request: HttpRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:0/V1/service.asmx?x',
  headers: { SOAPAction: '"a"' },
  body: Buffer.from('<a/>'),
};

async function* each(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  await pause(0);
  yield* pieces;
}

const answers: HttpHandler = () =>
  Promise.resolve({ status: 200, headers: {}, body: each(Buffer.alloc(200_000, 'x')) });

async function exchange(
  answer: HttpHandler,
  options: Partial<ExchangeOptions> = {},
  sent = request,
): Promise<readonly number[]> {
  const { body } = await clientOf(answer)(sent, { limits: patient, ...options });
  const sizes: number[] = [];
  for await (const { length } of body) sizes.push(length);
  return sizes;
}

const failure = async (work: Promise<unknown>): Promise<RelctlError> => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof RelctlError);
  return thrown;
};

describe('A service in this process', () => {
  it('gets path, host and headers as a server does, and is read in pieces of 64 KiB', async () => {
    const seen: unknown[] = [];
    const told: unknown[] = [];
    const sizes = await exchange(
      (got) => {
        seen.push(got.url, got.headers);
        return answers(got);
      },
      { sent: () => told.push('sent'), received: (bytes) => told.push(bytes) },
    );
    assert.deepEqual(seen, ['/V1/service.asmx?x', { soapaction: '"a"', host: '127.0.0.1:0' }]);
    assert.deepEqual(sizes, [65_536, 65_536, 65_536, 3_392]);
    assert.deepEqual(told, ['sent', 200_000]);
  });

  it('gets nothing of a call that is stopped before it is sent', async () => {
    const never: HttpHandler = () => assert.fail('it was called');
    const { kind, facts } = await failure(exchange(never, { signal: AbortSignal.abort() }));
    assert.deepEqual([kind, facts.unsent], ['interrupted', true]);
  });

  it('is stopped within its answer by a signal, and by a time limit', async () => {
    const stopping = new AbortController();
    const stopped: HttpHandler = (got) => {
      setTimeout(() => stopping.abort(), 0);
      return answers(got);
    };
    assert.equal((await failure(exchange(stopped, { signal: stopping.signal }))).kind, 'interrupted');
    const slow: HttpHandler = async (got) => {
      await pause(50);
      return answers(got);
    };
    const late = await failure(exchange(slow, { limits: { ...patient, firstByteMs: 5 } }));
    assert.equal(late.message, '127.0.0.1:0 gave no answer within 0.005 s');
  });

  it('answers nothing where the content of a request cannot be read', async () => {
    const cannot = new RelctlError('local', 'the file changed');
    const open = function* (): Generator<Uint8Array> {
      yield Buffer.from('<');
      throw cannot;
    };
    const reads: HttpHandler = (got) => {
      try {
        if ('open' in got.body) for (const piece of got.body.open()) assert.equal(piece.length, 1);
      } catch {
        // A service answers what it cannot read by a fault.
      }
      return answers(got);
    };
    const error = await failure(exchange(reads, {}, { ...request, body: { length: 4, open } }));
    assert.deepEqual([error.kind, error.message], ['local', 'the file changed']);
  });
});
