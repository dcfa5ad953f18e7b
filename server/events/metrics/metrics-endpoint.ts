import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { secretCheck } from '../../caller/secret-check.ts';
import type { WrongSecrets } from '../../caller/wrong-secrets.ts';
import { Refusal } from '../../http/answers/problem.ts';
import type { Access } from '../../http/endpoint/access.ts';
import { serviceTag } from '../../http/endpoint/api-tag.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { bearer, type SecurityScheme } from '../../http/endpoint/security-scheme.ts';

const metricsToken: SecurityScheme = {
  name: 'metricsToken',
  object: bearer('The token from `ROWGATE_METRICS_TOKEN`.', 'opaque'),
  isLimited: true,
};

/**
 * Makes the metrics endpoint for Prometheus, which requires one of the tokens. Without tokens it refuses every request.
 * @param wrong counts wrong tokens and refuses too many of them; absent: wrong tokens are not counted
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
    tag: serviceTag,
    summary: 'report the state of events, queues and the process, for Prometheus',
    access: metricsAccess(tokens, wrong),
    answers: {
      200: {
        description: 'Metrics in the text format of Prometheus',
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
    schemes: [metricsToken],
    admit: async (request) => {
      const [, given] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
      if (given !== undefined && isToken(given)) return undefined;
      if (given !== undefined) await wrong?.count(request);
      throw new Refusal({
        status: 401,
        code: 'unauthenticated',
        detail: 'metrics require ROWGATE_METRICS_TOKEN as Bearer token',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    },
  };
}
