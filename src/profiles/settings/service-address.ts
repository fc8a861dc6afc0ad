import { wrong } from './headers.js';
import { usage } from '../../core/errors/relctl-error.js';
import { shellWord } from '../../core/text/shell/command.js';

/** The base address of a service. Throws `usage`. */
export function checkedUrl(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // What stands before an @ may be a password.
    throw wrong(`takes an http or https address${text.includes('@') ? '' : `, not '${text}'`}`, path);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong(
      'must not hold a user name or password. The user of the service has settings of its own, userName and password; ' +
        'the login for a gateway, gatewayUser and gatewayPassword',
      path,
    );
  }
  refuseQuery(url, path);
  return text;
}

/** A path as it stands in a URL: written otherwise, what is called would be another text than what is kept. Throws `usage`. */
export function checkedPath(text: string, path: string): string {
  const url =
    /^\/(?!\/)/.test(text) && URL.canParse(text, 'http://service.invalid')
      ? new URL(text, 'http://service.invalid')
      : undefined;
  if (url === undefined || url.origin !== 'http://service.invalid')
    throw wrong(`takes a path that begins with one /, such as /V2/service.asmx, not '${text}'`, path);
  const written = `${url.pathname}${url.search}`;
  if (written === text && !isDescription(url)) return text;
  const meant = isDescription(url) ? url.pathname : written;
  throw usage(path, `${path} takes a path as a URL has it: ${meant}, not '${text}'`, lineWith(path, shellWord(meant)));
}

/** How a value is given again: by a flag, by `--set NAME`, or by a variable. */
export function lineWith(path: string, value: string): string {
  if (!path.startsWith('--')) return `export ${path}=${value}`;
  return `${path}${path.includes(' ') ? '=' : ' '}${value}`;
}

/** True for the address of the description of a service, which is behind its page. */
const isDescription = ({ search }: URL): boolean => /^\?(?:wsdl|singlewsdl|disco|op=.*)$/i.test(search);

/** The path of the .asmx page that an address names; undefined where it names none. */
export function pageOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  return /\.asmx\/?$/i.test(pathname) ? pathname : undefined;
}

/** Only a page that is called as it stands may have a query; one behind a base address would be lost. */
function refuseQuery(url: URL, path: string): void {
  const { origin, pathname, search, hash } = url;
  const isCalled = pageOf(url.href) !== undefined && !isDescription(url);
  if (hash === '' && (search === '' || isCalled)) return;
  throw usage(
    path,
    `${path} takes an address without what stands behind '${search === '' ? '#' : '?'}'`,
    lineWith(path, shellWord(`${origin}${pathname}`)),
  );
}
