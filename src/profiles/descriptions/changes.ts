import { isDeepStrictEqual } from 'node:util';
import type { DescribedField, DescribedOperation, DescribedType, Description } from '../../wsdl/reading/described.js';
import { matchTypes, resolving, type Resolve } from './readable.js';

/** What became of an operation between two descriptions. */
export interface OperationChange {
  readonly name: string;
  readonly change: 'new' | 'changed' | 'gone';
}

type Pair = readonly [was: DescribedType, now: DescribedType];

/** Compares what two descriptions say. Words are no part of what goes over the wire. */
class Comparison {
  readonly #namespaces: readonly [was: string, now: string];
  readonly #resolve: readonly [was: Resolve, now: Resolve];
  /** Records that were found the same, or are taken for that until a difference shows. */
  readonly #same = new Map<DescribedType, Set<DescribedType>>();

  constructor(before: Description, after: Description) {
    this.#namespaces = [before.namespace, after.namespace];
    this.#resolve = [resolving(before.types), resolving(after.types)];
  }

  isSame(was: DescribedOperation, now: DescribedOperation): boolean {
    if (wireOf(was, this.#namespaces[0]) !== wireOf(now, this.#namespaces[1])) return false;
    const pairs: Pair[] = [];
    const compared: Pair[] = [];
    let isSame =
      this.#takeFields([was.parameters, now.parameters], pairs) && this.#takeFields([was.result, now.result], pairs);
    for (let next = pairs.pop(); isSame && next !== undefined; next = pairs.pop())
      isSame = this.#takeType(next, pairs, compared);
    if (!isSame) for (const [one, other] of compared) this.#same.get(one)?.delete(other);
    return isSame;
  }

  /** Compares fields but for their types, which it puts to the pairs. */
  #takeFields([was, now]: readonly [Fields, Fields], pairs: Pair[]): boolean {
    if (was.length !== now.length) return false;
    return was.every((field, index) => {
      const other = now[index];
      if (other === undefined || !areSameBut('type', field, other)) return false;
      pairs.push([field.type, other.type]);
      return true;
    });
  }

  #takeType([one, other]: Pair, pairs: Pair[], compared: Pair[]): boolean {
    const [before, after] = [this.#resolve[0](one), this.#resolve[1](other)];
    const isSame = matchTypes(before, after, {
      list: (was, now) => {
        pairs.push([was.item, now.item]);
        return areSameBut('item', was, now);
      },
      record: (was, now) => {
        if (now.name !== was.name) return false;
        if (this.#isCompared(was, now)) return true;
        compared.push([was, now]);
        return this.#takeFields([was.fields, now.fields], pairs);
      },
    });
    return isSame ?? areSameBut('doc', before, after);
  }

  #isCompared(was: DescribedType, now: DescribedType): boolean {
    const known = this.#same.get(was) ?? new Set();
    this.#same.set(was, known);
    if (known.has(now)) return true;
    known.add(now);
    return false;
  }
}

type Fields = readonly DescribedField[];

/** True when two things are the same but for their words, and for one member. */
const areSameBut = (member: string, was: object, now: object): boolean =>
  isDeepStrictEqual({ ...was, doc: '', [member]: '' }, { ...now, doc: '', [member]: '' });

/** An operation on the wire, but for its fields; that of the service stands for its namespace, to be reported once. */
function wireOf(operation: DescribedOperation, namespace: string): string {
  const { request, response, soapAction, name, resultName, takesCredentials } = operation;
  return JSON.stringify([
    [name, resultName, takesCredentials],
    [request, response].map((each) => [each.local, each.namespace === namespace ? '' : each.namespace]),
    soapAction.startsWith(namespace) ? soapAction.slice(namespace.length) : soapAction,
  ]);
}

const byName = ({ operations }: Description): ReadonlyMap<string, DescribedOperation> =>
  new Map(operations.map((operation) => [operation.name, operation]));

/** What one description has that another has not, or has otherwise, but for documentation and the namespace. */
export function changesBetween(before: Description, after: Description): readonly OperationChange[] {
  const [old, now] = [byName(before), byName(after)];
  const comparison = new Comparison(before, after);
  const changed = after.operations.flatMap((operation): readonly OperationChange[] => {
    const { name } = operation;
    const was = old.get(name);
    if (was === undefined) return [{ name, change: 'new' }];
    return comparison.isSame(was, operation) ? [] : [{ name, change: 'changed' }];
  });
  const gone = before.operations.filter(({ name }) => !now.has(name));
  return [...changed, ...gone.map(({ name }) => ({ name, change: 'gone' as const }))];
}
