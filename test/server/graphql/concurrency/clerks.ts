import type { TestServer } from '../../../support/http.ts';

/** The outcome of an operation: its data, or the code of its error. */
export type Outcome =
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape
  { readonly data: any; readonly code?: never } | { readonly code: string; readonly data?: never };

/**
 * Sends one operation, and repeats it while the error code is `conflict`, which means that another transaction
 * interfered.
 */
export type Send = (
  query: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Outcome>;

export const clerks = 8;
const mostTries = 50;

/** Runs eight concurrent clients. Each client sends the given number of operations one after the other. */
export async function letClerksWork(
  server: TestServer,
  operationsEach: number,
  work: (send: Send, clerk: number, turn: number) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const shares = Array.from({ length: clerks }, async (_, clerk) => {
    const outcomes: Outcome[] = [];
    const send: Send = (query, variables) =>
      sendUntilDone(server, `clerk-${clerk}`, query, variables);
    for (let turn = 0; turn < operationsEach; turn += 1) {
      outcomes.push(await work(send, clerk, turn));
    }
    return outcomes;
  });
  return (await Promise.all(shares)).flat();
}

async function sendUntilDone(
  server: TestServer,
  clerk: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Outcome> {
  const headers = { 'X-Gql-Role': 'clerk', 'X-Gql-User-Id': clerk };
  for (let tries = 1; ; tries += 1) {
    const { body } = await server.graphql(query, headers, variables);
    if (body.data) return { data: body.data };
    const { code } = body.errors[0].extensions;
    if (code !== 'conflict' || tries === mostTries) return { code };
  }
}

/** Counts the outcomes by error code. Successful operations are counted as `done`. */
export function tally(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code = 'done' } of outcomes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
