// A service that answers from prepared bytes, in a process of its own, so that the server is not what is measured.
// Prints its URL. The path says how it behaves: /PAGES/CAP/DELAY_MS/V1/service.asmx
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '../src/contract/service.js';
import { contentTypeOf, type SoapVersion } from '../src/soap/wire/version.js';
import { writeWsdl } from '../src/wsdl/definitions.js';
import {
  attachment,
  attachmentAdded,
  emptyPage,
  namespace,
  oneRelation,
  preparedPage,
  type PreparedPage,
} from './prepared.js';

const versions = ['1.1', '1.2'] as const;

const byVersion = <T>(make: (version: SoapVersion) => T): Readonly<Record<SoapVersion, T>> => ({
  '1.1': make(versions[0]),
  '1.2': make(versions[1]),
});

const pages = byVersion(() => new Map<string, PreparedPage>());
const ends = byVersion(emptyPage);
const relations = byVersion(oneRelation);
const added = byVersion(attachmentAdded);
const attachments = new Map<number, Buffer>();

function attachmentOf(megabytes: number): Buffer {
  const known = attachments.get(megabytes) ?? attachment('1.2', megabytes);
  attachments.set(megabytes, known);
  return known;
}

/** A page of so many records, made when it is first asked for. */
function pageOf(version: SoapVersion, count: number, withFields: boolean): PreparedPage {
  const key = `${count} ${withFields}`;
  const known = pages[version].get(key) ?? preparedPage(version, { count, withFields });
  pages[version].set(key, known);
  return known;
}

/** What the path says. */
interface Behaviour {
  readonly pageCount: number;
  /** Most records of a page. */
  readonly cap: number;
  readonly delayMs: number;
  /** For clients that cannot put it into a body. */
  readonly page: number | undefined;
}

function behaviourOf(url: URL): Behaviour {
  const [, pageCount, cap, delayMs] = url.pathname.split('/');
  const page = url.searchParams.get('page');
  return {
    pageCount: Number(pageCount),
    cap: Number(cap),
    delayMs: Number(delayMs),
    page: page === null ? undefined : Number(page),
  };
}

/** The head of a request; what is behind it is read and dropped. */
async function headOf(request: IncomingMessage): Promise<string> {
  let head = '';
  for await (const chunk of request as AsyncIterable<Buffer>) if (head.length < 8192) head += chunk.toString('latin1');
  return head;
}

function answerTo(head: string, version: SoapVersion, { pageCount, cap, page }: Behaviour): Buffer {
  if (head.includes('<RelationGet ')) return relations[version];
  if (head.includes('AttachmentGet')) return attachmentOf(pageCount);
  if (head.includes('ActivityAddAttachment')) return added[version];
  const wanted = page ?? Number(/pageNumber>(\d+)</.exec(head)?.[1]);
  // As services do that count from 1: relctl looks whether there is something before.
  if (wanted < 1 || wanted > pageCount) return ends[version];
  const asked = Number(/pageSize>(\d+)</.exec(head)?.[1] ?? cap);
  return pageOf(version, Math.min(asked, cap), head.includes('includeFields>true<')).bytes(wanted);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  if (request.method === 'GET') {
    const address = `${url.origin}${url.pathname}`;
    const wsdl = writeWsdl({ operations: Object.values(operations), namespace, address });
    response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(wsdl);
    return;
  }
  const behaviour = behaviourOf(url);
  const head = await headOf(request);
  if (behaviour.delayMs > 0) await pause(behaviour.delayMs);
  const version = head.includes('http://schemas.xmlsoap.org/soap/envelope/') ? '1.1' : '1.2';
  const body = answerTo(head, version, behaviour);
  response.writeHead(200, { 'content-type': contentTypeOf(version), 'content-length': body.length }).end(body);
}

const server = createServer((request, response) => {
  answer(request, response).catch((thrown: unknown) => response.destroy(thrown instanceof Error ? thrown : undefined));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
