import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { lots } from '../support/cases.js';
import { home } from '../support/relctl.js';
import { hear, relation, soap, type Asking } from '../support/sandbox/faults/place.js';
import { postHead, rawClient } from '../support/sandbox/asmx/http.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { skip } from '../support/skip.js';

/** RELCTL_SOAK_SECONDS=3600 goes on for an hour, with pauses; RELCTL_SOAK_LOG names a file for what is measured. */
const seconds = Number(process.env['RELCTL_SOAK_SECONDS'] ?? 0);
const log = process.env['RELCTL_SOAK_LOG'];
const clients = 20;
/** Requests without RELCTL_SOAK_SECONDS, and between two measurements then. */
const requests = 2_000;
const between = 50;
const pauseMs = 200;
const sampleMs = 10_000;

const page = (number: number, size: number, withFields: boolean): Asking =>
  soap(
    'RelationGetAll',
    `<pageNumber>${number}</pageNumber><pageSize>${size}</pageSize>` +
      `<includeFields>${withFields}</includeFields><includeCounters>${withFields}</includeCounters>`,
  );

const attach = (bytes: number): Asking =>
  soap(
    'ActivityAddAttachment',
    `<activityId>${known.activityId}</activityId><fileName>a.bin</fileName>` +
      `<base64EncodedFile>${Buffer.alloc(bytes, 'relctl').toString('base64')}</base64EncodedFile>`,
  );

const update = (text: string): Asking =>
  soap(
    'ActivityUpdate',
    `<activityId>${known.activityId}</activityId><fieldValues><PvFieldValueData>` +
      `<Id>${fieldId(11, 'Subject')}</Id><Value>${text}</Value></PvFieldValueData></fieldValues>`,
  );

const zipped = (asking: Asking): Asking => ({ ...asking, headers: { ...asking.headers, 'accept-encoding': 'gzip' } });

type Draw = (below: number) => number;

/** What clients do, one as often as the other. */
const answered: readonly ((draw: Draw) => Asking)[] = [
  (draw) => page(1 + draw(20), 100, false),
  (draw) => zipped(page(1 + draw(20), 100, true)),
  (draw) => page(1 + draw(2), 1000, false),
  (draw) => zipped(page(1 + draw(2), 1000, false)),
  (draw) => page(1 + draw(500), 7, true),
  () => relation(),
  (draw) => update(`text ${draw(1_000_000)}`),
  () => soap('ProductGetAll_V2', ''),
  () => soap('NotificationsGet', `<userId>${known.credentials.UserId}</userId>`),
  () => attach(1000),
  () => ({ method: 'GET', path: '/V1/service.asmx?WSDL' }),
  () => ({ method: 'GET', path: '/' }),
];

/** The same of what is refused, each with its status. */
const refused: readonly (readonly [number, Asking])[] = [
  [500, soap('RelationGet', '<nothing/>')],
  [405, { method: 'PUT', body: 'x' }],
  [404, { method: 'GET', path: '/nowhere' }],
];

const medianOf = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;

describe(`A sandbox that ${clients} clients use for a long time`, function () {
  const place = home();
  let service: RunningSandbox | undefined;
  before(async function () {
    if (!existsSync('/proc/self/status')) skip(this, 'there is no /proc here');
    service = await sandbox(place.env, ['--db', join(place.folder, 'soak.db'), '--relations', '2000']);
  });
  after(async () => {
    await service?.stop();
    place.remove();
  });

  const port = (): number => Number(new URL(service?.url ?? '').port);
  /** Resident memory in MiB. */
  const resident = (): number => {
    const status = readFileSync(`/proc/${service?.child.pid ?? 0}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
  };

  async function ask(asking: Asking, status: number): Promise<void> {
    const heard = await hear(port(), { ...asking, patienceMs: 600_000 });
    assert.deepEqual([heard.status, heard.error], [status, undefined], heard.text.slice(-600));
    assert.doesNotMatch(heard.text, /<ErrorInformation>/);
  }

  /** Sends half a request and goes away. */
  async function leave(): Promise<void> {
    const { socket } = await rawClient(port());
    socket.write(`${postHead(4_000_000)}${'x'.repeat(100_000)}`, () => socket.destroy());
  }

  async function act(draw: Draw): Promise<void> {
    const lot = draw(1000);
    if (lot === 0) return ask(attach(3_000_000), 200);
    if (lot < 20) return leave();
    if (lot < 100) {
      const [status, asking] = refused[draw(refused.length)] ?? [200, relation()];
      return ask(asking, status);
    }
    return ask(answered[draw(answered.length)]?.(draw) ?? relation(), 200);
  }

  it('needs no more memory at the end than when it was warm', async () => {
    const samples: number[] = [];
    const until = performance.now() + seconds * 1000;
    let count = 0;
    const sample = (): void => {
      samples.push(resident());
      if (log !== undefined)
        appendFileSync(log, `${new Date().toISOString()} ${count} requests, ${samples.at(-1)} MiB\n`);
    };
    const timer = seconds > 0 ? setInterval(sample, sampleMs) : undefined;
    const goesOn = (): boolean => (seconds > 0 ? performance.now() < until : count < requests);
    const client = async (seed: number): Promise<void> => {
      for (const draw = lots(seed); goesOn();) {
        count += 1;
        if (seconds > 0) await pause(draw(2 * pauseMs));
        else if (count % between === 0) sample();
        await act(draw);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, seed) => client(seed + 1)));
    clearInterval(timer);
    const third = Math.floor(samples.length / 3);
    const [warm, end] = [medianOf(samples.slice(third, 2 * third)), medianOf(samples.slice(-third))];
    assert.ok(end <= warm * 1.1 + 10, `${warm} MiB, at the end ${end} MiB: ${samples.join(' ')}`);
  });
});
