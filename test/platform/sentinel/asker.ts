import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql';
import type { TestServer } from '../../support/http.ts';
import { markersIn } from './markers.ts';
import type { Sight } from './sight.ts';

export interface Operation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly path: string };
  }[];
}

/** What has been asked and seen so far. */
export interface Tally {
  operations: number;
  withData: number;
  fields: number;
  bytes: number;
}

const batch = 10;
const inFlight = 4;

/** Asks in one role and looks for forbidden markers in every answer. */
export class Asker {
  readonly sight: Sight;
  readonly tally: Tally = { operations: 0, withData: 0, fields: 0, bytes: 0 };
  /** Lawful markers that have not been seen in any data. */
  readonly unseen: Set<string>;
  readonly #leaks: string[] = [];
  readonly #server: TestServer;
  readonly #headers: Readonly<Record<string, string>>;
  #schema: GraphQLSchema | undefined;

  constructor(server: TestServer, sight: Sight, headers?: Readonly<Record<string, string>>) {
    this.sight = sight;
    this.unseen = new Set(sight.lawful.keys());
    this.#server = server;
    this.#headers = headers ?? headersOf(sight.role.name, sight.variables);
  }

  /** The schema as the role sees it; asked for once. */
  async introspect(): Promise<GraphQLSchema> {
    if (this.#schema) return this.#schema;
    const [answer] = await this.ask([{ query: getIntrospectionQuery() }]);
    // The server's own answer to the query that the client library wrote.
    this.#schema = buildClientSchema(answer?.data as never);
    return this.#schema;
  }

  /** What should not have been answered since the last time. */
  takeLeaks(): readonly string[] {
    return this.#leaks.splice(0);
  }

  /** The value of each root field, many to an operation. @throws where one is refused */
  async fields(fields: readonly string[], perOperation = 20): Promise<readonly unknown[]> {
    const groups = chunk(fields, perOperation);
    const answers = await this.ask(
      groups.map((group) => ({
        query: `{ ${group.map((field, i) => `a${i}: ${field}`).join(' ')} }`,
      })),
    );
    this.tally.fields += fields.length;
    return answers.flatMap(({ data, errors }, at) => {
      if (!data)
        throw new Error(`${JSON.stringify(errors)} for ${groups[at]?.join(' ').slice(0, 500)}`);
      return Object.values(data);
    });
  }

  /** As `fields`, but what is there several times is asked once. */
  async differentFields(fields: readonly string[]): Promise<readonly unknown[]> {
    const different = [...new Set(fields)];
    const answers = await this.fields(different);
    const places = new Map(different.map((field, place) => [field, answers[place]]));
    return fields.map((field) => places.get(field));
  }

  /** The answer to each query; what is there several times is asked once. */
  async askDifferent(queries: readonly string[]): Promise<readonly Answer[]> {
    const different = [...new Set(queries)];
    const answers = await this.ask(different.map((query) => ({ query })));
    const places = new Map(different.map((query, place) => [query, answers[place] ?? {}]));
    return queries.map((query) => places.get(query) ?? {});
  }

  /** The answer to each operation. */
  async ask(operations: readonly Operation[]): Promise<readonly Answer[]> {
    const batches = chunk(operations, batch);
    const answers: (readonly Answer[])[] = batches.map(() => []);
    const queue = batches.entries();
    const work = async () => {
      for (const [at, some] of queue) answers[at] = await this.#send(some);
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return answers.flat();
  }

  async #send(operations: readonly Operation[]): Promise<readonly Answer[]> {
    const response = await this.#server.fetch('/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...this.#secret(), ...this.#headers },
      body: JSON.stringify(operations),
    });
    const text = await response.text();
    const body = JSON.parse(text) as Answer | readonly Answer[];
    const answers = Array.isArray(body) ? (body as readonly Answer[]) : [body as Answer];
    this.#look(operations, text, answers);
    this.tally.operations += operations.length;
    this.tally.withData += answers.filter(({ data }) => data).length;
    this.tally.bytes += text.length;
    return answers;
  }

  #secret(): Readonly<Record<string, string>> {
    return { 'X-Gql-Admin-Secret': this.#server.adminSecret };
  }

  #look(operations: readonly Operation[], text: string, answers: readonly Answer[]): void {
    const found = markersIn(text);
    for (const key of found) this.unseen.delete(key);
    const forbidden = [...found].filter((key) => this.sight.forbidden.has(key));
    if (forbidden.length === 0) return;
    for (const [at, { data, errors }] of answers.entries()) {
      const query = JSON.stringify(operations[at]);
      // An error may say what the client itself has written; data may not, whatever was asked.
      const said = markersIn(query);
      const told = [...markersIn(JSON.stringify(errors) ?? '')].filter((key) => !said.has(key));
      const shown = markersIn(JSON.stringify(data) ?? '');
      for (const key of forbidden) {
        if (!shown.has(key) && !told.includes(key)) continue;
        this.#leaks.push(
          `${this.sight.forbidden.get(key)} in the answer to ${query.slice(0, 500)}`,
        );
      }
    }
  }
}

/** `X-Gql-Role` and the variables, with the prefix that headers have. */
export function headersOf(
  role: string,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(variables).map(([name, value]) => [
    `X-Gql-${name.replaceAll('_', '-')}`,
    value,
  ]);
  return { 'X-Gql-Role': role, ...Object.fromEntries(entries) };
}

function chunk<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
