import type pg from 'pg';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { askOutcome } from './ask-outcome.ts';
import { expectOutcome, type Outcome } from './expect-outcome.ts';
import type { Case, Rows, Schema, Unit } from './vocabulary.ts';
import { type RoleRules, writeMetadataFiles } from './write-rules.ts';
import { dropSql, rowsSql, schemaSql, typesSql } from './write-sql.ts';

/** A case whose outcome differs from the documentation. */
export interface Difference {
  /** The index of the rule in its unit, and of the unit's settings. */
  readonly rule: number;
  readonly setting: number;
  readonly case: Case;
  readonly expected: Outcome;
  readonly actual: Outcome;
}

const dataSetsOfConnection = 10;

/** A database in which cases are tried, one schema after another. */
export class Trial {
  readonly #installation: Installation;
  readonly #superuser: pg.Client;
  #schema: Schema = [];
  #applied = '';
  #gateway: pg.Client | undefined;
  #dataSets = 0;

  private constructor(installation: Installation, superuser: pg.Client) {
    this.#installation = installation;
    this.#superuser = superuser;
  }

  static async start(): Promise<Trial> {
    const installation = await makeInstallation({ rules: {}, schema: typesSql });
    return new Trial(installation, await installation.database.connectSuperuser());
  }

  stop(): Promise<void> {
    return this.#installation.drop();
  }

  /** Replaces the previous tables by these. */
  async use(schema: Schema): Promise<void> {
    const { owner } = this.#installation;
    await owner.query(dropSql(this.#schema));
    this.#schema = schema;
    this.#applied = '';
    await owner.query(schemaSql(schema));
  }

  /**
   * Applies the rules of all roles and no others.
   * @throws MetadataError
   */
  async apply(roles: readonly RoleRules[]): Promise<void> {
    const files = writeMetadataFiles(this.#schema, roles);
    const text = Object.entries(files).map(([name, content]) => `# ${name}\n${content}`);
    if (this.#applied === text.join('\n')) return;
    this.#applied = text.join('\n');
    await this.#installation.rewrite(files);
    await this.#installation.apply();
  }

  /** Returns the metadata that was last applied or refused. */
  applied(): string {
    return this.#applied;
  }

  /** Tries cases on one data set. Returns the first case with an unexpected outcome. */
  async compare(
    rows: Rows,
    cases: readonly (Omit<Difference, 'expected' | 'actual'> & { readonly role: string })[],
  ): Promise<Difference | undefined> {
    await this.#superuser.query(rowsSql(this.#schema, rows));
    const gateway = await this.#connection();
    for (const { role, ...one } of cases) {
      const expected = expectOutcome(this.#schema, one.case);
      const postgresRole = `${this.#installation.prefix}${role}`;
      const actual = await askOutcome(gateway, this.#schema, one.case, postgresRole);
      if (JSON.stringify(expected) !== JSON.stringify(actual)) return { ...one, expected, actual };
    }
    return undefined;
  }

  /**
   * Replaces the connection from time to time, because a setting that was never set is null on a new connection, and ''
   * after its first use.
   */
  async #connection(): Promise<pg.Client> {
    const isWorn = this.#dataSets % dataSetsOfConnection === 0;
    this.#dataSets += 1;
    if (this.#gateway && !isWorn) return this.#gateway;
    await this.#gateway?.end();
    this.#gateway = await this.#installation.connectGateway();
    return this.#gateway;
  }
}

/** Every rule of a unit with each of its settings. */
export function casesOf(unit: Unit): readonly Omit<Difference, 'expected' | 'actual'>[] {
  const { table, rows, candidates } = unit;
  return unit.settings.flatMap((variables, setting) =>
    unit.rules.map((rule, index) => ({
      rule: index,
      setting,
      case: { table, rule, rows, candidates, variables },
    })),
  );
}
