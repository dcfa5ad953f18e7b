import { parse } from 'postgraphile/graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadModel, type Model, type RoleModel } from '../../../permissions/index.ts';
import { withConnection } from '../../../server/db/connection.ts';
import {
  type IntrospectionRequest,
  Introspector,
} from '../../../server/graphql/introspection/introspector.ts';
import type { ModelSource } from '../../../server/graphql/introspection/model-source.ts';
import {
  type Registry,
  readRegistry,
} from '../../../server/graphql/schema/registry/read-registry.ts';
import { makeRoleView } from '../../../server/graphql/schema/view/role-view.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

let gateway: Gateway;
let model: Model;
let registry: Registry;
const introspector = new Introspector();
/** Each test has a version of the model of its own, because all tests use one thread. */
let version = 0;
beforeAll(async () => {
  gateway = await startGateway();
  const { gatewayUrl, folder: metadata, rolePrefix } = gateway;
  model = await withConnection(gatewayUrl, (client) =>
    loadModel({ metadata, client, rolePrefix, headerPrefix: 'X-Gql-' }),
  );
  registry = await readRegistry(gatewayUrl, model.tables.values());
});
afterAll(async () => {
  await introspector.close();
  await gateway.stop();
});
beforeEach(() => {
  version += 1;
});

const source = (): ModelSource => ({ model, registry: registry.data, catalog: undefined });

/** Makes an introspection of a role. `sent` lists the roles and models that the thread has needed. */
function makeRequest(name: string, sent: string[], more: Partial<IntrospectionRequest> = {}) {
  const role = model.roles.get(name) as RoleModel;
  const request: IntrospectionRequest = {
    ...{ version: String(version), asBackend: false, role, maxBytes: 1_000_000 },
    schemaKey: makeRoleView(model, role, registry, false).schemaKey,
    introspection: { document: parse('{ __schema { types { name } } }'), key: undefined },
    variables: new Map(),
    signal: undefined,
    share: { role: name, caller: name, weight: 1 },
    source: () => {
      sent.push('model');
      return source();
    },
    ...more,
  };
  const getRole = () => {
    sent.push(name);
    return role;
  };
  return Object.defineProperty({ ...request }, 'role', { get: getRole });
}

const readable = { __schema: expect.stringContaining('"name":"organization"') };

test('a client that disconnects ends neither the thread nor the requests that wait for it', async () => {
  const sent: string[] = [];
  const gone = new Error('gone');
  const end = new AbortController();
  const first = makeRequest('member', sent, {
    signal: end.signal,
    // The thread runs at this time.
    source: () => {
      sent.push('model');
      end.abort(gone);
      return source();
    },
  });
  const answers = [introspector.answer(first), introspector.answer(makeRequest('member', sent))];
  const [aborted, other] = await Promise.allSettled(answers);
  expect(aborted).toEqual({ status: 'rejected', reason: gone });
  expect(other).toEqual({ status: 'fulfilled', value: readable });
  expect(sent).toEqual(['member', 'model']);
});

test('a waiting request whose client disconnects is rejected with the reason, and the thread never runs it', async () => {
  const sent: string[] = [];
  const gone = new Error('gone');
  const end = new AbortController();
  const running = introspector.answer(makeRequest('member', sent));
  const waiting = introspector.answer(makeRequest('reader', sent, { signal: end.signal }));
  end.abort(gone);
  await expect(waiting).rejects.toBe(gone);
  await running;
  await introspector.answer(makeRequest('member', sent));
  expect(sent).toEqual(['member', 'model']);
});

test('the thread gets a version of the model once, and keeps the schemas of several roles', async () => {
  const sent: string[] = [];
  for (const role of ['member', 'reader', 'member', 'reader']) {
    await introspector.answer(makeRequest(role, sent));
  }
  expect(sent).toEqual(['member', 'model', 'reader']);
  await introspector.answer(makeRequest('member', sent, { version: 'another' }));
  expect(sent.slice(3)).toEqual(['member', 'model']);
});

test('callers take turns, however many requests one of them sends', async () => {
  const order: string[] = [];
  const send = (caller: string) =>
    introspector
      .answer(makeRequest('member', [], { share: { role: 'member', caller, weight: 1 } }))
      .then(() => order.push(caller));
  await Promise.all(['ann', 'ann', 'ann', 'bob'].map(send));
  expect(order).toEqual(['ann', 'ann', 'bob', 'ann']);
});

test('a failure of the thread fails only the running request, and the next request starts a new thread', async () => {
  const broken = () => ({ ...source(), registry: undefined }) as never;
  const sent: string[] = [];
  const failing = makeRequest('member', sent, { source: broken });
  await expect(introspector.answer(failing)).rejects.toThrow('undefined');
  expect(await introspector.answer(makeRequest('member', sent))).toEqual(readable);
  expect(sent).toEqual(['member', 'member', 'model']);
});
