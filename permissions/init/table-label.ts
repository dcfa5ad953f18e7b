import type { CatalogTable } from '../catalog/types.ts';

type Named = Pick<CatalogTable, 'schema' | 'name'>;

/**
 * Returns the name of a table as written on the command line: `author`, or `billing.invoice` outside the schema public.
 */
export function tableLabel({ schema, name }: Named): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

/** Finds a table by `author`, `public.author` or `billing.invoice`. Names with dots need no quotes. */
export function tableNamed<T extends Named>(written: string, tables: readonly T[]): T | undefined {
  return (
    tables.find((table) => tableLabel(table) === written) ??
    tables.find(({ schema, name }) => `${schema}.${name}` === written)
  );
}
