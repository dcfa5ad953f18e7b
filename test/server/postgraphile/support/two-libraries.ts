import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { makeSchema } from 'postgraphile';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { execute, hookArgs } from 'postgraphile/grafast';
import { type ExecutionResult, parse, validate } from 'postgraphile/graphql';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { createDatabase } from '../../../support/database.ts';
import { type Answer, headersOf, startGateway } from '../../graphql/support/gateway.ts';
import { libraryMetadata, librarySchema } from './library.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** The data of an operation, or the messages of its errors. */
export type Outcome = { readonly data: Data } | { readonly errors: readonly string[] };

// Each test knows the shape of its answers.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Data = any;

/** Two databases with the same schema: one is served by Rowgate, the other by unmodified PostGraphile. */
export interface TwoLibraries {
  /** Runs an operation on Rowgate's `/graphql`, by default as admin. */
  rowgate(query: string, variables?: Variables, role?: string): Promise<Outcome>;
  stock(query: string, variables?: Variables): Promise<Outcome>;
  /** Returns all rows of both databases, to compare what mutations have written. */
  rows(): Promise<{ readonly rowgate: unknown; readonly stock: unknown }>;
  stop(): Promise<void>;
}

const ALL_ROWS = `select
  (select json_agg(author order by id) from author) as authors,
  (select json_agg(book order by id) from book) as books,
  (select json_agg(loan order by book_id, reader) from loan) as loans,
  (select json_agg(shelf order by book_id) from shelf) as shelves`;

export async function startTwoLibraries(): Promise<TwoLibraries> {
  const gateway = await startGateway({ schema: librarySchema, metadata: libraryMetadata });
  const database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(librarySchema);
  const superuser = await gateway.database.connectSuperuser();
  const stock = await startStock(database.ownerUrl);
  return {
    rowgate: async (query, variables, role = 'admin') => {
      const init = { headers: headersOf({ role }), body: JSON.stringify({ query, variables }) };
      const response = await gateway.send(init, '/graphql');
      const { data, errors } = (await response.json()) as Answer;
      return errors ? { errors: errors.map(({ message }) => message) } : { data };
    },
    stock: stock.run,
    rows: async () => ({
      rowgate: (await superuser.query(ALL_ROWS)).rows,
      stock: (await owner.query(ALL_ROWS)).rows,
    }),
    stop: async () => {
      await stock.release();
      await database.drop();
      await gateway.stop();
    },
  };
}

async function startStock(connectionString: string) {
  const service = makePgService({ connectionString, schemas: ['public'], pubsub: false });
  const { schema, resolvedPreset } = await makeSchema({
    extends: [PostGraphileAmberPreset, PgAggregatesPreset],
    pgServices: [service],
  });
  const run = async (query: string, variableValues: Variables = {}): Promise<Outcome> => {
    const document = parse(query);
    const invalid = validate(schema, document);
    if (invalid.length > 0) return { errors: invalid.map(({ message }) => message) };
    const args = { schema, document, variableValues, resolvedPreset, requestContext: {} };
    const { data, errors } = (await execute(await hookArgs(args))) as ExecutionResult;
    return errors ? { errors: errors.map(({ message }) => message) } : { data };
  };
  return { run, release: async () => service.release?.() };
}
