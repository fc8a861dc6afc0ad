import { isWatched } from '../../formats/streams.js';
import { note, type QuietFlag } from '../host/notes.js';
import type { SessionContext } from '../session/session.js';
import type { CallText } from '../../soap/wire/request.js';
import { maskedEnvelope } from './masked-envelope.js';

type EnvelopeContext = SessionContext<QuietFlag>;

/** Says what was read to know what would be sent. */
export async function reportRead({ context, session, flags }: EnvelopeContext): Promise<void> {
  const names = [...session.called];
  if (names.length > 0) await note(context, flags, `relctl called ${names.join(', ')} for it`);
}

/** Prints the request with secrets masked, exactly as it would be sent unless a terminal shows it, and sends nothing. */
export async function printEnvelope(envelopeContext: EnvelopeContext, call: CallText): Promise<void> {
  const { context, session } = envelopeContext;
  const { out } = context.streams;
  // What lays XML out is loaded only when somebody looks at it.
  const layOut = isWatched(out) ? (await import('../../xml/tree.js')).prettyPrint : undefined;
  await out.write(context.secrets.hide(maskedEnvelope(session.connection, call, layOut)));
  await reportRead(envelopeContext);
}
