import { buildSchema } from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { GraphQLSchema } from 'postgraphile/graphql';
import type { ExtensionRelationship } from '../../../permissions/index.ts';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';
import type { OpenFields } from '../preset/extension.ts';
import type { Gathered } from './gather.ts';
import { makePagingPlugin, type PageLimits, type Pages } from './paging-plugin.ts';
import { relationshipsPlugin } from './relationships-plugin.ts';
import { rememberBehaviorsPlugin } from './remember-behaviors-plugin.ts';
import { makeRoleBehaviorPlugin } from './role-behavior-plugin.ts';
import { RoleObjects } from './role-objects.ts';
import { makeRoleRegistry } from './role-registry.ts';
import { type TouchedKeys, TouchedTablesRecorder } from './touched-tables.ts';

/** The schema of one role in PostGraphile's own dialect. */
export interface RoleSchema {
  readonly schema: GraphQLSchema;
  readonly touched: TouchedKeys;
  /** Root fields of plugins. */
  readonly openFields: OpenFields;
  readonly pages: Readonly<Pages>;
}

export interface RoleSchemaOptions {
  readonly page: PageLimits;
  /** Root fields of plugins that the role may use. */
  readonly openFields: OpenFields;
  /** Relationships from types of extensions to tables that the role reads. */
  readonly relationships: readonly ExtensionRelationship[];
  /** Collects the names that plugins add. */
  readonly found?: FoundNames;
}

/** Collects the names that plugins add to a schema. */
export interface FoundNames {
  /** Root fields, open or not. */
  readonly fields: Set<string>;
  readonly types: Set<string>;
}

/** Builds the schema of one role from the gathered data of all roles. */
export function buildRoleSchema(
  gathered: Gathered,
  view: RoleView,
  { page, openFields, relationships, found }: RoleSchemaOptions,
): RoleSchema {
  const pages: Pages = new Map();
  const objects = new RoleObjects(view, gathered.registry);
  const recorder = new TouchedTablesRecorder(objects);
  const schema = buildSchema(
    {
      ...gathered.preset,
      plugins: [
        rememberBehaviorsPlugin,
        makeRoleBehaviorPlugin(view, objects),
        makePagingPlugin(objects, page, pages),
        recorder.plugin,
        relationshipsPlugin(relationships),
      ],
      schema: {
        rowgateOpenFields: openFields,
        ...(found && { rowgateFoundFields: found.fields, rowgateFoundTypes: found.types }),
      },
    },
    { ...gathered.input, pgRegistry: makeRoleRegistry(gathered.registry, objects) },
  );
  return { schema, touched: recorder.touched, pages, openFields };
}

/** Returns a key that is equal for roles with equal schemas. */
export function schemaKeyOf(view: RoleView, { openFields }: RoleSchemaOptions): string {
  const tables = [...view.tables.values()].map(({ model, rows, writes, select, readable }) => [
    ...[model.key, rows, writes.size, select.limit, select.queryFields, select.columns],
    [...readable.keys()],
  ]);
  return JSON.stringify([view.schemaKey, view.isAdmin, tables, [...openFields.keys()]]);
}
