import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { operations } from '../../src/contract/service.js';
import { readResponse } from '../../src/soap/wire/answer.js';
import { XmlReader } from '../../src/xml/reader.js';
import { combine, medianOf, show, type Found } from '../figures.js';
import { namespace, pageSize, preparedPage } from '../prepared.js';
import type { Section } from '../section.js';

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
const fastXmlParser = 'fast-xml-parser 5, options for exactness';
const typedRecords = 'relctl: bytes to typed records';

function readers(bytes: Uint8Array): ReadonlyMap<string, () => unknown> {
  const headers = { 'content-type': 'text/xml; charset=utf-8' };
  return new Map<string, () => unknown>([
    [fastXmlParser, () => new XMLParser(exact).parse(new TextDecoder().decode(bytes)) as unknown],
    [
      typedRecords,
      () => readResponse(operations.RelationGetAll, { status: 200, headers, body: once(bytes) }, { namespace }),
    ],
    [
      'relctl: reader alone',
      () => {
        const reader = new XmlReader({ open: nothing, text: nothing, close: nothing });
        reader.write(bytes);
        reader.end();
      },
    ],
    ['saxes 6, namespaces on', () => new SaxesParser({ xmlns: true }).write(new TextDecoder().decode(bytes)).close()],
  ]);
}

// The first rounds warm the compiler up.
const warmUp = 10;

async function timesOf(bytes: Uint8Array, rounds: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const taken = new Map<string, number[]>();
  const candidates = readers(bytes);
  for (let round = 0; round < rounds * 5 + warmUp; round += 1) {
    for (const [name, read] of candidates) {
      const started = performance.now();
      await read();
      if (round >= warmUp) taken.set(name, [...(taken.get(name) ?? []), performance.now() - started]);
    }
  }
  return taken;
}

/** Decoding of one page in process, by several readers in turn. */
export const decoding: Section = {
  title: 'Decoding one page in process',
  async measure({ rounds }) {
    const bytes = preparedPage('1.1').bytes(1);
    const megabytes = bytes.length / 1e6;
    const taken = await timesOf(bytes, rounds);
    const rate = (name: string): Found => combine([medianOf(taken.get(name) ?? [])], (ms) => megabytes / (ms / 1000));
    const ratio = (name: string): Found =>
      medianOf((taken.get(fastXmlParser) ?? []).map((ms, round) => ms / (taken.get(name)?.[round] ?? Number.NaN)));
    return {
      words: `RelationGetAll, 1,000 records, ${megabytes.toFixed(2)} MB, in one process that is warm.`,
      tables: [
        {
          head: ['reader', 'MB/s', 'records/s', 'x fast-xml-parser'],
          rows: [...taken.keys()].map((name) => [
            name,
            show(rate(name)),
            show(combine([rate(name)], (each) => (each / megabytes) * pageSize)),
            show(ratio(name), 1),
          ]),
        },
      ],
      figures: { rate: rate(typedRecords), 'x-fast-xml-parser': ratio(typedRecords) },
      notes: [],
    };
  },
};
