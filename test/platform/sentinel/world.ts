import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { parse } from 'yaml';
import { loadModel, type Model } from '../../../permissions/index.ts';
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { type PlantedRow, plant } from './plant.ts';
import { makeSight, type Sight, variablesOf } from './sight.ts';
import { readTables, type Table } from './tables.ts';

/** The names of the roles that walk, before there is a database. */
export const roleNames = Object.keys(
  parse(await readFile(path.join(platformMetadata, 'roles.yaml'), 'utf8')).roles,
);

/** The platform, full of marked rows and served. */
export interface World {
  readonly server: TestServer;
  readonly log: LogCapture;
  readonly model: Model;
  /** As the superuser. */
  readonly client: pg.Client;
  readonly tables: readonly Table[];
  readonly planted: readonly PlantedRow[];
  /** The caller's. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of somebody of another organization. */
  readonly others: Readonly<Record<string, string>>;
  sightOf(role: string): Promise<Sight>;
  stop(): Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const database = await createDatabase({ from: 'platform' });
  const client = await database.connectSuperuser();
  const log = new LogCapture();
  const logger = makeLogger({ logLevel: 'trace', headerPrefix: 'X-Gql-' }, log);
  // Every condition that a role may set on a table is asked in a few operations.
  const environment = { ROWGATE_MAX_CROSSINGS: '10000', ROWGATE_MAX_TABLES: '100000' };
  const server = await startTestServer({ database, logger, environment });
  const model = await loadModel({
    metadata: platformMetadata,
    client,
    headerPrefix: 'X-Gql-',
  });
  const schemas = new Set([...model.tables.values()].map(({ schema }) => schema));
  const tables = await readTables(client, [...schemas]);
  const planted = await plant(client, tables, model);
  await client.query('analyze');
  const variables = variablesOf(model, planted, 'own');
  const sights = new Map<string, Promise<Sight>>();
  const makeSightOf = (name: string): Promise<Sight> => {
    const role = model.roles.get(name);
    if (!role) throw new Error(`there is no role ${name}`);
    return makeSight(client, role, tables, planted, variables);
  };
  return {
    ...{ server, log, model, client, tables, planted, variables },
    others: variablesOf(model, planted, 'other'),
    sightOf: (name) => {
      const sight = sights.get(name) ?? makeSightOf(name);
      sights.set(name, sight);
      return sight;
    },
    stop: () => stop(server, database),
  };
}

async function stop(server: TestServer, database: TestDatabase): Promise<void> {
  await server.stop();
  await database.drop();
}
