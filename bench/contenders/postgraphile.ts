import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import preset from '../metadata/graphile.config.ts';
import { contenderSettings, listening } from './listen.ts';

const { gatewayUrl, poolSize, role } = contenderSettings();
const instance = postgraphile({
  extends: [preset],
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
