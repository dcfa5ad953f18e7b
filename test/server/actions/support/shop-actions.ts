import { type Receiver, startReceiver } from '../../events/support/receiver.ts';
import {
  type Answer,
  type Ask,
  type Gateway,
  type GatewayOptions,
  headersOf,
  startGateway,
} from '../../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from '../../postgraphile/support/shop.ts';

/** A caller who reads the invoices of one tenant. */
export const clerk: Ask = { role: 'clerk', variables: { 'Tenant-Id': '1' } };

/** A handler of actions, and the options with which a gateway calls it. */
export interface ActionHandler {
  readonly handler: Receiver;
  readonly actions: NonNullable<GatewayOptions['actions']>;
}

/** Starts a handler that answers 7; `{{HANDLER}}` in metadata stands for its URL. */
export async function startHandler(): Promise<ActionHandler> {
  const handler = await startReceiver((response) => response.end('7'));
  const webhooks = {
    baseUrl: handler.url,
    platformSecret: 'p'.repeat(40),
    variable: (name: string) => (name === 'HANDLER' ? handler.url : undefined),
  };
  return { handler, actions: { pool: undefined, webhooks } };
}

/** A gateway of the shop with one handler for all actions. */
export interface ShopActions {
  readonly gateway: Gateway;
  readonly handler: Receiver;
  /** Sends an operation to the endpoint, by default as the clerk. */
  post(query: string, ask?: Ask, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sets how the handler reacts to all later calls. */
  answer(body: unknown, status?: number): void;
  stop(): Promise<void>;
}

/** Serves the shop with additional metadata. `post` of the result sends operations to the given endpoint. */
export async function startShopActions(
  endpoint: string,
  metadata: Readonly<Record<string, string>>,
): Promise<ShopActions> {
  const { handler, actions } = await startHandler();
  const gateway = await startGateway({
    schema: shopSchema,
    metadata: { ...shopMetadata, ...metadata },
    actions,
  });
  return {
    gateway,
    handler,
    post: (query, ask = clerk, headers = {}) => postTo(gateway, endpoint, { query, ask, headers }),
    answer: (body, status = 200) => {
      handler.react = (response) => response.writeHead(status).end(JSON.stringify(body));
    },
    stop: async () => {
      await gateway.stop();
      await handler.close();
    },
  };
}

interface Posted {
  readonly query: string;
  readonly ask?: Ask;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an operation to an endpoint of a gateway, by default as the clerk. */
export async function postTo(
  gateway: Pick<Gateway, 'send'>,
  endpoint: string,
  { query, ask = clerk, headers = {} }: Posted,
): Promise<Answer> {
  const init = { headers: { ...headersOf(ask), ...headers }, body: JSON.stringify({ query }) };
  return (await gateway.send(init, endpoint)).json() as Promise<Answer>;
}
