import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { nextOccurrence } from '../../schedules/occurrence.ts';
import { type Requested, requestRun } from '../../schedules/request-run.ts';
import { markDeadRuns, readHistory, readLastRuns } from '../../schedules/run-store.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import {
  historyBody,
  requestedAnswer,
  runBody,
  runsAnswer,
  schedulesAnswer,
} from './schedule-bodies.ts';
import { changeAnswers, changed, notFound, refuseUnprepared } from './work-errors.ts';

const pageSize = 20;

/** Makes the endpoints about the schedules of `cron.yaml`. */
export function makeScheduleEndpoints(scope: AdminScope): readonly Endpoint[] {
  return [schedulesEndpoint, historyEndpoint, runEndpoint].map((make) => make(scope));
}

function schedulesEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/schedules',
      operationId: 'getSchedules',
      summary: 'list the schedules with their next time and their last run',
      answer: schedulesAnswer,
      work: async (_query, readings) => {
        const { schedules } = scope.model();
        const last = await readings.run(async (client) => {
          await refuseUnprepared(client);
          return readLastRuns(client, [...schedules.keys()]);
        });
        const found = [...schedules.values()].map((schedule) => {
          const { name, cron, timezone, run } = schedule;
          // The result of a run can contain values of rows, so only the recorded history shows it.
          const { detail: _detail, instance: _instance, ...shown } = last.get(name) ?? {};
          return {
            ...{ name, cron, timezone, does: run.kind === 'job' ? run.job : run.webhook },
            next: nextOccurrence(schedule, new Date()),
            last: last.has(name) ? shown : null,
          };
        });
        return JSON.stringify({ schedules: found });
      },
    },
    scope,
  );
}

function historyEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/schedules/history',
      operationId: 'getScheduleHistory',
      summary: 'list the runs of a schedule with their results, the newest first, 20 at a time',
      body: historyBody,
      answer: runsAnswer,
      subject: ({ name }) => ({ subject: name }),
      work: async ({ name, before }, { client }) => {
        await refuseUnprepared(client);
        await markDeadRuns(client);
        const found = await readHistory(client, name, { limit: pageSize + 1, before });
        const runs = found.slice(0, pageSize);
        return JSON.stringify({
          runs,
          next: found.length > pageSize ? runs.at(-1)?.id : undefined,
        });
      },
    },
    scope,
  );
}

const refusals: Readonly<Record<Exclude<Requested, 'requested'>, string>> = {
  waiting: 'a run was requested already, and has not ended',
  running: 'the schedule is running now',
  changed: 'a run has begun since you looked; look at it first',
};

function runEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/schedules/run',
      operationId: 'runSchedule',
      summary: 'make a worker run a schedule once, now',
      description: 'Of several requests that name the same last run, one is accepted.',
      body: runBody,
      answer: requestedAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ name }) => ({ subject: name }),
      work: async ({ name, after }, { client }) => {
        await refuseUnprepared(client);
        await markDeadRuns(client);
        const schedule = scope.model().schedules.get(name);
        if (!schedule) throw notFound(`the metadata has no schedule "${name}"`);
        const requested = await requestRun(client, scope.ownerUrl(), schedule, after);
        if (requested !== 'requested') throw changed(refusals[requested]);
        return JSON.stringify({ isRequested: true });
      },
    },
    scope,
  );
}
