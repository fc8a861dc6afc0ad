import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpResponse, Headers } from '../../soap/transport/http.js';
import { serviceName } from '../../wsdl/definitions.js';
import { once } from '../answers.js';
import lines from './style.json' with { type: 'json' };
import { isDirect, isOwnOrigin } from '../http/access.js';
import type { SandboxContext } from '../context.js';

/** Markup that is safe to put into a page. Only the tag below makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A part of a template. Text is escaped, markup is not; undefined gives an empty text. */
export type Part = Html | string | number | undefined | readonly Html[];

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// characters that no document may have, or that would hide text from a reader
const unshowable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => references[character] ?? '').replace(unshowable, '\ufffd');

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map((each) => each.text).join('') : escaped(String(part));
}

/** Tag for templates of markup: everything that is put in is escaped, unless it is markup itself. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + written(parts[index])).join(''));
}

/** The one style sheet of the pages. It stands in each page, so that no page needs a second request. */
const style = `\n${lines.join('\n')}\n`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing is loaded and nothing runs; forms go to this server; no other page may frame it. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no-referrer a browser would not name the origin of our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** A page without its frame. */
export interface PageText {
  readonly status?: number;
  readonly title: string;
  /** The part above the heading. */
  readonly above?: Html;
  readonly body: Part;
}

// The style sheet is ours and holds no markup; escaping would change its hash.
const sheet = new Html(`<style>${style}</style>`);

/** A whole page as an answer. */
export function renderPage({ status = 200, title, above, body }: PageText): HttpResponse {
  const page = markup`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === serviceName ? title : `${title} · ${serviceName}`}</title>
        ${sheet}
      </head>
      <body>
        <header>
          ${above ?? markup`<p>The embedded service of relctl</p>`}
          <h1>${title}</h1>
        </header>
        <main>${body}</main>
        <footer>Served by relctl on this machine, for this machine. The data are made up.</footer>
      </body>
    </html> `;
  return { status, headers, body: once(Buffer.from(page.text)) };
}

/** The sentence that is shown instead of a form (interface document, "What the service does", rule 5). */
export const localOnly = 'The test form is only available for requests from the local machine.';

/** True when a page may show its form: not to other sites that link here or frame us, nor through a proxy. */
export function mayShowForm(headers: Headers): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  const isOurs = headers['origin'] === undefined || isOwnOrigin(headers);
  return isDirect(headers) && isOurs && ['none', 'same-origin'].includes(site) && destination === 'document';
}

const tokens = new WeakMap<SandboxContext['store'], string>();

/** The token of a form, so that only readers of our pages can post it. New with each start. */
export function formToken({ store }: SandboxContext): string {
  const token = tokens.get(store) ?? randomBytes(24).toString('base64url');
  tokens.set(store, token);
  return token;
}

function isToken(token: string, right: string): boolean {
  const [actual, expected] = [Buffer.from(token), Buffer.from(right)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Why a posted form is refused; undefined when it is accepted. Its browser must say that the page is ours. */
export function postRefusal(context: SandboxContext, headers: Headers, token: string): string | undefined {
  const site = headers['sec-fetch-site'];
  const isSameOrigin = headers['origin'] === undefined ? site === 'same-origin' : isOwnOrigin(headers);
  const isOurs = isDirect(headers) && isSameOrigin && (site === undefined || site === 'same-origin');
  if (!isOurs) return localOnly;
  return isToken(token, formToken(context))
    ? undefined
    : 'The form is out of date: the sandbox was restarted. Open its page again.';
}
