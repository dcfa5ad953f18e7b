import type { Case, SetUp, Step } from './case-file.ts';
import { isRefusal, type Level, levelOf, lowest } from './compare.ts';
import type { Result } from './expectations.ts';
import { type Answer, makeWorld, type Site, type World } from './world.ts';

/** Called with the result of each case. */
export type OnResult = (result: Result) => void;

interface StepResult {
  readonly level: Level;
  readonly why: string;
}

const shownLength = 1500;

/** Runs the cases of a set-up in order. They share one database as long as it stays usable. */
export async function runSetUp(setUp: SetUp, site: Site, onResult: OnResult): Promise<void> {
  let world: World | undefined;
  for (const testCase of setUp.cases) {
    const ends = testCase.scope === 'method' || testCase.snapshots !== undefined;
    try {
      world ??= await makeWorld(setUp, site);
      onResult({ id: testCase.id, ...(await runCase(world, setUp, testCase)) });
      if (!ends) continue;
    } catch (error) {
      onResult({ id: testCase.id, level: 0, why: (error as Error).message });
    }
    await world?.close();
    world = undefined;
  }
  await world?.close();
}

async function runCase(world: World, setUp: SetUp, testCase: Case): Promise<StepResult> {
  const withValues = testCase.scope === 'class+values';
  if (withValues) await world.sql(setUp.valuesSql);
  const results: StepResult[] = [];
  for (const [index, step] of testCase.steps.entries()) {
    const snapshot = testCase.snapshots?.find((one) => one.step === index);
    if (snapshot) {
      await world.sql(snapshot.sql?.map(({ sql }) => sql) ?? []);
      await world.deploy(snapshot.metadata);
    } else if (step.kind === 'query' && /graphql/.test(step.url ?? '')) {
      const { level, why } = resultOf(step, await world.ask(step));
      results.push({ level, why: why && `step ${index}: ${why}` });
    }
  }
  if (withValues) await world.sql(setUp.valuesTeardownSql);
  return {
    level: lowest(results.map(({ level }) => level)),
    why: results.map(({ why }) => why).find((why) => why !== '') ?? '',
  };
}

function resultOf(step: Step, { status, text }: Answer): StepResult {
  const wantedStatus = step.status ?? status;
  if (status !== wantedStatus) {
    return { level: 0, why: `status ${status} instead of ${wantedStatus}: ${shown(text)}` };
  }
  const answer = parsed(text);
  const right = answersOf(step);
  if (right.length === 0) return resultOfIntent(step, answer, text);
  const level = right.map((one) => levelOf(one, answer)).reduce((a, b) => (b > a ? b : a));
  if (level === 4) return { level, why: '' };
  return {
    level,
    why: `expected ${shown(JSON.stringify(right[0]))}\n      got      ${shown(text)}`,
  };
}

function resultOfIntent(step: Step, answer: unknown, text: string): StepResult {
  const expectsError = step.intent === 'error';
  if (isRefusal(answer) === expectsError) return { level: 4, why: '' };
  return { level: 0, why: `${expectsError ? 'an error' : 'data'} expected: ${shown(text)}` };
}

/** Returns the accepted responses, each as a body. */
function answersOf(step: Step): readonly unknown[] {
  if (step.allowedResponses) return step.allowedResponses.map(bodyOf);
  return step.response === undefined || step.response === null ? [] : [step.response];
}

function bodyOf(allowed: unknown): unknown {
  return (allowed as { readonly response?: unknown }).response ?? allowed;
}

/** Returns the parsed JSON. Text that is not JSON is returned as it is, and equals no expected response. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shown(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
