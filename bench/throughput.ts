/*
 * Rowgate against an endpoint written by hand and against stock PostGraphile: the same operations on the same
 * database under the same role, asked in turns. Takes about a minute and a half; ROWGATE_BENCH_ROUNDS=1 is quicker.
 */
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
const names = ['gateway', 'by-hand', 'postgraphile'] as const;
type Name = (typeof names)[number];

function targetOf({ name, port }: Contender<Name>, question: Question): Target {
  const query = name === 'postgraphile' ? question.postgraphile : question.hasura;
  const body = (turn: number) => JSON.stringify({ query, variables: question.variables(turn) });
  return { port, path: '/v1/graphql', headers, body, opening: '{"data":{' };
}

/** All must give the same rows before it matters how fast. */
async function compareAnswers(contenders: readonly Contender<Name>[]): Promise<void> {
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
const contenders: Contender<Name>[] = [];
try {
  for (const name of names) contenders.push(await startContender(name, settings));
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
  );
} finally {
  stopContenders(contenders);
  await database.remove();
}
