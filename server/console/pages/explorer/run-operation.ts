import { asBytes, fetchFrom, headerPrefix, posted } from '../api/ask-server.ts';

/** An operation with its role. Values of variables stay in the memory of the page. */
export interface Question {
  readonly role: string;
  readonly query: string;
  readonly operationName: string | undefined;
  /** JSON; empty for none. */
  readonly variables: string;
  /** Session variables and other headers by name. Empty values are not sent. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer of the server to an operation. */
export interface OperationAnswer {
  /** Formatted JSON. */
  readonly text: string;
  readonly hasErrors: boolean;
  readonly rows: number;
  /** Milliseconds since the request. */
  readonly ms: number;
}

/** The body of a request for an operation. The variables are inserted as they are, with all digits of their numbers. */
export function bodyOf({ query, operationName, variables }: Question, more = {}): string {
  const rest = JSON.stringify({ query, operationName, ...more });
  return variables.trim() === '' ? rest : `${rest.slice(0, -1)},"variables":${variables}}`;
}

/** Returns the session variables that have a value. */
export function givenHeaders({ headers }: Question): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value.trim() !== ''));
}

function requestOf(question: Question, accept: string): RequestInit {
  const given = Object.entries({
    ...givenHeaders(question),
    [`${headerPrefix}Role`]: question.role,
  });
  const headers = Object.fromEntries(given.map(([name, value]) => [name, asBytes(value)]));
  return posted(bodyOf(question), { ...headers, Accept: accept });
}

/** Runs a query, or a mutation at the path that allows it. @throws ServerError */
export async function runOperation(
  question: Question,
  path: '/admin/graphql' | '/admin/graphql/write',
): Promise<OperationAnswer> {
  const began = performance.now();
  const response = await fetchFrom(path, requestOf(question, 'application/json'));
  const text = await response.text();
  return answerOf(text, performance.now() - began);
}

/**
 * Opens a subscription. Resolves when it has ended, without an error when the signal has aborted.
 * @throws ServerError
 */
export async function subscribe(
  question: Question,
  signal: AbortSignal,
  onAnswer: (answer: OperationAnswer) => void,
): Promise<void> {
  const began = performance.now();
  try {
    const init = requestOf(question, 'text/event-stream');
    const response = await fetchFrom('/admin/graphql', { ...init, signal });
    for await (const text of answersIn(response)) {
      onAnswer(answerOf(text, performance.now() - began));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Reads the events of https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md */
async function* answersIn({ body }: Response): AsyncIterable<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return;
    const events = `${rest}${value}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [name, data = ''] = event.split('\ndata: ');
      if (name === 'event: next') yield data;
    }
  }
}

/** Numbers keep all of their digits where the browser can do so. */
const raw = JSON as unknown as { readonly rawJSON?: (source: string) => unknown };

function answerOf(text: string, ms: number): OperationAnswer {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && raw.rawJSON && context?.source !== undefined
      ? raw.rawJSON(context.source)
      : value;
  const answer = JSON.parse(text);
  const formatted = JSON.stringify(JSON.parse(text, keep), null, 2);
  const roots = Object.values((answer.data ?? {}) as object);
  const rows = roots.reduce((sum, root) => sum + rowsIn([root].flat()), 0);
  return { text: formatted, hasErrors: answer.errors !== undefined, rows, ms };
}

/** Counts the objects in lists, at any depth. */
function rowsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.filter((one) => Object(one) === one).length : 0;
  return Object.values(value).reduce((sum, one) => sum + rowsIn(one), own);
}
