import { RelctlError } from '../errors/relctl-error.js';
import { forMessage } from '../lexical/text.js';
import { type Headers, type OutgoingResponse, type IncomingRequest, piecesOf } from '../soap/transport/http.js';
import { readingOf, type ReceivedRequest } from '../soap/wire/receive.js';
import { contentTypeOf, soapActionOf, type SoapVersion, soapVersions } from '../soap/wire/version.js';
import { plain, streamed } from './answers.js';
import { type MediaType, mediaTypeOf } from './asmx/media-type.js';
import { asmxSoap } from './asmx/soap.js';
import type { Operation } from '../contract/build.js';
import type { ReadRequest, SandboxContext } from './context.js';
import { operationIn } from './operations.js';
import { fault, invoke } from './invoke.js';
import { NewContent } from './store/contents.js';
import { defined } from '../plain/defined.js';
import { inSteps } from '../plain/work.js';

const versions: readonly SoapVersion[] = ['1.1', '1.2'];
const wanted = versions.map((version) => `${contentTypeOf(version)} in SOAP ${version}`).join(', ');

/** The version whose content type this is, with its charset; undefined when it is of neither. */
function versionOfType({ base, charset }: MediaType): SoapVersion | undefined {
  if (charset?.toLowerCase() !== 'utf-8') return undefined;
  return versions.find((version) => soapVersions[version].mediaType === base.trim());
}

function isUtf16({ body }: IncomingRequest): boolean {
  const [[first, second] = []] = piecesOf(body);
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

const wrongAction = (words: string): RelctlError => new RelctlError('refused', words, { facts: { code: 'Client' } });

/** Throws `refused` when the headers name another operation than the Body, or none where one is required. */
function checkAction({ version, operationName }: ReceivedRequest, headers: Headers, namespace: string): void {
  const quoted = soapActionOf(namespace, operationName);
  if (version === '1.2') {
    const { action } = mediaTypeOf(headers['content-type']);
    if (action === undefined || `"${action}"` === quoted) return;
    throw wrongAction(
      `The action in the Content-Type of ${operationName} is ${quoted}, not "${forMessage(action, 200)}".`,
    );
  }
  const action = headers['soapaction'];
  if (action === quoted) return;
  throw wrongAction(
    action === undefined
      ? `The header SOAPAction is missing; for ${operationName} it is ${quoted}.`
      : `The SOAPAction of ${operationName} is ${quoted}, in these quotes, not ${forMessage(action, 200)}.`,
  );
}

/** Reads a request in steps, a long content into the database. Throws as readingOf does. */
async function readIn(context: SandboxContext, request: IncomingRequest, kept: NewContent): Promise<ReadRequest> {
  const { namespace, pace } = context;
  const find = (name: string): Operation | undefined => operationIn(context, name);
  const reading = readingOf(request, { namespace, find, keep: (piece) => kept.write(piece) });
  const { content, ...received } = await inSteps(reading, pace.reading);
  const given = content && { ...content, giveTo: (attachment: number) => kept.giveTo(attachment) };
  return { ...received, ...defined({ content: given }) };
}

async function answer(
  context: SandboxContext,
  request: IncomingRequest,
  version: SoapVersion,
): Promise<OutgoingResponse> {
  const { namespace, pace, store } = context;
  const kept = new NewContent(store);
  try {
    const received = await readIn(context, request, kept);
    if (received.version !== version) {
      return plain(415, `The Content-Type is that of SOAP ${version}, the envelope that of SOAP ${received.version}.`);
    }
    if (received.operation !== undefined) checkAction(received, request.headers, namespace);
    return await invoke(context, received);
  } catch (thrown) {
    return streamed(fault(thrown, { version, namespace, usual: 'Client' }));
  } finally {
    await inSteps(kept.drop(), pace.reading);
  }
}

/**
 * Answers SOAP as a strict service does (interface document, "What the service does"): content type, charset and
 * SOAPAction of the version, schema, order and forms must be right. Content types are refused with status 415, the rest with faults.
 */
async function strictSoap(context: SandboxContext, request: IncomingRequest): Promise<OutgoingResponse> {
  const type = request.headers['content-type'];
  const version = versionOfType(mediaTypeOf(type));
  if (version === undefined) {
    return plain(415, `The Content-Type of a request is ${wanted}; this one has ${forMessage(type ?? 'none', 200)}.`);
  }
  if (isUtf16(request)) return plain(415, 'The Content-Type says utf-8; the body begins with the mark of UTF-16.');
  return answer(context, request, version);
}

const answers = { strict: strictSoap, asmx: asmxSoap } as const;

/** What is read of a longer body may take several times its size. */
const longBytes = 4 * 1024 * 1024;

/** Answers a SOAP request in the mode of the sandbox; of those with long bodies, one at a time. */
export function answerSoap(context: SandboxContext, request: IncomingRequest): Promise<OutgoingResponse> {
  const answer = (): Promise<OutgoingResponse> => answers[context.mode](context, request);
  return request.body.length > longBytes ? context.pace.alone(answer) : answer();
}
