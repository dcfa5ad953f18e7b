import { Type } from 'typebox';
import { version } from '../version.ts';
import { publicAccess } from './endpoint/access.ts';
import { serviceTag } from './endpoint/api-tag.ts';
import { defineEndpoint, type Endpoint } from './endpoint/define-endpoint.ts';

/**
 * The phase of the process. The process answers requests while `serving`, and finishes running requests while
 * `draining`.
 */
export type Phase = 'starting' | 'serving' | 'draining';

/** The state of the process for the health endpoints. */
export interface ServiceState {
  readonly phase: () => Phase;
  /**
   * Returns the reasons why a load balancer should send no requests to this process; empty when the process is ready.
   */
  readonly unreadiness: () => Promise<readonly string[]>;
}

/** Makes the endpoints for liveness, readiness and the version. */
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
    tag: serviceTag,
    summary: 'check whether the server answers requests',
    access: publicAccess,
    answers: {
      200: { description: 'It does', content },
      503: { description: 'It is starting or stopping', content },
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
  let running: Promise<readonly string[]> | undefined;
  // The endpoint is public and its checks use few connections, so concurrent requests share one check.
  const check = () => {
    running ??= unreadiness().finally(() => {
      running = undefined;
    });
    return running;
  };
  return defineEndpoint({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: serviceTag,
    summary: 'check whether a load balancer should send requests here',
    description:
      'Also checks that the database answers, contains the served rules, and has not drifted from them.',
    access: publicAccess,
    answers: {
      200: { description: 'It should', content },
      503: { description: 'It should not; `reasons` contains the problems', content },
    },
    handle: async (_input, response) => {
      const reasons = phase() === 'serving' ? await check() : [`the server is ${phase()}`];
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
  tag: serviceTag,
  summary: 'read name and version of the server',
  access: publicAccess,
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
