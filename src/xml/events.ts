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

/** A child of elements that look alike, in one form: white space before its tag and the tag, to the character. */
export interface ElementForm {
  readonly literal: string;
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  /** An empty-element tag. */
  readonly isEmpty: boolean;
}

/** A child of elements that look alike, in all its forms. */
export interface ElementChild {
  /** Its name as it stands in tags. */
  readonly raw: string;
  readonly forms: readonly ElementForm[];
  readonly isOptional: boolean;
}

/** What elements look like that follow each other: children without children, in one order, each in one of some forms. */
export interface ElementTemplate {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  /** The start tag. */
  readonly head: string;
  readonly children: readonly ElementChild[];
  /** White space and the end tag. */
  readonly tail: string;
}

/** Elements that were taken, and why no more of them were. */
export interface ElementRange {
  /** Index behind them. */
  readonly at: number;
  readonly count: number;
  /** UTF-16 units of them. */
  readonly units: number;
  /** Elements that they are and hold. */
  readonly elements: number;
  readonly hasFeed: boolean;
  /** `more`: the next ones may be taken; `cut`: the bytes end within one; `other`: the next one is to be read as text. */
  readonly end: 'more' | 'cut' | 'other';
}

/** Takes elements of one template out of bytes. It takes none that the reader would refuse. */
export interface ElementTaker {
  /** Bytes of UTF-8, whole characters up to an index. */
  begin(bytes: Uint8Array, end: number): void;
  /**
   * Takes elements from an index on.
   * @param most elements that they are and hold, at most
   */
  take(at: number, most: number): ElementRange;
}

/** The events of a reader of XML. */
export interface XmlEvents {
  open(name: XmlName, attributes: readonly XmlAttribute[]): void;
  /** Character data between tags, also white space. One text may come in several pieces. */
  text(text: string): void;
  close(name: XmlName): void;
  /** A processing instruction, wherever it stands, by its target. The XML declaration is none. */
  instruction?(target: string): void;
  /** A whole comment, wherever it stands. */
  comment?(): void;
  /** What takes the next elements out of bytes, in the place of their events, where they look as those before them did. */
  elements?(template: ElementTemplate): ElementTaker | undefined;
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
