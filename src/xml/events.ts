/** A resolved element or attribute name. Readers hand out the same object for the same name in the same scope. */
export interface XmlName {
  /** Namespace URI, '' for none. */
  readonly namespace: string;
  readonly local: string;
  readonly prefix: string;
}

/** An attribute that is not a namespace declaration. */
export interface XmlAttribute {
  readonly name: XmlName;
  readonly value: string;
}

/** What a reader of XML tells: the one event interface between any parser and everything above it. */
export interface XmlEvents {
  open(name: XmlName, attributes: readonly XmlAttribute[]): void;
  /** Character data between tags. One run of text may come in several pieces; white space between elements comes too. */
  text(text: string): void;
  close(name: XmlName): void;
}

/** A push parser. Feed it bytes as they come; `end` throws when the document is not complete. */
export interface XmlReader {
  /** Throws RelctlError `bad-answer` at the first thing that is not well-formed, refused by policy or over a limit. */
  write(chunk: Uint8Array): void;
  /** Declares the end of input; throws when the root element is not closed. */
  end(): void;
  /** Namespace bound to a prefix in the scope of the element being opened ('' is the default namespace), for QNames in values. */
  namespaceOf(prefix: string): string | undefined;
}

/** Bounds on what a reader takes; reaching one is a `bad-answer` that names the limit. */
export interface XmlLimits {
  /** Decoded document length in UTF-16 units. */
  readonly maxLength: number;
  readonly maxDepth: number;
  readonly maxAttributes: number;
  readonly maxNameLength: number;
  readonly maxElements: number;
}
