import type { EnumerationType, Field, Fields, Operation, Type } from '../../contract/build.js';
import { operations } from '../../contract/service.js';
import { fullResult, soapActionOf, typeName } from '../../contract/walk.js';
import { defined } from '../../core/values/value.js';
import type { DescribedField, DescribedOperation, DescribedType, Description } from '../../wsdl/reading/described.js';
import { matchTypes, resolving, withNamedList, type Named, type Resolve } from './readable.js';

/** The places of a longest row of numbers that rise. */
function rising(numbers: readonly number[]): ReadonlySet<number> {
  /** Of the rows of each length: the place of the smallest last number. */
  const lasts: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    const index = lasts.findIndex((last) => (numbers[last] ?? 0) >= number);
    const length = index === -1 ? lasts.length : index;
    before[at] = lasts[length - 1];
    lasts[length] = at;
  }
  const positions = new Set<number>();
  for (let at = lasts.at(-1); at !== undefined; at = before[at]) positions.add(at);
  return positions;
}

/** The fewest of some names that have to be moved to get from one order to another; names of one order only do not count. */
function movedIn(was: readonly string[], is: readonly string[]) {
  const [old, now] = [was.filter((name) => is.includes(name)), is.filter((name) => was.includes(name))];
  const inOrder = rising(now.map((name) => old.indexOf(name)));
  return now.flatMap((name, at) =>
    inOrder.has(at) ? [] : [{ name, was: old[old.indexOf(name) - 1], is: now[at - 1] }],
  );
}

/** What differs. `message`: the elements of a call, its SOAPAction and credentials. */
type DifferingKind = 'namespace' | 'operation' | 'message' | 'parameter' | 'member' | 'value';

/** How it differs: the description has it more or less than the contract, or otherwise. */
export type How = 'more' | 'less' | 'name' | 'type' | 'order' | 'presence' | 'other';

/** A difference between the contract and what a WSDL says. */
export interface ContractDifference {
  readonly kind: DifferingKind;
  readonly how: How;
  /** The operation, or the record or enumeration of the contract. */
  readonly where: string;
  /** The parameter, member or value; undefined for a whole operation. */
  readonly name?: string;
  readonly contract?: string;
  readonly service?: string;
  /** It is a part of what is sent, of what is read, or of both. */
  readonly isSent: boolean;
  readonly isRead: boolean;
  /** The interface document shows it, so that commands go by the contract and not by an import. */
  readonly isShown: boolean;
  readonly isNeeded: boolean;
  readonly operations: readonly string[];
}

type DifferenceFacts = Pick<ContractDifference, 'kind' | 'how' | 'where' | 'name' | 'contract' | 'service'> &
  Partial<Pick<ContractDifference, 'isShown' | 'isNeeded'>>;

/** Where something is looked at: in what an operation sends or in its answer, and in which record. */
interface ComparedMessage {
  readonly operation: string;
  readonly isSent: boolean;
  readonly where: string;
}

type AddDifference = (facts: Omit<DifferenceFacts, 'kind' | 'where'>) => void;

class Collected {
  readonly #found = new Map<string, { difference: ContractDifference; operations: Set<string> }>();

  add(facts: DifferenceFacts, { operation, isSent }: Pick<ComparedMessage, 'operation' | 'isSent'>): void {
    const { isShown = true, isNeeded = false, ...what } = facts;
    const key = JSON.stringify(what);
    const known = this.#found.get(key);
    const operations = (known?.operations ?? new Set()).add(operation);
    const before = known?.difference ?? { isNeeded: false, isSent: false, isRead: false };
    const difference = {
      ...what,
      isShown,
      operations: [],
      isNeeded: isNeeded || before.isNeeded,
      isSent: isSent || before.isSent,
      isRead: !isSent || before.isRead,
    };
    this.#found.set(key, { difference, operations });
  }

  get all(): readonly ContractDifference[] {
    return [...this.#found.values()].map(({ difference, operations: of }) => ({
      ...difference,
      operations: [...of].filter((name) => Object.hasOwn(operations, name)),
    }));
  }
}

const presenceWords = { req: 'Req', nil: 'Nil', opt: 'Opt' } as const;

/** Members of the result envelope, which answers may have and may leave out where the document does not say so. */
const tolerated: ReadonlySet<string> = new Set(['Result', 'Data']);

class Comparison {
  readonly #resolve: Resolve;
  readonly #collected: Collected;

  constructor({ types }: Description, collected: Collected) {
    this.#resolve = resolving(types);
    this.#collected = collected;
  }

  operation(operation: Operation, described: DescribedOperation): void {
    const at = { operation: operation.name, where: operation.name };
    this.#fields(operation.parameters, described.parameters, { ...at, isSent: true });
    const result = withNamedList(operation, described.result, this.#resolve);
    this.#fields(fullResult(operation), result, { ...at, isSent: false });
  }

  #fields(fields: Fields, described: readonly Named[], message: ComparedMessage): void {
    const byName = new Map(described.map((each) => [each.name, each]));
    const kind = message.isSent && Object.hasOwn(operations, message.where) ? 'parameter' : 'member';
    const add: AddDifference = (facts) => this.#collected.add({ kind, where: message.where, ...facts }, message);
    for (const [name, field] of Object.entries(fields)) {
      const other = byName.get(name);
      if (other !== undefined) this.#field(field, other, { ...message, add });
      else if (!tolerated.has(name) || field.presence === 'req')
        add({ how: 'less', name, contract: typeName(field.type) });
    }
    for (const each of described.filter(({ name }) => !Object.hasOwn(fields, name))) {
      const isNeeded = each.presence === 'req' && message.isSent;
      add({ how: 'more', name: each.name, service: this.#nameOf(each), isNeeded });
    }
    const names = [Object.keys(fields), described.map(({ name }) => name)] as const;
    for (const { name, was, is } of movedIn(...names))
      add({ how: 'order', name, contract: positionWords(was), service: positionWords(is) });
  }

  #field(field: Field, other: Named, { add: addTo, ...message }: ComparedMessage & { add: AddDifference }): void {
    const { name } = other;
    const add = (facts: Pick<DifferenceFacts, 'how' | 'contract' | 'service'>): void =>
      addTo({ name, isShown: field.assumed === undefined, isNeeded: other.presence === 'req', ...facts });
    if (other.element !== undefined) add({ how: 'name', contract: name, service: other.element });
    const isTolerated = tolerated.has(name) && !message.isSent;
    if (field.presence !== other.presence && !isTolerated)
      add({ how: 'presence', contract: presenceWords[field.presence], service: presenceWords[other.presence] });
    const [own, theirs] = [typeName(field.type), this.#nameOf(other)];
    if (other.repeats === true) add({ how: 'type', contract: own, service: theirs });
    else if (!this.#type(field.type, other.type, message)) {
      const items = this.#itemNames(field.type, other.type);
      add({ how: 'type', contract: `${own}${items[0]}`, service: `${theirs}${items[1]}` });
    }
  }

  /** Compares what is within types; false for types that are others. */
  #type(type: Type, described: DescribedType, message: ComparedMessage): boolean {
    const isSame = matchTypes(type, this.#resolve(described), {
      scalar: (own, to) => to.name === own.name && to.as === own.as,
      enumeration: (own, to) => {
        this.#values(own, to.values, message);
        return true;
      },
      list: (own, to) => this.#type(own.item, to.item, message) && own.itemName === to.itemName,
      record: (own, to) => {
        this.#fields(own.fields, to.fields, { ...message, where: own.name });
        return true;
      },
    });
    return isSame ?? false;
  }

  #values({ name: where, values }: EnumerationType, others: readonly string[], message: ComparedMessage): void {
    for (const name of others.filter((value) => !values.includes(value)))
      this.#collected.add({ kind: 'value', how: 'more', where, name }, message);
    for (const name of values.filter((value) => !others.includes(value)))
      this.#collected.add({ kind: 'value', how: 'less', where, name }, message);
  }

  /** What a described type is called, as `typeName` says it of the contract's. */
  #typeName(described: DescribedType): string {
    const to = this.#resolve(described);
    if (to.kind === 'list') return `list of ${this.#typeName(to.item)}`;
    return to.kind === 'scalar' && to.as !== undefined ? `${to.name} (${to.as})` : to.name;
  }

  #nameOf({ type, repeats }: DescribedField): string {
    const name = this.#typeName(type);
    return repeats === true ? `${name}, again and again` : name;
  }

  #itemNames(type: Type, described: DescribedType): readonly [string, string] {
    const names = matchTypes(type, this.#resolve(described), {
      list: ({ itemName: own }, { itemName: to }): readonly [string, string] =>
        own === to ? ['', ''] : [` named ${own}`, ` named ${to}`],
    });
    return names ?? ['', ''];
  }
}

const positionWords = (before: string | undefined): string => (before === undefined ? 'first' : `behind ${before}`);

function messagesOf(
  { name, soapAction, request, response, resultName, takesCredentials }: DescribedOperation,
  namespace: string,
): readonly (readonly [what: string, contract: string, service: string])[] {
  const element = ({ local, namespace: own }: DescribedOperation['request']): string =>
    own === namespace ? local : `${local} in '${own}'`;
  return [
    ['SOAPAction', soapActionOf(namespace, name), soapAction],
    ['request', name, element(request)],
    ['answer', `${name}Response`, element(response)],
    ['result', `${name}Result`, resultName ?? 'the answer itself'],
    ['credentials', 'sent', takesCredentials ? 'sent' : 'not sent'],
  ];
}

/**
 * What a service has otherwise than the contract, by its description: operations, parameters, members, their types, order and
 * presence, values of enumerations.
 * @param namespace that of the profile
 */
export function differencesFromContract(description: Description, namespace: string): readonly ContractDifference[] {
  const collected = new Collected();
  const comparison = new Comparison(description, collected);
  const byName = new Map(description.operations.map((each) => [each.name, each]));
  const at = (operation: string): Pick<ComparedMessage, 'operation' | 'isSent'> => ({ operation, isSent: true });
  if (namespace !== description.namespace)
    collected.add(
      { kind: 'namespace', how: 'other', where: 'all', contract: namespace, service: description.namespace },
      at(''),
    );
  for (const operation of Object.values<Operation>(operations)) {
    const { name } = operation;
    const described = byName.get(name);
    const unread = description.unread.find(({ place: where }) => where === name);
    if (described === undefined) {
      const service = unread === undefined ? undefined : `not read: ${unread.what}`;
      collected.add({ kind: 'operation', how: 'less', where: name, ...defined({ service }) }, at(name));
      continue;
    }
    for (const [what, contract, service] of messagesOf(described, description.namespace))
      if (contract !== service)
        collected.add({ kind: 'message', how: 'other', where: name, name: what, contract, service }, at(name));
    comparison.operation(operation, described);
  }
  for (const { name } of description.operations)
    if (!Object.hasOwn(operations, name)) collected.add({ kind: 'operation', how: 'more', where: name }, at(name));
  return collected.all;
}
