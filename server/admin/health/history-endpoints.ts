import { CommandError, readAppliedMetadata, readHistory } from '../../../permissions/index.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import { compareInThread } from './compare-in-thread.ts';
import { comparisonAnswer, comparisonBody } from './health-bodies.ts';
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

/** Makes the endpoint that says what changed for whom between two applies. */
export function comparisonEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/history/compare',
      operationId: 'compareApplies',
      summary: 'say what changed for which role between two recorded applies',
      body: comparisonBody,
      answer: comparisonAnswer,
      subject: () => ({}),
      work: async ({ old, new: next }, { client, signal }) => {
        const read = async (id: number) => {
          const applied = await readAppliedMetadata(client, id);
          if (applied) return applied;
          throw notRecorded(id);
        };
        const [before, after] = [await read(old), await read(next)];
        const { rolePrefix, headerPrefix, inferFunctionPermissions } = scope.config;
        const naming = { rolePrefix, headerPrefix, inferFunctionPermissions };
        const result = await compareInThread({ before, after, naming }, signal);
        if ('unreadable' in result) throw unreadable(result.unreadable);
        return JSON.stringify(result);
      },
    },
    scope,
  );
}

function notRecorded(id: number): CommandError {
  return new CommandError('RG_USAGE', `no metadata are recorded of an apply ${id}`, {
    hint: 'choose an apply that succeeded, and that is not very old',
    exitCode: 2,
  });
}

function unreadable(reason: string): CommandError {
  return new CommandError(
    'RG_USAGE',
    `this version of the program cannot read the metadata of one of the applies: ${reason}`,
    { hint: 'compare later applies', exitCode: 2 },
  );
}
