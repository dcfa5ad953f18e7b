import pg from 'pg';

/** The role and variables of a request, as a gateway sets them. */
export interface Caller {
  /** The Postgres role. */
  readonly role: string;
  /** Session variables by setting name; all others are ''. */
  readonly variables: Readonly<Record<string, string>>;
  /** Every variable that any rule names. */
  readonly known: readonly string[];
}

/** The result of a statement, with all values as Postgres printed them. */
export interface Answer {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly affected: number;
}

/** Runs one statement without converting its result. */
export async function ask(client: pg.ClientBase, text: string): Promise<Answer> {
  const types = { getTypeParser: () => (value: string) => value };
  const result = await client.query<(string | null)[]>({ text, rowMode: 'array', types });
  return { rows: result.rows, affected: result.rowCount ?? 0 };
}

/** Begins a transaction like a gateway: sets the role and every variable, missing ones to ''. */
export async function beginAs(client: pg.ClientBase, caller: Caller): Promise<void> {
  const names = new Set([...caller.known, ...Object.keys(caller.variables)]);
  const settings = [...names].map((name) => [`gql.${name}`, caller.variables[name] ?? '']);
  const calls = [...settings, ['role', caller.role]].map(
    (setting) => `pg_catalog.set_config(${setting.map(pg.escapeLiteral).join(', ')}, true)`,
  );
  await client.query(`begin; select ${calls.join(', ')}`);
}

/** Runs one statement as a role and ends the transaction. Rolls back and throws when the statement fails. */
export async function askAs(
  client: pg.ClientBase,
  caller: Caller,
  text: string,
  end: 'commit' | 'rollback' = 'rollback',
): Promise<Answer> {
  await beginAs(client, caller);
  try {
    const answer = await ask(client, text);
    await client.query(end);
    return answer;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Returns the fields that matter for tests, of the error with which a promise rejects. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ readonly code?: string; readonly message: string; readonly detail?: string }> {
  return promise.then(
    (value) => {
      throw new Error(`nothing failed: ${JSON.stringify(value)}`);
    },
    (error: { code?: string; message: string; detail?: string }) => error,
  );
}
