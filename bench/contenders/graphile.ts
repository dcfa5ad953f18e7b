import { openPostGraphile } from '../../server/postgraphile/open-dialect.ts';
import { serveGateway } from './serve-gateway.ts';

await serveGateway(openPostGraphile([]));
