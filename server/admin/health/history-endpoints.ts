import { readHistory } from '../../../permissions/index.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { AdminScope } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import { historyAnswer, historyQuery } from './history-bodies.ts';

const pageSize = 20;

/** Makes the endpoint that lists the recorded applies. */
export function historyEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/history',
      operationId: 'getApplyHistory',
      summary: 'list the recorded applies, the newest first, 20 at a time',
      query: historyQuery,
      answer: historyAnswer,
      work: async ({ before }, readings) => {
        // One more than a page has, to know whether another page follows.
        const limit = pageSize + 1;
        const found = await readings.run((client) =>
          readHistory(client, limit, before === undefined ? undefined : Number(before)),
        );
        const applies = (found ?? []).slice(0, pageSize).map(({ filesHash: _, ...shown }) => shown);
        const next = (found?.length ?? 0) > pageSize ? applies.at(-1)?.id : undefined;
        return JSON.stringify({ applies, next });
      },
    },
    scope,
  );
}
