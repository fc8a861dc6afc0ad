import { isRecord, type RecordValue, defined } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { fullResult, isBare } from '../../contract/walk.js';
import { badAnswer } from '../../core/errors/relctl-error.js';
import { isXmlSpace, withoutEnds, forMessage } from '../../core/text/text.js';
import type { ElementTaker, ElementTemplate, XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { nodeOfFields } from '../codec/decode-plan.js';
import { Decoder } from '../codec/decode.js';
import type { DecoderOptions } from '../codec/leaf.js';

/**
 * Reads the response element: at most one result in it (interface document, "What the service does", rule 2). Of an operation
 * whose answer holds the members itself, the response element is the result.
 */
export class ResultReader implements XmlEvents {
  readonly #operation: Operation;
  readonly #namespace: string;
  readonly #decoder: Decoder;
  /** The response element is the result: the reader of the envelope does not pass its tags on. */
  #isWhole = false;
  #depth = 0;
  #count = 0;

  constructor(operation: Operation, options: DecoderOptions) {
    this.#operation = operation;
    this.#namespace = options.namespace;
    const { unnamed } = operation;
    this.#decoder = new Decoder(nodeOfFields(fullResult(operation)), {
      ...options,
      isResult: true,
      ...defined({ unnamed }),
    });
  }

  /** Begins a result that stands in the response element itself. */
  begin(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (!isBare(this.#operation)) return;
    this.#isWhole = true;
    this.#depth = 1;
    this.#decoder.open(name, attributes);
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#depth === 0) this.#begin(name);
    this.#depth += 1;
    this.#decoder.open(name, attributes);
  }

  text(text: string): void {
    if (this.#depth > 0) this.#decoder.text(text);
    else if (/[^ \t\r\n]/.test(text))
      throw badAnswer('envelope', `text beside the result: '${forMessage(withoutEnds(text, isXmlSpace))}'`);
  }

  close(): void {
    this.#depth -= 1;
    this.#decoder.close();
  }

  elements(template: ElementTemplate): ElementTaker | undefined {
    return this.#depth > 0 ? this.#decoder.elements(template) : undefined;
  }

  /** The members of the result: none when absent or empty, all nil when nil. The caller decides if that is enough. */
  result(): RecordValue {
    if (this.#isWhole) this.#decoder.close();
    const { value } = this.#decoder;
    if (isRecord(value)) return value;
    if (value !== null) return {};
    return Object.fromEntries(Object.keys(this.#operation.result).map((member) => [member, null]));
  }

  #begin({ local, namespace }: XmlName): void {
    this.#count += 1;
    const expected = this.#operation.wire?.resultName ?? `${this.#operation.name}Result`;
    if (local === expected && namespace === this.#namespace && this.#count === 1) return;
    const actual = `<${forMessage(local)}> in namespace '${forMessage(namespace, 80)}'`;
    throw badAnswer('wrong-element', `${actual} came where one <${expected}> was expected`);
  }
}
