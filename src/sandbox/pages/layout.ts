import type { HttpResponse } from '../../soap/transport/http.js';
import { serviceName } from '../../wsdl/definitions.js';
import { once } from '../answers.js';
import { markup, Html, type Part } from './html.js';
import { style, styleHash } from './style.js';

/** Nothing is loaded and nothing runs; forms go to this server; no other page may frame it. */
const policy = `default-src 'none'; style-src ${styleHash}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

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
  /** What stands above the heading. */
  readonly above?: Html;
  readonly body: Part;
}

// The style sheet is ours and holds no markup; escaping would change its hash.
const sheet = new Html(`<style>${style}</style>`);

/** A whole page as an answer. */
export function pageOf({ status = 200, title, above, body }: PageText): HttpResponse {
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
