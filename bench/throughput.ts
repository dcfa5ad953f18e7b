/**
 * Compares `/v1/graphql` of Rowgate with a hand-written endpoint, and Rowgate's endpoint for PostGraphile's dialect
 * with unmodified PostGraphile under the same preset. All run the same operations on the same database with the same
 * role, in turns.
 * Takes about two minutes; ROWGATE_BENCH_ROUNDS=1 is quicker. ROWGATE_BENCH_BEFORE names the folder of another checkout
 * with installed packages, whose gateway is measured in the same rounds.
 */
import { join } from 'node:path';
import { type Contender, startContender, stopContenders } from './contender.ts';
import { makeBenchDatabase, metadata } from './database.ts';
import { ask, type Target } from './load.ts';
import { type Question, questions } from './queries.ts';
import { ROUND_MS, report, rounds, runRounds } from './rounds.ts';

const secret = 'benchmark-secret-of-at-least-32-characters';
const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'x-gql-admin-secret': secret,
  'x-gql-role': 'tenant',
  'x-gql-tenant-id': '1',
};
const before = process.env.ROWGATE_BENCH_BEFORE;
const names = [
  'gateway',
  ...(before ? (['before'] as const) : []),
  ...(['by-hand', 'graphile', 'postgraphile'] as const),
];
type Name = (typeof names)[number];

const scriptOf = (name: Name) =>
  name === 'before' && before ? join(before, 'bench/contenders/gateway.ts') : undefined;

function targetOf({ name, port }: Contender<Name>, question: Question): Target {
  const isOther = name === 'postgraphile' || name === 'graphile';
  const query = isOther ? question.postgraphile : question.hasura;
  const body = (turn: number) => JSON.stringify({ query, variables: question.variables(turn) });
  const path = name === 'graphile' ? '/graphql' : '/v1/graphql';
  return { port, path, headers, body, opening: '{"data":{' };
}

/** Checks that all contenders return the same rows. */
async function compareAnswers(contenders: readonly Contender<Name>[]): Promise<void> {
  for (const question of questions) {
    const answers = new Map<Name, string>();
    for (const contender of contenders) {
      const answer = await ask(targetOf(contender, question), 7);
      answers.set(contender.name, withoutTimes(JSON.stringify(JSON.parse(answer))));
    }
    const equal = (one: Name, other: Name) => answers.get(one) === answers.get(other);
    const asBefore = !before || equal('gateway', 'before');
    if (!asBefore || !equal('gateway', 'by-hand') || !equal('graphile', 'postgraphile')) {
      throw new Error(`the answers to "${question.name}" differ`);
    }
  }
}

/** Removes the times from rows, because the contenders insert them one after the other. */
function withoutTimes(text: string): string {
  return text.replace(/("written_?[aA]t":")[^"]*/g, '$1');
}

const database = await makeBenchDatabase();
const settings = {
  ...{ gatewayUrl: database.gatewayUrl, secret, metadata, poolSize: 8 },
  role: `${database.rolePrefix}tenant`,
};
const contenders: Contender<Name>[] = [];
try {
  for (const name of names) contenders.push(await startContender(name, settings, scriptOf(name)));
  await compareAnswers(contenders);
  console.log(`${rounds} rounds of ${ROUND_MS} ms, 16 connections each, node ${process.version}`);
  const trials = questions.flatMap((question) =>
    contenders.map((contender) => ({
      question: question.name,
      contender: contender.name,
      target: targetOf(contender, question),
    })),
  );
  report(
    await runRounds(trials),
    questions.map(({ name }) => name),
    names,
    [
      { contender: 'graphile', of: 'postgraphile' },
      ...(before ? [{ contender: 'gateway', of: 'before' }] : []),
    ],
  );
} finally {
  stopContenders(contenders);
  await database.remove();
}
