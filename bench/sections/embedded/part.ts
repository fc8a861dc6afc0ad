import type { Found } from '../../figures.js';
import type { Table } from '../../section.js';
import { startService, type Service } from '../../service.js';

/** One table of the embedded service, with its figures. */
export interface Part {
  readonly table: Table;
  readonly figures: Readonly<Record<string, Found>>;
  readonly notes: readonly string[];
}

/** A number of relations in words. */
export const relationsOf = (count: number): string => `${count.toLocaleString('en')} relations`;

/** Runs the service on the data of a folder for as long as something needs it. */
export async function onService<Result>(folder: string, use: (service: Service) => Promise<Result>): Promise<Result> {
  const service = await startService(folder);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}
