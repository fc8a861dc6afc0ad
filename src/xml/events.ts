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

/** One way in which a child of a flat element stands: its start tag or empty-element tag, to the character. */
export interface FlatForm {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  /** Index of its text within the values of an element; undefined there when the child does not stand in this form. */
  readonly index: number;
  /** An empty-element tag: what stands at the index is no text. */
  readonly isEmpty: boolean;
}

/** What flat elements with the same start tag have in common: children without children, each in one of some forms. */
export interface FlatShape {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  /** In the order of the document. A child that is there in none of its forms is absent. */
  readonly children: readonly (readonly FlatForm[])[];
}

/** An element that holds only elements with nothing but text in them, as a whole. */
export interface FlatElement {
  readonly shape: FlatShape;
  readonly values: readonly (string | undefined)[];
  /** A reference in one of them stood for a character that must not stand in a document as it is. */
  readonly hasControls: boolean;
}

/** A flat element by where the texts of its children are within bytes of UTF-8. It is filled again with the next element. */
export interface FlatBytes {
  readonly shape: FlatShape;
  readonly bytes: Uint8Array;
  /** For each child of the shape: which of its forms it has, -1 when it is absent. */
  readonly forms: Int32Array;
  /** For each child: where its text begins and ends. */
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  /** For each child: 1 when there are references in its text, which may stand for nothing. */
  readonly references: Uint8Array;
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
  /**
   * Takes a whole element in the place of its events; false when they are wanted after all, and nothing was done yet. The
   * reader offers elements that look like the ones before them, never one that it would not take event by event. White
   * space between children is left out.
   */
  flat?(element: FlatElement): boolean;
  wantsBytes?(shape: FlatShape): boolean;
  /** As `flat`, in the place of it, where the reader looked at nothing but bytes. */
  flatBytes?(element: FlatBytes): boolean;
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
