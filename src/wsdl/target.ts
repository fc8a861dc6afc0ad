import { XmlReader } from '../xml/reader.js';

const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';

/** Bytes within which the root element of a WSDL has to begin. */
const mostBytes = 64 * 1024;

/** The target namespace of a WSDL by its root; undefined without. Throws `bad-answer`, and what reading throws. */
export async function wsdlTarget(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const root: { isSeen: boolean; target?: string | undefined } = { isSeen: false };
  const reader = new XmlReader({
    open(name, attributes) {
      if (root.isSeen) return;
      root.isSeen = true;
      if (name.local !== 'definitions' || name.namespace !== wsdlNamespace) return;
      root.target = attributes.find(
        (each) => each.name.local === 'targetNamespace' && each.name.namespace === '',
      )?.value;
    },
    text: () => undefined,
    close: () => undefined,
  });
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    reader.write(chunk);
    if (root.isSeen || bytes > mostBytes) break;
  }
  return root.target;
}
