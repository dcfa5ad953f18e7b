import type pg from 'pg';
import { catalogParameters, catalogQuery } from './sql.ts';
import type { CatalogData } from './types.ts';

/**
 * Reads the system catalogs of the database, and changes nothing.
 * @param timeoutMs maximum time of the query; absent: the limit of the connection
 * @throws the driver's error if the catalogs cannot be read
 */
export async function inspectCatalog(
  client: pg.ClientBase | pg.Pool,
  timeoutMs?: number,
): Promise<CatalogData> {
  const { rows } =
    timeoutMs === undefined
      ? await client.query<CatalogData>(catalogQuery, catalogParameters)
      : await client.query<CatalogData>(limited(timeoutMs));
  const [data] = rows;
  if (!data) throw new Error('the catalog query answered no row');
  return data;
}

function limited(timeoutMs: number): pg.QueryConfig {
  // pg supports this option per query, but its types do not include it.
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    text: catalogQuery,
    values: catalogParameters,
    query_timeout: timeoutMs,
  };
  return query;
}
