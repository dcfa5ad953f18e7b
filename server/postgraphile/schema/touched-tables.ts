import type { PgCodec } from 'postgraphile/@dataplan/pg';
import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { TableKey } from '../../../permissions/index.ts';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';
import type { TableView } from '../../graphql/schema/view/table-view.ts';
import type { OpenFields } from '../preset/extension.ts';
import type { RoleObjects } from './role-objects.ts';

/** The write of a mutation field to a table. */
export interface Write<Table> {
  readonly table: Table;
  readonly kind: 'insert' | 'update' | 'delete';
}

/**
 * The tables that types and fields of a schema use. They decide which rules apply to an operation, and so which session
 * variables it needs.
 */
export interface Touched<Table> {
  /** Tables by the name of a row type, or of a connection, edge or payload type. */
  readonly types: ReadonlyMap<string, Table>;
  /** Writes by the name of a field of the mutation type. */
  readonly writes: ReadonlyMap<string, Write<Table>>;
}

/** Tables by key instead of by the rules of one role, because several roles can share a schema. */
export type TouchedKeys = Touched<TableKey>;

/** Tables with the rules of one role. */
export interface TouchedTables extends Touched<TableView> {
  /** Root fields of plugins. A field that runs statements may use any table of the role. */
  readonly openFields: OpenFields;
  /** Every table of the role. */
  readonly tables: readonly TableView[];
}

/** Looks up the rules of one role for the tables of a schema. */
export function touchedBy(
  view: RoleView,
  { types, writes }: TouchedKeys,
  openFields: OpenFields,
): TouchedTables {
  const tables = new Map([...view.tables.values()].map((table) => [table.model.key, table]));
  const typed = [...types].flatMap(([name, key]) => {
    const table = tables.get(key);
    return table ? [[name, table] as const] : [];
  });
  const written = [...writes].flatMap(([name, { table: key, kind }]) => {
    const table = tables.get(key);
    return table ? [[name, { table, kind }] as const] : [];
  });
  return {
    ...{ types: new Map(typed), writes: new Map(written), openFields },
    tables: [...view.tables.values()],
  };
}

/** Records the tables of types and fields while a schema is built. */
export class TouchedTablesRecorder {
  readonly #types = new Map<string, TableKey>();
  readonly #writes = new Map<string, Write<TableKey>>();
  readonly plugin: GraphileConfig.Plugin;

  constructor(objects: RoleObjects) {
    const noteType = (name: string, codec: PgCodec | undefined) => {
      const table = codec && objects.tableOf(codec);
      if (table) this.#types.set(name, table.model.key);
    };
    this.plugin = {
      name: 'RowgateTouchedTablesPlugin',
      version: '1.0.0',
      schema: {
        hooks: {
          GraphQLObjectType: (config, _build, { scope }) => {
            noteType(config.name, scope.pgCodec ?? scope.pgTypeResource?.codec);
            return config;
          },
          GraphQLObjectType_fields_field: (field, _build, { scope }) => {
            const kind = kindOf(scope);
            const codec = scope.pgFieldResource?.codec;
            const table = codec && objects.tableOf(codec);
            if (kind && table) this.#writes.set(scope.fieldName, { table: table.model.key, kind });
            return field;
          },
        },
      },
    };
  }

  get touched(): TouchedKeys {
    return { types: this.#types, writes: this.#writes };
  }
}

function kindOf(scope: GraphileBuild.ScopeObjectFieldsField): Write<TableKey>['kind'] | undefined {
  if (scope.isPgCreateMutation) return 'insert';
  if (scope.isPgUpdateMutation) return 'update';
  return scope.isPgDeleteMutation ? 'delete' : undefined;
}
