import { Type } from 'typebox';
import { version } from '../version.ts';
import { everybody } from './endpoint/access.ts';
import { defineEndpoint, type Endpoint } from './endpoint/endpoint.ts';

/** Where the process stands: requests are answered from `serving` on, and finished while `draining`. */
export type Phase = 'starting' | 'serving' | 'draining';

/** What is told of the process itself. */
export interface ServiceState {
  readonly phase: () => Phase;
  /** Why requests should go elsewhere, in sentences; empty where they should not. */
  readonly unreadiness: () => Promise<readonly string[]>;
}

/** Whether the process lives, whether requests should be sent to it, and what it is. */
export function makeServiceEndpoints(state: ServiceState): readonly Endpoint[] {
  return [liveness(state), readiness(state), versionEndpoint];
}

const healthSchema = Type.Object({
  status: Type.Enum(['starting', 'serving', 'draining']),
});

function liveness({ phase }: ServiceState): Endpoint {
  const content = { 'application/json': healthSchema };
  return defineEndpoint({
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'service',
    summary: 'tell whether requests can be served',
    access: everybody,
    answers: {
      200: { description: 'They can', content },
      503: { description: 'Not yet, or not any more', content },
    },
    handle: (_input, response) => {
      const status = phase();
      response.status(status === 'serving' ? 200 : 503).json({ status });
    },
  });
}

const readinessSchema = Type.Object({
  status: Type.Enum(['ready', 'not ready']),
  reasons: Type.Array(Type.String()),
});

function readiness({ phase, unreadiness }: ServiceState): Endpoint {
  const content = { 'application/json': readinessSchema };
  let asking: Promise<readonly string[]> | undefined;
  // Anybody may ask as often as they like, and the few connections for this are those that the probes need.
  const ask = () => {
    asking ??= unreadiness().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return defineEndpoint({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: 'service',
    summary: 'tell whether requests should be sent here',
    description:
      'Also asks whether the database answers, holds the rules that are served, and still guards them.',
    access: everybody,
    answers: {
      200: { description: 'They should', content },
      503: { description: 'They should go elsewhere; `reasons` says why', content },
    },
    handle: async (_input, response) => {
      const reasons = phase() === 'serving' ? await ask() : [`the server is ${phase()}`];
      const isReady = reasons.length === 0;
      response.status(isReady ? 200 : 503);
      response.json({ status: isReady ? 'ready' : 'not ready', reasons });
    },
  });
}

const versionEndpoint = defineEndpoint({
  method: 'get',
  path: '/v1/version',
  operationId: 'getVersion',
  tag: 'service',
  summary: 'tell what answers here',
  access: everybody,
  answers: {
    200: {
      description: 'Name and version of the server',
      content: {
        'application/json': Type.Object({
          server_type: Type.Literal('rowgate'),
          version: Type.String(),
        }),
      },
    },
  },
  handle: (_input, response) => {
    response.json({ server_type: 'rowgate', version });
  },
});
