import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { operations } from '../src/contract/service.js';
import { readResponse } from '../src/soap/wire/answer.js';
import { createXmlReader } from '../src/xml/reader.js';
import { namespace, pageSize, preparedPage } from './prepared.js';
import { figure, median, section, type Measure } from './timing.js';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65536) yield bytes.subarray(at, at + 65536);
}

const exact = {
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
};

const nothing = (): void => undefined;

function readers(bytes: Uint8Array): ReadonlyMap<string, () => unknown> {
  const headers = { 'content-type': 'text/xml; charset=utf-8' };
  return new Map<string, () => unknown>([
    [
      'fast-xml-parser 5, options for exactness',
      () => new XMLParser(exact).parse(new TextDecoder().decode(bytes)) as unknown,
    ],
    [
      'relctl: bytes to typed records',
      () => readResponse(operations.RelationGetAll, { status: 200, headers, body: once(bytes) }, { namespace }),
    ],
    [
      'relctl: reader alone',
      () => {
        const reader = createXmlReader({ open: nothing, text: nothing, close: nothing });
        reader.write(bytes);
        reader.end();
      },
    ],
    ['saxes 6, namespaces on', () => new SaxesParser({ xmlns: true }).write(new TextDecoder().decode(bytes)).close()],
  ]);
}

// The first rounds warm the compiler up.
const warmUp = 10;

/** Decoding of one page in process, by several readers in turn. */
export const decoding: Measure = async ({ rounds }) => {
  const bytes = preparedPage('1.1').bytes(1);
  const taken = new Map<string, number[]>();
  const candidates = readers(bytes);
  for (let round = 0; round < rounds * 3 + warmUp; round += 1) {
    for (const [name, read] of candidates) {
      const started = performance.now();
      await read();
      if (round >= warmUp) taken.set(name, [...(taken.get(name) ?? []), performance.now() - started]);
    }
  }
  const figures = [...taken].map(([name, all]) => [name, median(all)] as const);
  const slowest = figures[0]?.[1] ?? Number.NaN;
  const megabytes = bytes.length / 1e6;
  return section(
    'Decoding one page in process',
    `RelationGetAll, 1,000 records, ${megabytes.toFixed(2)} MB. Goals: at least 80 MB/s, and 10 times fast-xml-parser.`,
    {
      head: ['reader', 'MB/s', 'records/s', 'x fast-xml-parser'],
      rows: figures.map(([name, ms]) => [
        name,
        figure(megabytes / (ms / 1000)),
        figure((pageSize * 1000) / ms),
        figure(slowest / ms, 1),
      ]),
    },
  );
};
