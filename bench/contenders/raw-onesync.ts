import { contenderSettings } from './listen.ts';
import { serveFloor } from './raw/endpoint.ts';
import { connectFlightClient, fly } from './raw/flight.ts';
import { IdleList } from './raw/idle-list.ts';

// The same as `raw-floor` with one Sync message for settings and statement. It has no timeouts, cancellation or error
// messages.
const { gatewayUrl, poolSize, role } = contenderSettings();
const connect = () => connectFlightClient(gatewayUrl);
const clients = new IdleList(await Promise.all(Array.from({ length: poolSize }, connect)));

await serveFloor((call) => clients.use((client) => fly(client, call, role)));
