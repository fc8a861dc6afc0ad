import assert from 'node:assert/strict';
import { createClient, type Client } from '../../src/client/client.js';
import { operations } from '../../src/contract/service.js';
import { limitsOfReads, Pace } from '../../src/client/pace.js';
import type { HttpResponse } from '../../src/soap/transport/http.js';
import type { AnswerText } from '../support/broken-server.js';
import { count, html, namespace } from '../support/soap-answers.js';
import { failureOf } from '../support/thrown.js';

const userId = '00000000-0000-4000-8000-000000000011';
const limits = { connectMs: 1, tlsMs: 1, firstByteMs: 1, idleMs: 1, wholeMs: 1 };

function response({ status = 200, headers = {}, body = '' }: AnswerText): HttpResponse {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(body);
  }
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lowered), body: chunks() };
}

/** A client of a service that gives these answers in turn, the last one for ever; with the waits between its attempts. */
function clientOf(
  responses: readonly AnswerText[],
  { retries = 3, signal = new AbortController().signal } = {},
): {
  readonly client: Client;
  readonly waits: number[];
  readonly turns: number[];
  readonly told: string[];
  readonly sent: () => number;
} {
  const waits: number[] = [];
  const turns: number[] = [];
  const told: string[] = [];
  let sent = 0;
  const connection = {
    ...({ profile: 'p', url: 'http://crm.example/', namespace, version: '1.2', retries, limits } as const),
    ...{ credentials: { ApiKey: userId, DatabaseId: null, UserId: null }, firstPage: 1, pageSize: 1 },
    listEnd: 'empty' as const,
  };
  const client = createClient(connection, {
    send: () => {
      const answer = responses[Math.min(sent, responses.length - 1)];
      sent += 1;
      return Promise.resolve(response(answer ?? {}));
    },
    signal,
    nowMs: () => 0,
    random: () => 0.5,
    pause: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    pace: new Pace(Infinity, {
      nowMs: () => 0,
      pause: (ms) => {
        turns.push(ms);
        return Promise.resolve();
      },
      onSlow: (reason) => told.push(reason),
      limits: limitsOfReads,
    }),
  });
  return { client, waits, turns, told, sent: () => sent };
}

const busy = html('Busy', 504);
const later = (seconds: number): AnswerText => html('Busy', 503, { 'Retry-After': String(seconds) });

describe('A client', () => {
  it('waits twice as long before each further attempt, and no longer than twenty seconds', async () => {
    const { client, waits, sent } = clientOf([busy], { retries: 9 });
    const error = await failureOf(client.call(operations.NotificationGetCount, { userId }));
    assert.deepEqual([error.kind, error.facts.attempts, sent()], ['no-answer', 10, 10]);
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });

  it('waits as long as the service asks, up to a minute', async () => {
    const { client, waits } = clientOf([later(0), later(7), later(60), count]);
    const { attempts } = await client.call(operations.NotificationGetCount, { userId });
    assert.deepEqual([attempts, waits], [4, [0, 7000, 60_000]]);
  });

  it('gives up at once when the service asks for more than a minute, with what it said', async () => {
    const { client, waits, sent } = clientOf([later(61)]);
    const error = await failureOf(client.call(operations.NotificationGetCount, { userId }));
    assert.deepEqual([error.kind, error.facts.retryAfterSeconds], ['no-answer', 61]);
    assert.deepEqual([waits, sent()], [[], 1]);
  });

  it('makes no further attempt once it was stopped', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { client, waits, sent } = clientOf([busy], { signal: stopping.signal });
    await failureOf(client.call(operations.NotificationGetCount, { userId }));
    assert.deepEqual([waits, sent()], [[], 1]);
  });

  it('makes no further attempt after a slow one where that is asked for, and still after others', async () => {
    const options = { endsWhenSlow: true };
    const slow = clientOf([busy], { retries: 9 });
    await failureOf(slow.client.call(operations.NotificationGetCount, { userId }, options));
    const other = clientOf([later(0), count]);
    await other.client.call(operations.NotificationGetCount, { userId }, options);
    assert.deepEqual([slow.sent(), other.sent()], [1, 2]);
  });

  it('sends a write once, whatever passes', async () => {
    for (const answer of [busy, later(1), html('Busy', 500), {}]) {
      const { client, sent } = clientOf([answer, count]);
      const error = await failureOf(client.callUntyped(operations.ActivityAddAttachment, { activityId: userId }));
      assert.deepEqual([error.kind, sent()], ['outcome-unknown', 1]);
    }
  });

  it('asks less often when a service says again that it is asked too much, and says so once', async () => {
    const tooMuch = html('Slow down', 429);
    const { client, turns, told } = clientOf([tooMuch, tooMuch, count, tooMuch, tooMuch, count]);
    for (let call = 0; call < 2; call += 1) await client.call(operations.NotificationGetCount, { userId });
    assert.deepEqual(told, ['relctl calls the service less often from now on: it answered HTTP 429 again']);
    assert.ok(turns.length >= 4 && turns.every((ms, at) => ms > (turns[at - 1] ?? 0)), String(turns));
  });

  it('makes the other calls wait as well when the service asks for time', async () => {
    const { client, turns } = clientOf([later(7), count]);
    await client.call(operations.NotificationGetCount, { userId });
    await client.call(operations.NotificationGetCount, { userId });
    assert.deepEqual(turns, [7000, 7100]);
  });

  it('paces no write', async () => {
    const { client, turns, told } = clientOf([html('Slow down', 429)]);
    for (let call = 0; call < 3; call += 1)
      await failureOf(client.callUntyped(operations.ActivityAddAttachment, { activityId: userId }));
    assert.deepEqual([turns, told], [[], []]);
  });
});
