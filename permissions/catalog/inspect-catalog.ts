import type pg from 'pg';
import { catalogParameters, catalogQuery } from './sql.ts';
import type { CatalogData } from './types.ts';

/**
 * Reads the system catalogs of the database, and changes nothing.
 * @throws the driver's error if the catalogs cannot be read
 */
export async function inspectCatalog(client: pg.ClientBase | pg.Pool): Promise<CatalogData> {
  const { rows } = await client.query<CatalogData>(catalogQuery, catalogParameters);
  const [data] = rows;
  if (!data) throw new Error('the catalog query answered no row');
  return data;
}
