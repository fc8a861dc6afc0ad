import { option, repeated } from '../../cli/flags/define.js';
import type { Way } from '../../cli/session/session.js';
import { refusedDocument } from '../../client/access.js';
import { badAnswer } from '../../errors/bad-answer.js';
import { usage } from '../../errors/usage.js';
import { readBounded } from '../../files/read-bounded.js';
import type { Context } from '../../host/context.js';

function allowedOf(text: string, place: string): string {
  if (!/^https?:\/\//i.test(text) || URL.canParse(text)) return text;
  throw usage(place, `${place} takes an origin such as https://crm.example, or a folder, not '${text}'`);
}

/** The flag that says where documents may also come from. */
export const allowFlag = {
  allow: option(allowedOf, { helpValue: 'ORIGIN|FOLDER' })({
    ...repeated,
    summary: 'Documents may also come from here; may be repeated.',
  }),
};

/** Makes what gets a document without credentials, by the way that calls take. It throws `bad-answer`, `no-answer` and `profile`. */
export function documentsOf(context: Context, { connection, send }: Way) {
  return async (url: string, mostBytes: number): Promise<Buffer> => {
    const request = { method: 'GET', url, headers: { accept: 'text/xml' }, body: new Uint8Array(0) } as const;
    const response = await send(request, { limits: connection.limits, signal: context.signal });
    const isOwn = new URL(url).origin === new URL(connection.url).origin;
    const refused = refusedDocument({ url, status: response.status, isOwn }, connection);
    if (refused !== undefined) throw refused;
    if (response.status !== 200)
      throw badAnswer('wsdl', `${url} answered with HTTP ${response.status}`, { httpStatus: response.status });
    const bytes = await readBounded(response.body, mostBytes);
    if (bytes === undefined) throw badAnswer('wsdl-limit', `${url} has more than ${mostBytes} bytes`);
    return bytes;
  };
}
