/** A Content-Type header, cut up. */
export interface MediaType {
  /**
   * In lower case, with white space that stands before its `;`, which .asmx services take for a part of the type; '' when
   * there is no header.
   */
  readonly base: string;
  readonly charset: string | undefined;
  /** The `action` parameter of SOAP 1.2. */
  readonly action: string | undefined;
}

const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))/g;

/** Cuts up a Content-Type header; the first parameter of a name counts. Takes anything. */
export function mediaTypeOf(header: string | undefined): MediaType {
  const text = header ?? '';
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted ?? bare);
  }
  return {
    base: (text.split(';')[0] ?? '').trimStart().toLowerCase(),
    charset: parameters.get('charset'),
    action: parameters.get('action'),
  };
}
