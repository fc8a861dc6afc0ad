import { RelctlError } from '../core/errors/relctl-error.js';
import { openTemporaryFile } from '../state/temporary-file.js';
import { forMessage } from '../core/text/text.js';
import { type Headers, type HttpRequest, type OutgoingResponse, piecesOf } from '../soap/transport/http.js';
import { readRequest, type ReceivedRequest } from '../soap/wire/receive.js';
import { actionMistake, contentTypeOf, type SoapVersion, versionOfType, versions } from '../soap/wire/version.js';
import { plain, streamed } from './answers.js';
import { type MediaType, mediaTypeOf } from './asmx/media-type.js';
import { asmxSoap } from './asmx/soap.js';
import type { Operation } from '../contract/build.js';
import { findOperation } from '../contract/service.js';
import type { SandboxContext } from './context.js';
import { fault, invoke } from './invoke.js';
import { defined } from '../core/values/value.js';

const contentTypes = versions.map((version) => `${contentTypeOf(version)} in SOAP ${version}`).join(', ');

const versionOfRequest = ({ base, charset }: MediaType): SoapVersion | undefined =>
  charset?.toLowerCase() === 'utf-8' ? versionOfType(base.trim()) : undefined;

function isUtf16({ body }: HttpRequest): boolean {
  const [[first, second] = []] = piecesOf(body);
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Throws `refused` when the headers name another operation than the Body, or none where one is required. */
function checkAction(
  { version, operationName: operation }: ReceivedRequest,
  headers: Headers,
  namespace: string,
): void {
  const sent = { header: headers['soapaction'], parameter: mediaTypeOf(headers['content-type']).action };
  const mistake = actionMistake(version, { namespace, operation }, sent);
  if (mistake !== undefined) throw new RelctlError('refused', mistake, { facts: { foreignCode: 'Client' } });
}

/** Reads a request and answers it. A long content waits in a temporary file while the request is read. */
function answer(context: SandboxContext, request: HttpRequest, version: SoapVersion): OutgoingResponse {
  const { namespace } = context;
  const find = (name: string): Operation | undefined => findOperation(name) ?? context.more?.get(name)?.operation;
  let file: ReturnType<typeof openTemporaryFile> | undefined;
  const storePiece = (piece: string): void => (file ??= openTemporaryFile()).append(Buffer.from(piece, 'latin1'));
  try {
    const { content, ...received } = readRequest(request, { namespace, find, keep: storePiece });
    if (received.version !== version) {
      return plain(415, `The Content-Type is that of SOAP ${version}, the envelope that of SOAP ${received.version}.`);
    }
    if (received.operation !== undefined) checkAction(received, request.headers, namespace);
    const buffered = content && { ...content, open: () => file?.pieces() ?? [] };
    return invoke(context, { ...received, ...defined({ content: buffered }) });
  } catch (thrown) {
    const { facts, message } = RelctlError.from(thrown);
    if (facts.code === 'xml-character') return plain(400, message);
    return streamed(fault(thrown, { version, namespace, usual: 'Client' }));
  } finally {
    file?.close();
  }
}

/**
 * Answers SOAP as a strict service does (interface document, "What the service does"): content type, charset and
 * SOAPAction of the version, schema, order and forms must be right. Content types are refused with status 415, references to
 * characters that XML does not have with 400, the rest with faults.
 */
function strictSoap(context: SandboxContext, request: HttpRequest): OutgoingResponse {
  const type = request.headers['content-type'];
  const version = versionOfRequest(mediaTypeOf(type));
  if (version === undefined) {
    return plain(
      415,
      `The Content-Type of a request is ${contentTypes}; this one has ${forMessage(type ?? 'none', 200)}.`,
    );
  }
  if (isUtf16(request)) return plain(415, 'The Content-Type says utf-8; the body begins with the mark of UTF-16.');
  return answer(context, request, version);
}

/** What is read of a longer body may take several times its size. */
const longBytes = 4 * 1024 * 1024;

/** Answers a SOAP request in the mode of the sandbox. */
export function answerSoap(context: SandboxContext, request: HttpRequest): OutgoingResponse {
  if (request.body.length > longBytes) context.onMuchMemory?.();
  return context.mode === 'strict' ? strictSoap(context, request) : asmxSoap(context, request);
}
