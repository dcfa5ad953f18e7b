import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { makeSchema } from 'postgraphile';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { grafast } from 'postgraphile/grafast';
import type { GraphQLSchema } from 'postgraphile/graphql';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { inject } from 'vitest';
import { loadModel, type Model, roleNamed } from '../../../../permissions/index.ts';
import type { ActionCaller } from '../../../../server/actions/action-caller.ts';
import { type ActionRunner, makeActionRunner } from '../../../../server/actions/action-runner.ts';
import { ActionWorker } from '../../../../server/actions/action-worker.ts';
import { actionRelationships, actionsPlugin } from '../../../../server/actions/actions-plugin.ts';
import type { WebhookServices } from '../../../../server/delivery/resolve-webhook.ts';
import { requestContext } from '../../../../server/postgraphile/execute/operation-context.ts';
import { relationshipsPlugin } from '../../../../server/postgraphile/schema/relationships-plugin.ts';
import { LogCapture } from '../../../support/log-capture.ts';
import {
  type EventWorld,
  makeEventWorld,
  platformSecret,
} from '../../events/support/event-world.ts';
import { type Receiver, startReceiver } from '../../events/support/receiver.ts';

/** A database with an invoice, an HTTP handler, and PostGraphile's schema with the actions of a role. */
export interface ActionsWorld {
  readonly world: EventWorld;
  readonly handler: Receiver;
  readonly model: Model;
  readonly runner: ActionRunner;
  readonly webhooks: WebhookServices;
  /** Returns the lines that were logged since the log was last cleared. */
  logged(): readonly Readonly<Record<string, unknown>>[];
  forgetLog(): void;
  /** Runs a GraphQL operation, by default in the role `user`. */
  run(source: string, options?: RunOptions): Promise<Ran>;
  /** Returns the GraphQL schema that a role sees. */
  schemaOf(role: string): Promise<GraphQLSchema>;
  /** A worker that calls the handlers of asynchronous actions until it is closed. */
  work(): ActionWorker;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly caller?: Partial<ActionCaller>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The JSON of a GraphQL response. */
export interface Ran {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: unknown;
  }[];
}

export interface WorldOptions {
  readonly actions: string;
  /** Environment variables in addition to HANDLER, which holds the URL of the handler. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function makeActionsWorld({
  actions,
  environment = {},
}: WorldOptions): Promise<ActionsWorld> {
  const world = await makeEventWorld();
  const { owner, pool, database, login } = world;
  await owner.query(`
    create table public.invoice (id uuid primary key, total numeric not null, kind text);
    insert into public.invoice values ('00000000-0000-4000-8000-000000000001', 12.50, 'a'),
      ('00000000-0000-4000-8000-000000000002', 2, 'b'), ('00000000-0000-4000-8000-000000000003', 3, 'b'),
      ('00000000-0000-4000-8000-000000000004', 4, 'b');
  `);
  const metadata = await writeMetadata(actions);
  const headerPrefix = 'X-Gql-';
  const model = await loadModel({ metadata, client: owner, headerPrefix });
  const handler = await startReceiver();
  const log = new LogCapture();
  const variables: Readonly<Record<string, string>> = { HANDLER: handler.url, ...environment };
  const webhooks = {
    baseUrl: handler.url,
    platformSecret,
    variable: (name: string) => variables[name],
  };
  const logger = pino({}, log);
  const types = model.customTypes;
  const runner = makeActionRunner({ types, webhooks, pool, headerPrefix, logger });
  const service = makePgService({ connectionString: database.ownerUrl, schemas: ['public'] });
  const schemas = new Map<string, ReturnType<typeof makeSchema>>();
  const made = (role: string) => {
    const offered = [...model.actions.values()].filter(({ roles }) => roles.has(role));
    const plugin = actionsPlugin(offered, { types, runner });
    const relationships = actionRelationships(offered, types);
    const schema =
      schemas.get(role) ??
      makeSchema({
        extends: [PostGraphileAmberPreset],
        plugins: [plugin, relationshipsPlugin(relationships)],
        pgServices: [service],
        schema: { dontSwallowErrors: true },
      });
    schemas.set(role, schema);
    return schema;
  };
  const workers: ActionWorker[] = [];
  return {
    world,
    handler,
    model,
    runner,
    webhooks,
    logged: () =>
      log.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    forgetLog: () => log.forget(),
    schemaOf: async (role) => (await made(role)).schema,
    run: async (source, { caller, variables: variableValues } = {}) => {
      const { role: name, variables, headers } = { ...everybody, ...caller };
      const { schema, resolvedPreset } = await made(name);
      const role = roleNamed(name, 'test', model);
      const request = {
        ...{ caller: { role, variables, isBackend: false }, headers },
        ...{ query: 'the document', signal: undefined },
      };
      const ran = await grafast({
        ...{ schema, source, resolvedPreset, requestContext: {} },
        ...(variableValues && { variableValues }),
        contextValue: { [requestContext]: request },
      });
      return JSON.parse(JSON.stringify(ran));
    },
    work: () => {
      const worker = new ActionWorker({
        ...{ pool, webhooks, logger },
        listenUrl: login.url,
        rules: () => model,
        concurrency: 10,
        retentionDays: 14,
        pollMs: 50,
      });
      workers.push(worker);
      return worker;
    },
    close: async () => {
      for (const worker of workers) await worker.close();
      await service.release?.();
      await handler.close();
      await world.close();
    },
  };
}

/** A caller in the role `user` with the session variable `user_id` 7. */
export const everybody: ActionCaller = {
  role: 'user',
  variables: new Map([['user_id', '7']]),
  headers: {},
};

/** Makes a metadata folder with the table and roles of this world, and the given actions. */
export async function writeMetadata(actions: string): Promise<string> {
  const metadata = await mkdtemp(path.join(inject('scratch'), 'actions-'));
  await mkdir(path.join(metadata, 'tables'));
  const files = {
    'roles.yaml':
      'roles:\n  user: { requires: [X-Gql-User-Id] }\n  reader: {}\n  clerk: { inherits: [user] }\n',
    'tables/invoice.yaml': 'table: invoice\n',
    'actions.yaml': actions,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(metadata, name), text);
  }
  return metadata;
}
