import type { Lots } from './disk.js';
import {
  drawnFate,
  type Answer,
  type Fate,
  type Service,
  busyAnswer,
  elementIn,
  operationIn,
  refusal,
  resultOf,
} from './network.js';
import { idOf } from './schedule.js';

/** What a service is like in a run: of a hundred calls so many meet with something. */
export interface Weather {
  readonly faults: number;
  readonly refusals: number;
  readonly busy: number;
  /** Somebody else changes a record. */
  readonly others: number;
  /** A request may come after its client has given it up. */
  readonly isLate: boolean;
}

/** Weather in which nothing goes wrong. */
export const calm: Weather = { faults: 0, refusals: 0, busy: 0, others: 0, isLate: false };

/** What became of the writes of a row, as the service saw it. */
interface RowLog {
  /** When it was carried out. */
  effects: number;
  /** How often its client has got the whole answer that it was. */
  told: number;
  /** How often a request left its client of which that cannot know what became. */
  doubtful: number;
}

interface Product {
  readonly id: string;
  readonly code: string;
  name: string;
  price: string;
}

const productOf = (number: number): string => idOf(60, number);
const activityOf = (number: number): string => idOf(20, number);

const usualFates = ['refused', 'lost', 'unanswered', 'torn'] as const;
const lateFates = ['late', 'silent'] as const;

/** What the rows of a file do. */
export type Does = 'update' | 'add';

const writes: Readonly<Record<Does, string>> = { update: 'ProductUpdate_V2', add: 'ActivityAddProductLine' };

const productText = ({ id, code, name, price }: Product): string =>
  `<PvProductData_V2><Id>${id}</Id><ProductGroupId>${productOf(900)}</ProductGroupId><Code>${code}</Code><Name>${name}</Name>` +
  '<ProductType>Product</ProductType><Unit>0</Unit><IsDivisible>false</IsDivisible>' +
  `<SalesPrice>${price}</SalesPrice><IsSalesPriceInclusiveVat>true</IsSalesPriceInclusiveVat><SalesVatId>${productOf(800)}</SalesVatId>` +
  '<PurchasePrice>1.50</PurchasePrice><IsInactive>false</IsInactive><AllowChangePrice>true</AllowChangePrice>' +
  '<AllowChangeDescription>true</AllowChangeDescription><AllowChangeVat>true</AllowChangeVat><AutoEnableEdit>true</AutoEnableEdit></PvProductData_V2>';

const lineText = (quantity: string): string =>
  `<ProductLineData><Id>${productOf(700)}</Id><Quantity>${quantity}</Quantity><Amount>10.00</Amount><TotalAmount>10.00</TotalAmount>` +
  `<PurchaseAmount>1.50</PurchaseAmount><VatId>${productOf(800)}</VatId><ProductId>${productOf(1)}</ProductId><Period>0</Period></ProductLineData>`;

/** A service that products are changed at, and lines are added at, with a log of its own of what it carried out. */
export class WritesService implements Service {
  readonly #lots: Lots;
  readonly #does: Does;
  readonly #products: Product[];
  readonly #logs = new Map<string, RowLog>();
  /** Ids of products that somebody else has changed. */
  readonly touched = new Set<string>();
  weather: Weather = calm;
  readonly #tell: (line: string) => void;

  constructor(does: Does, count: number, { lots, tell }: { lots: Lots; tell: (line: string) => void }) {
    this.#lots = lots;
    this.#does = does;
    this.#tell = tell;
    this.#products = Array.from({ length: count }, (_, at) => ({
      ...{ id: productOf(at + 1), code: String(at + 1).padStart(5, '0'), name: `Product ${at + 1}`, price: '10.00' },
    }));
  }

  /** The file of rows: each has a number of its own, by which its writes are known again. */
  rows(): { readonly text: string; readonly keys: readonly string[] } {
    const keys = this.#products.map((_, at) => `${100 + at}.${String(10 + this.#lots(90))}`);
    const update = (): string[] =>
      this.#products.map(({ code }, at) => `${code},${this.#lots(12) === 0 ? '10.00' : (keys[at] ?? '')}`);
    const add = (): string[] => keys.map((key) => `${activityOf(1 + this.#lots(3))},00001,${key}`);
    const lines = this.#does === 'update' ? ['Code,SalesPrice', ...update()] : ['id,product,quantity', ...add()];
    return { text: `${lines.join('\n')}\n`, keys };
  }

  log(key: string): RowLog {
    const found = this.#logs.get(key) ?? { effects: 0, told: 0, doubtful: 0 };
    this.#logs.set(key, found);
    return found;
  }

  /** The price of the product of a row, from 0. */
  priceOf(row: number): string | undefined {
    return this.#products[row]?.price;
  }

  isTouched(row: number): boolean {
    return this.touched.has(this.#products[row]?.id ?? '');
  }

  #keyIn(body: string): string | undefined {
    if (operationIn(body) !== writes[this.#does]) return undefined;
    return elementIn(body, this.#does === 'update' ? 'SalesPrice' : 'quantity');
  }

  fateOf(body: string, isKept: boolean): Fate {
    const key = this.#keyIn(body);
    const fates = this.weather.isLate ? [...usualFates, ...lateFates] : usualFates;
    const fate = drawnFate(this.#lots, { percent: this.weather.faults, fates, isKept });
    if (key !== undefined) this.#tell(`  sends ${key}${fate === 'answered' ? '' : `: ${fate}`}`);
    // Until its answer has come; a connection that is not there takes nothing.
    if (key !== undefined && fate !== 'refused') this.log(key).doubtful += 1;
    return fate;
  }

  answer(body: string): Answer {
    const lots = this.#lots;
    const busy = busyAnswer(lots, this.weather.busy, body);
    if (busy !== undefined) return busy;
    const key = this.#keyIn(body);
    this.#change();
    if (key === undefined) return this.#read(body);
    if (lots(100) < this.weather.refusals) return refusal(lots(2) === 0 ? body : '');
    this.log(key).effects += 1;
    this.#tell(`  carried out: ${key}`);
    if (this.#does === 'update') this.#update(body, key);
    return resultOf(writes[this.#does], this.#does === 'update' ? '' : lineText(key));
  }

  #read(body: string): Answer {
    return resultOf(operationIn(body), `<Products>${this.#products.map(productText).join('')}</Products>`);
  }

  #update(body: string, price: string): void {
    const product = this.#products.find(({ id }) => body.includes(`<Id>${id}</Id>`));
    if (product === undefined) return;
    product.name = elementIn(body.slice(body.indexOf('<productData>')), 'Name');
    product.price = price;
  }

  #change(): void {
    const product = this.#products[this.#lots(this.#products.length)];
    if (product === undefined || this.#lots(100) >= this.weather.others) return;
    this.touched.add(product.id);
    this.#tell(`  somebody changes ${product.code}`);
    product.name = `Changed ${this.#lots(1000)}`;
  }

  delivered(body: string): void {
    const key = this.#keyIn(body);
    if (key !== undefined) this.log(key).told += 1;
  }
}
