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
import { makeRoleView, type RoleView, variablesOf } from './role-view.ts';
import { readTables, type Table } from './tables.ts';

/** The names of the tested roles. They are known without a database. */
export const roleNames = Object.keys(
  parse(await readFile(path.join(platformMetadata, 'roles.yaml'), 'utf8')).roles,
);

/** A server of the platform whose rows contain markers. */
export interface World {
  readonly server: TestServer;
  readonly log: LogCapture;
  readonly model: Model;
  /** A connection of the superuser. */
  readonly client: pg.Client;
  readonly tables: readonly Table[];
  readonly planted: readonly PlantedRow[];
  /** Session variables of the caller. */
  readonly variables: Readonly<Record<string, string>>;
  /** Session variables of a person in another organization. */
  readonly others: Readonly<Record<string, string>>;
  roleViewOf(role: string): Promise<RoleView>;
  stop(): Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const database = await createDatabase({ from: 'platform' });
  const client = await database.connectSuperuser();
  const log = new LogCapture();
  const logger = makeLogger({ logLevel: 'trace', headerPrefix: 'X-Gql-' }, log);
  // These limits are high, because the tests combine all conditions of a table in a few operations.
  const environment = { ROWGATE_MAX_CROSSINGS: '10000', ROWGATE_MAX_TABLES: '100000' };
  const server = await startTestServer({ database, logger, environment, plugins: true });
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
  const roleViews = new Map<string, Promise<RoleView>>();
  const makeSightOf = (name: string): Promise<RoleView> => {
    const role = model.roles.get(name);
    if (!role) throw new Error(`there is no role ${name}`);
    return makeRoleView(client, role, tables, planted, variables);
  };
  return {
    ...{ server, log, model, client, tables, planted, variables },
    others: variablesOf(model, planted, 'other'),
    roleViewOf: (name) => {
      const roleView = roleViews.get(name) ?? makeSightOf(name);
      roleViews.set(name, roleView);
      return roleView;
    },
    stop: () => stop(server, database),
  };
}

async function stop(server: TestServer, database: TestDatabase): Promise<void> {
  await server.stop();
  await database.drop();
}
