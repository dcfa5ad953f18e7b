import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from '../contender.ts';
import { processorTime } from '../load/processor-time.ts';
import { quantile } from '../measure.ts';
import type { Clients } from './clients.ts';
import { latenciesOf, type Received, type Write } from './latency.ts';
import { type Audience, type Plan, sizeOf } from './plan.ts';
import { refetchesOf } from './refetches.ts';
import type { Writer } from './writer.ts';

/** The figures of one round with subscribers and writes. */
export interface AudienceFigures extends UsedTime {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly messagesPerSecond: number;
  /** Absent: the server does not count them. */
  readonly refetchesPerWrite?: number;
}

/** A server with its subscribers. */
export interface AudienceTrial {
  readonly name: string;
  readonly server: Contender;
  readonly audience: Audience;
  /** Whether the server has the metrics of Rowgate. */
  readonly hasMetrics: boolean;
}

/** The processor time that was used, in percent of one core. NaN on systems other than Linux. */
export interface UsedTime {
  readonly serverPercent: number;
  readonly postgresPercent: number;
}

/** Everything that all trials use. */
export interface Bench {
  readonly plan: Plan;
  readonly clients: Clients;
  readonly writer: Writer;
  readonly postmaster: number;
}

/** Opens the subscribers, writes, and closes them again. */
export async function runAudience(trial: AudienceTrial, bench: Bench): Promise<AudienceFigures> {
  const { plan, clients } = bench;
  const { server, audience, hasMetrics } = trial;
  const countRefetches = async () => (hasMetrics ? refetchesOf(server.port) : Number.NaN);
  await clients.open(server.port, audience);
  await write(bench, audience, plan.warmUpMs);
  await clients.record();
  const refetchesBefore = await countRefetches();
  const { result, ...used } = await withUsedTime(trial.server, bench.postmaster, () =>
    write(bench, audience, plan.roundMs),
  );
  const refetches = (await countRefetches()) - refetchesBefore;
  await clients.close();
  const { writes, received } = result;
  const times = latenciesOf(writes, received);
  const messages = received.reduce((sum, one) => sum + one.messages.length, 0);
  return {
    ...{ p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), maxMs: quantile(times, 1) },
    messagesPerSecond: (messages * 1000) / plan.roundMs,
    ...used,
    ...(hasMetrics && { refetchesPerWrite: refetches / writes.length }),
  };
}

/** Writes for some time, and waits until each subscriber has received the last write. */
async function write(
  { clients, writer, plan }: Bench,
  { tenants }: Audience,
  milliseconds: number,
): Promise<{ readonly writes: readonly Write[]; readonly received: readonly Received[] }> {
  const perSecond = plan.writesPerSecond;
  const writes = await writer.run({ tenants, perSecond, milliseconds });
  const newest = new Map(writes.map(({ tenant, number }) => [tenant, number]));
  return { writes, received: await clients.take(newest) };
}

/** The memory and processor time of the server with subscribers, while nothing changes. */
export interface IdleFigures extends UsedTime {
  readonly residentMiB: number;
}

/** Measures one round. The subscribers are open. */
export async function runIdle(
  server: Contender,
  { plan, postmaster }: Bench,
  residentMiB: () => number,
): Promise<IdleFigures> {
  const { result: _, ...used } = await withUsedTime(server, postmaster, () => delay(plan.idleMs));
  return { residentMiB: residentMiB(), ...used };
}

async function withUsedTime<Result>(
  server: Contender,
  postmaster: number,
  run: () => Promise<Result>,
): Promise<UsedTime & { readonly result: Result }> {
  const times = () =>
    Promise.all([server.process.pid ?? Number.NaN, postmaster].map((pid) => processorTime(pid)));
  const began = performance.now();
  const [serverBefore = Number.NaN, postgresBefore = Number.NaN] = await times();
  const result = await run();
  const [serverAfter = Number.NaN, postgresAfter = Number.NaN] = await times();
  const elapsedMs = performance.now() - began;
  const percent = (us: number) => us / 10 / elapsedMs;
  return {
    result,
    serverPercent: percent(serverAfter - serverBefore),
    postgresPercent: percent(postgresAfter - postgresBefore),
  };
}

/** Formats an audience as tenants × subscribers. */
export function nameOf(audience: Audience): string {
  return `${audience.tenants} × ${audience.perTenant} = ${sizeOf(audience)}`;
}
