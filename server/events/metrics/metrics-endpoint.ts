import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { secretCheck } from '../../caller/secret-check.ts';
import type { WrongSecrets } from '../../caller/wrong-secrets.ts';
import type { Access } from '../../http/access.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts';
import { Refusal } from '../../http/problem.ts';

/**
 * What Prometheus asks for, with one of the tokens; without any, nobody may ask.
 * @param wrong counts wrong tokens and refuses those that are too many; absent: they are not counted
 */
export function makeMetricsEndpoint(
  registry: Registry,
  tokens: readonly string[],
  wrong?: WrongSecrets,
): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'service',
    summary: 'tell the state of events, queues and the process, for Prometheus',
    access: metricsAccess(tokens, wrong),
    answers: {
      200: {
        description: 'In the text format of Prometheus',
        content: { 'text/plain': Type.String() },
        headers: { 'Cache-Control': '`no-store`' },
      },
    },
    handle: async (_input, response) => {
      const text = await registry.metrics();
      response.set('Cache-Control', 'no-store').type(registry.contentType).send(text);
    },
  });
}

function metricsAccess(tokens: readonly string[], wrong?: WrongSecrets): Access<undefined> {
  const isToken = secretCheck(tokens);
  return {
    schemes: ['metricsToken'],
    admit: async (request) => {
      const [, given] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
      if (given !== undefined && isToken(given)) return undefined;
      if (given !== undefined) await wrong?.count(request);
      throw new Refusal({
        status: 401,
        code: 'unauthenticated',
        detail: 'metrics are for those who bring ROWGATE_METRICS_TOKEN as Bearer token',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    },
  };
}
