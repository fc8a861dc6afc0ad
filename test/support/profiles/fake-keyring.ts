import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program of a keyring that keeps its entries in a folder, and tells what it was called with. */
export interface FakeKeyring {
  /** Put before the PATH. */
  readonly bin: string;
  /** What is kept, by account. */
  readonly entries: () => Readonly<Record<string, string>>;
  readonly put: (account: string, secret: string) => void;
  /** The words of every call, which others can see. */
  readonly calls: () => string;
  /** Makes the program do something else first; a script of sh. */
  readonly first: (script: string) => void;
}

const secretTool = `
what=$1; for last in "$@"; do :; done
file="$ring/$(printf %s "$last" | tr / %)"
case $what in
  lookup) [ -f "$file" ] && cat "$file" || exit 1 ;;
  store) cat > "$file" ;;
  clear) rm -f "$file" ;;
  *) exit 2 ;;
esac
`;

/** As the one of macOS does: -w gives in hex what is not ASCII. */
const security = `
act() {
  what=$1; account=; hex=; shown=
  while [ $# -gt 0 ]; do
    case $1 in -a) account=$2; shift ;; -X) hex=$2; shift ;; -w) shown=1 ;; esac; shift
  done
  file="$ring/$(printf %s "$account" | tr / %)"
  case $what in
    find-generic-password)
      [ -f "$file" ] || { echo "security: The specified item could not be found in the keychain." >&2; exit 44; }
      [ -z "$shown" ] || if LC_ALL=C grep -q '[^ -~]' "$file"; then od -An -tx1 "$file" | tr -d ' \\n'; else cat "$file"; fi ;;
    add-generic-password) printf "$(printf %s "$hex" | sed 's/../\\\\x&/g')" > "$file" ;;
    delete-generic-password) rm "$file" 2>/dev/null || exit 44 ;;
  esac
}
if [ "$1" = -i ]; then while read -r line; do act $line; done; else act "$@"; fi
`;

/** Puts such a program into a folder. */
export function fakeKeyring(folder: string, name: 'secret-tool' | 'security'): FakeKeyring {
  const [bin, ring, log] = [join(folder, 'bin'), join(folder, 'ring'), join(folder, 'calls')];
  mkdirSync(bin, { recursive: true });
  mkdirSync(ring, { recursive: true });
  writeFileSync(log, '');
  const write = (script: string): void => {
    const text = `#!/bin/bash\nring='${ring}'\necho "$@" >> '${log}'\n${script}\n`;
    writeFileSync(join(bin, name), `${text}${name === 'security' ? security : secretTool}`);
    chmodSync(join(bin, name), 0o755);
  };
  write('');
  return {
    bin,
    entries: () =>
      Object.fromEntries(
        readdirSync(ring).map((file) => [file.replaceAll('%', '/'), readFileSync(join(ring, file), 'utf8')]),
      ),
    put: (account, secret) => writeFileSync(join(ring, account.replaceAll('/', '%')), secret),
    calls: () => readFileSync(log, 'utf8'),
    first: write,
  };
}
