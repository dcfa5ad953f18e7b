import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql';
import type { TestServer } from '../../support/http.ts';
import { markersIn } from './markers.ts';
import type { RoleView } from './role-view.ts';

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

/** The number of sent operations and of received values. */
export interface Tally {
  operations: number;
  withData: number;
  fields: number;
  bytes: number;
}

const batch = 10;
const inFlight = 4;

/** Sends queries in one role, and looks for forbidden markers in every response. */
export class Probe {
  readonly roleView: RoleView;
  readonly tally: Tally = { operations: 0, withData: 0, fields: 0, bytes: 0 };
  /** Markers that the role must receive and that no response has contained so far. */
  readonly unseen: Set<string>;
  readonly #leaks: string[] = [];
  readonly #server: TestServer;
  readonly #headers: Readonly<Record<string, string>>;
  #schema: GraphQLSchema | undefined;

  constructor(server: TestServer, roleView: RoleView, headers?: Readonly<Record<string, string>>) {
    this.roleView = roleView;
    this.unseen = new Set(roleView.expected.keys());
    this.#server = server;
    this.#headers = headers ?? headersOf(roleView.role.name, roleView.variables);
  }

  /** Returns the schema of the role; sends the introspection query only once. */
  async introspect(): Promise<GraphQLSchema> {
    if (this.#schema) return this.#schema;
    const [answer] = await this.ask([{ query: getIntrospectionQuery() }]);
    // The response of the server to the introspection query of the client library.
    this.#schema = buildClientSchema(answer?.data as never);
    return this.#schema;
  }

  /** Returns the hidden markers that responses have contained since the last call. */
  takeLeaks(): readonly string[] {
    return this.#leaks.splice(0);
  }

  /** Returns the value of each root field, with many in one operation. @throws when a field is refused */
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

  /** Does the same as `fields`, but sends equal fields once. */
  async differentFields(fields: readonly string[]): Promise<readonly unknown[]> {
    const different = [...new Set(fields)];
    const answers = await this.fields(different);
    const places = new Map(different.map((field, place) => [field, answers[place]]));
    return fields.map((field) => places.get(field));
  }

  /** Returns the response to each query; sends equal queries once. */
  async askDifferent(queries: readonly string[]): Promise<readonly Answer[]> {
    const different = [...new Set(queries)];
    const answers = await this.ask(different.map((query) => ({ query })));
    const places = new Map(different.map((query, place) => [query, answers[place] ?? {}]));
    return queries.map((query) => places.get(query) ?? {});
  }

  /** Returns the response to each operation. */
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
    const forbidden = [...found].filter((key) => this.roleView.forbidden.has(key));
    if (forbidden.length === 0) return;
    for (const [at, { data, errors }] of answers.entries()) {
      const query = JSON.stringify(operations[at]);
      // An error may repeat texts of the query. Data must not contain a hidden marker, even if the query contained the
      // marker.
      const inQuery = markersIn(query);
      const inErrors = [...markersIn(JSON.stringify(errors) ?? '')].filter(
        (key) => !inQuery.has(key),
      );
      const shown = markersIn(JSON.stringify(data) ?? '');
      for (const key of forbidden) {
        if (!shown.has(key) && !inErrors.includes(key)) continue;
        this.#leaks.push(
          `${this.roleView.forbidden.get(key)} in the answer to ${query.slice(0, 500)}`,
        );
      }
    }
  }
}

/** Returns `X-Gql-Role` and the variables as headers. */
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
