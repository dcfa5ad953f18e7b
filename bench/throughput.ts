/*
 * Rowgate against an endpoint written by hand and against stock PostGraphile: the same operations on the same
 * database under the same role, asked in turns. Takes about a minute and a half; ROWGATE_BENCH_ROUNDS=1 is quicker.
 */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { makeBenchDatabase, metadata } from './database.ts';
import { ask, load, type Round, type Target } from './load.ts';
import { median } from './measure.ts';
import { type Question, questions } from './queries.ts';

const secret = 'benchmark-secret-of-at-least-32-characters';
const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'x-gql-admin-secret': secret,
  'x-gql-role': 'tenant',
  'x-gql-tenant-id': '1',
};
const names = ['gateway', 'by-hand', 'postgraphile'] as const;
type Name = (typeof names)[number];

const rounds = Number(process.env.ROWGATE_BENCH_ROUNDS ?? 5);
const ROUND_MS = 1500;
const WARM_UP_MS = 1000;

interface Contender {
  readonly name: Name;
  readonly port: number;
  readonly process: ChildProcess;
}

function start(name: Name, settings: object): Promise<Contender> {
  const script = path.join(import.meta.dirname, 'contenders', `${name}.ts`);
  const env = {
    ...process.env,
    ROWGATE_BENCH: JSON.stringify(settings),
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
  };
  const child = fork(script, { env });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { port } = message as { port: number };
      resolve({ name, port, process: child });
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with exit code ${code}`)));
  });
}

function targetOf({ name, port }: Contender, question: Question): Target {
  const query = name === 'postgraphile' ? question.postgraphile : question.hasura;
  const body = (turn: number) => JSON.stringify({ query, variables: question.variables(turn) });
  return { port, headers, body };
}

/** Runs every question against every contender, interleaved, so that all meet the same weather. */
async function measure(contenders: readonly Contender[]): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const question of questions) {
      for (const contender of contenders) {
        const target = targetOf(contender, question);
        const result = await load(target, round === 0 ? WARM_UP_MS : ROUND_MS);
        const key = `${question.name}/${contender.name}`;
        if (round > 0) results.set(key, [...(results.get(key) ?? []), result]);
      }
    }
  }
  return results;
}

function report(results: ReadonlyMap<string, readonly Round[]>): void {
  for (const { name: question } of questions) {
    console.log(`\n${question}`);
    const reference = median(rates(results.get(`${question}/by-hand`)));
    for (const name of names) {
      const found = results.get(`${question}/${name}`) ?? [];
      const perSecond = rates(found);
      const spread = `${Math.min(...perSecond).toFixed(0)}..${Math.max(...perSecond).toFixed(0)}`;
      const share = (median(perSecond) / reference).toFixed(2);
      const latency = median(found.map(({ medianMs }) => medianMs)).toFixed(1);
      console.log(
        `  ${name.padEnd(13)}${median(perSecond).toFixed(0).padStart(6)} requests/s  ` +
          `(${spread})`.padEnd(14) +
          `${share} of by-hand  median ${latency} ms`,
      );
    }
  }
}

function rates(found: readonly Round[] | undefined): readonly number[] {
  return (found ?? []).map(({ perSecond }) => perSecond);
}

/** All must give the same rows before it matters how fast. */
async function compareAnswers(contenders: readonly Contender[]): Promise<void> {
  for (const question of questions) {
    const [gateway, byHand] = await Promise.all(
      contenders.slice(0, 2).map((contender) => ask(targetOf(contender, question), 7)),
    );
    if (JSON.stringify(JSON.parse(gateway ?? '')) !== JSON.stringify(JSON.parse(byHand ?? ''))) {
      throw new Error(`the answers to "${question.name}" differ`);
    }
  }
}

const database = await makeBenchDatabase();
const settings = {
  ...{ gatewayUrl: database.gatewayUrl, secret, metadata, poolSize: 8 },
  role: `${database.rolePrefix}tenant`,
};
const contenders: Contender[] = [];
try {
  for (const name of names) contenders.push(await start(name, settings));
  await compareAnswers(contenders);
  console.log(`${rounds} rounds of ${ROUND_MS} ms, 16 connections each, node ${process.version}`);
  report(await measure(contenders));
} finally {
  for (const { process: child } of contenders) {
    child.removeAllListeners('exit');
    child.kill();
  }
  await database.remove();
}
