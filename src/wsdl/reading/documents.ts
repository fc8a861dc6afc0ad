import type { Kind } from '../../core/errors/kinds.js';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import { schemaNamespace, type Schema } from './components.js';
import { readNodes, type Node } from './node.js';

/** Namespace of the elements of a WSDL. */
export const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';

/** Documents that one description may be made of, and how much may be in them together. */
const mostDocuments = 200;
const mostImports = 10_000;
const mostCharacters = 24 * 1024 * 1024;
/** As many attributes, or a third as many elements, take some 250 MB while they are read. */
const mostNodes = 1_500_000;
const nodesOfElement = 3;
/** It makes a scope of its own: 300,000 of them took 470 MB. */
const nodesOfDeclaration = 7;
const inTree = { maxText: 1024 * 1024, maxNames: 10_000, maxSections: 10_000 } as const;

/** How documents are got. */
export interface Load {
  /** The address of a document that another one names, or of the first one. Throws for one that must not be read. */
  readonly addressOf: (location: string, from: string | undefined) => string;
  readonly textAt: (address: string) => Promise<string>;
}

/** The documents of a description. */
export interface Documents {
  /** Roots of WSDLs, the first one first. */
  readonly definitions: readonly Node[];
  readonly schemas: readonly Schema[];
}

interface DocumentRequest {
  readonly location: string;
  readonly from: string | undefined;
  readonly includer?: string;
  /** Its namespace is one that descriptions name without having it: it may be missing. */
  readonly isWellKnown?: boolean;
}

const tooMuch = (what: string): RelctlError => badAnswer('wsdl-limit', `the description ${what}`);

const toleratedKinds: ReadonlySet<Kind> = new Set(['usage', 'no-answer', 'bad-answer', 'profile', 'local']);

const wellKnownNamespaces =
  /^https?:\/\/(?:www\.w3\.org|docs\.oasis-open\.org|schemas\.xmlsoap\.org\/(?:soap|wsdl|ws))\//;

const isWellKnown = (imported: Node): boolean => wellKnownNamespaces.test(imported.attribute('namespace') ?? '');

/** What reading gives; a mistake in the XML is told with the document that has it, which may be one of many. */
function named<T>(at: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const { facts, message } = RelctlError.from(thrown);
    if (facts.code === undefined || facts.code === 'wsdl-limit') throw thrown;
    throw badAnswer(facts.code, `${forMessage(at, 300)}: ${message}`, facts);
  }
}

class Reader {
  readonly definitions: Node[] = [];
  readonly schemas: Schema[] = [];
  readonly #load: Load;
  readonly #roots = new Map<string, Node>();
  readonly #seen = new Set<string>();
  readonly #pending: DocumentRequest[];
  #characters = 0;
  #nodes = 0;

  constructor(location: string, load: Load) {
    this.#load = load;
    this.#pending = [{ location, from: undefined }];
  }

  async read(): Promise<Documents> {
    // What is wanted grows while it is read.
    for (const next of this.#pending) {
      const reading = this.#readOne(next);
      await reading.catch((thrown: unknown) => {
        // What refers to a well-known schema that is not there, or is a page that says so, is not read, and is named.
        const { kind, facts } = RelctlError.from(thrown);
        if (next.isWellKnown !== true || !toleratedKinds.has(kind) || facts.code === 'wsdl-limit') throw thrown;
      });
    }
    const { definitions, schemas } = this;
    return { definitions, schemas };
  }

  #want(request: DocumentRequest): void {
    this.#pending.push(request);
    if (this.#pending.length > mostImports) throw tooMuch(`imports more than ${mostImports} times`);
  }

  async #readOne({ location, from, includer }: DocumentRequest): Promise<void> {
    const at = this.#load.addressOf(location, from);
    // A schema without a namespace is another one in each namespace that includes it.
    const key = `${includer ?? ''} ${at}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#seen.size > mostDocuments) throw tooMuch(`is made of more than ${mostDocuments} documents`);
    this.#take(this.#roots.get(at) ?? (await this.#rootAt(at)), { at, includer });
  }

  async #rootAt(at: string): Promise<Node> {
    const text = await this.#load.textAt(at);
    this.#characters += text.length;
    if (this.#characters > mostCharacters) throw tooMuch(`is longer than ${mostCharacters} characters`);
    if (/^\ufeff?\s*<(?:!doctype\s+html|html)\b/i.test(text))
      throw badAnswer('wsdl', `${forMessage(at, 300)} is an HTML page, and no WSDL`);
    const root = named(at, () => readNodes(text, { ...inTree, ...this.#counts }));
    this.#roots.set(at, root);
    return root;
  }

  readonly #counts = {
    count: (attributes: number): void => this.#count(nodesOfElement + attributes),
    countDeclaration: (): void => this.#count(nodesOfDeclaration),
  };

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > mostNodes)
      throw tooMuch(
        `has more than ${mostNodes / nodesOfElement} elements, with attributes and namespace declarations counted in part`,
      );
  }

  #take(root: Node, { at, includer }: { readonly at: string; readonly includer: string | undefined }): void {
    const { namespace, local } = root;
    if (namespace === wsdlNamespace && local === 'definitions') this.#takeDefinitions(root, at);
    else if (namespace === schemaNamespace && local === 'schema') this.#takeSchema(root, at, includer);
    else if (namespace === 'http://www.w3.org/ns/wsdl')
      throw badAnswer('wsdl', `${at} is WSDL 2.0, and relctl reads WSDL 1.1`);
    else throw badAnswer('wsdl', `${at} is neither a WSDL nor a schema: its root is <${local}> in '${namespace}'`);
  }

  #takeDefinitions(root: Node, at: string): void {
    this.definitions.push(root);
    for (const child of root.children) {
      const location = child.attribute('location');
      if (child.namespace !== wsdlNamespace) continue;
      if (child.local === 'import' && location !== undefined) this.#want({ location, from: at });
      if (child.local !== 'types') continue;
      for (const schema of child.children)
        if (schema.namespace === schemaNamespace && schema.local === 'schema') this.#takeSchema(schema, at, undefined);
    }
  }

  #takeSchema(root: Node, at: string, includer: string | undefined): void {
    const own = root.attribute('targetNamespace');
    const namespace = own ?? includer ?? '';
    this.schemas.push({ root, namespace, isChameleon: own === undefined && namespace !== '' });
    for (const child of root.children) {
      const location = child.attribute('schemaLocation');
      if (child.namespace !== schemaNamespace || location === undefined) continue;
      if (child.local === 'import') this.#want({ location, from: at, isWellKnown: isWellKnown(child) });
      else if (child.local === 'include' || child.local === 'redefine')
        this.#want({ location, from: at, includer: namespace });
    }
  }
}

/** Reads a WSDL with all that it imports. Throws `bad-answer` for what is none or too large, and what loading throws. */
export const readDocuments = (location: string, load: Load): Promise<Documents> => new Reader(location, load).read();
