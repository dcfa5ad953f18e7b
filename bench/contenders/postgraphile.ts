import { createServer } from 'node:http';
import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { contenderSettings, listening } from './listen.ts';

const { gatewayUrl, poolSize, role } = contenderSettings();
const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  // Without it lists are offered on indexed columns alone, which is stricter than the others.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: 'list connection resource:insert resource:update' },
  pgServices: [
    makePgService({
      connectionString: gatewayUrl,
      schemas: ['public'],
      pubsub: false,
      poolConfig: { max: poolSize },
    }),
  ],
  grafserv: { graphqlPath: '/v1/graphql', graphiql: false, outputDataAsString: true },
  grafast: {
    explain: false,
    context: (context) => ({
      pgSettings: {
        role,
        'gql.tenant_id': String(context.node?.req.headers['x-gql-tenant-id']),
        statement_timeout: '15000',
      },
    }),
  },
});
const server = createServer();
const serv = instance.createServ(grafserv);
await serv.addTo(server);
await serv.ready();
await listening(server);
