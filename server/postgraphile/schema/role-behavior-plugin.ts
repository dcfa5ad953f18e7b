import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';
import type { TableView } from '../../graphql/schema/view/table-view.ts';
import { denied, EVERYTHING } from './behavior-words.ts';
import type { RoleObjects } from './role-objects.ts';

type Entities = GraphileBuild.BehaviorEntities;
type Override<E extends keyof Entities> = (
  entity: Entities[E],
  build: GraphileBuild.Build,
) => readonly string[];

/**
 * Makes the plugin that denies everything that no rule of the role allows. It runs after all other sources of
 * behaviors, such as smart tags, and only denies, so denials of the user's preset remain.
 */
export function makeRoleBehaviorPlugin(
  view: RoleView,
  objects: RoleObjects,
): GraphileConfig.Plugin {
  const foreign = view.isAdmin ? [] : [EVERYTHING];
  return {
    name: 'RowgateRoleBehaviorPlugin',
    version: '1.0.0',
    schema: {
      entityBehavior: {
        pgResource: override<'pgResource'>((resource, build) => {
          if (resource.parameters) return functionDenials(objects, resource, build);
          const table = objects.tableOf(resource.codec);
          if (!table || resource.isVirtual) return [EVERYTHING];
          return tableDenials(table, build);
        }),
        pgResourceUnique: override<'pgResourceUnique'>(
          ([resource, { attributes, isPrimary }], build) => {
            const table = resource.parameters ? undefined : objects.tableOf(resource.codec);
            if (!table || !isFound(table, attributes)) return [EVERYTHING];
            const field = isPrimary ? 'select_by_pk' : 'select';
            const single = isOffered(table, field) ? [] : ['-query:resource:single'];
            return [...tableDenials(table, build), ...single];
          },
        ),
        pgCodec: override<'pgCodec'>((codec, build) => {
          // A union or interface over several tables is denied, because it may return rows of a table without a rule
          // for the role.
          if (codec.polymorphism && !codec.extensions?.isTableLike) return foreign;
          if (!codec.extensions?.isTableLike) return [];
          const table = objects.tableOf(codec);
          if (!table) return [EVERYTHING];
          return [...tableDenials(table, build), ...nodeDenials(table, keyOf(codec, build))];
        }),
        pgCodecAttribute: override<'pgCodecAttribute'>(([codec, name], build) => {
          if (!codec.extensions?.isTableLike) return [];
          const place = objects.placeOf(codec, name, build.input.pgRegistry);
          if (!place) return [EVERYTHING];
          return [
            ...columnDenials(place.table, place.column, build),
            ...(place.isRemote ? ['-attribute:insert -attribute:update'] : []),
          ];
        }),
        pgCodecRelation: override<'pgCodecRelation'>((relation, build) => {
          const from = objects.tableOf(relation.localCodec);
          const to = objects.tableOf(relation.remoteResource.codec);
          if (!from || !to || !objects.isFollowed(from, to, relation)) return [EVERYTHING];
          const ids = objects.isShown(from, to, relation) ? [] : [denied(build, isNodeId)];
          return [...tableDenials(to, build), ...ids];
        }),
        // References of smart tags are denied, because they may lead through tables for which the role has no rule.
        pgCodecRef: override<'pgCodecRef'>(() => foreign),
        pgRefDefinition: override<'pgRefDefinition'>(() => foreign),
      },
    },
  };
}

function override<E extends keyof Entities>(decide: Override<E>) {
  return {
    override: {
      after: ['default', 'inferred', 'override'],
      provides: ['rowgate'],
      callback: (
        behavior: GraphileBuild.BehaviorString,
        entity: Entities[E],
        build: GraphileBuild.Build,
      ) => [behavior, ...decide(entity, build)] as GraphileBuild.BehaviorString[],
    },
  };
}

/** Last parts of the names of behaviors that concern writes and input types. All other behaviors concern reading. */
const WRITING = new Set(['insert', 'update', 'delete', 'record', 'base', 'table']);

/**
 * Whether a behavior (PostGraphile's name for a capability, such as `query:resource:list`) requires permission to read
 * the table.
 */
const isReading = (scope: readonly string[]) => !WRITING.has(scope.at(-1) ?? '');

const isNodeId = (scope: readonly string[]) => scope.includes('nodeId');

/** Whether a behavior reveals the number of rows or another aggregate. */
const isCounting = (scope: readonly string[]) =>
  scope.some((part) => /aggregate|having|groupBy|totalCount/i.test(part));

function tableDenials(table: TableView, build: GraphileBuild.Build): readonly string[] {
  const writes = (['insert', 'update', 'delete'] as const).filter((kind) => !mayWrite(table, kind));
  return [
    ...(isRead(table) ? [] : [denied(build, isReading)]),
    ...(mayCount(table) ? [] : [denied(build, isCounting)]),
    ...(isOffered(table, 'select') ? [] : ['-query:resource:list', '-query:resource:connection']),
    ...writes.map((kind) => `-${kind}`),
  ];
}

function columnDenials(
  table: TableView,
  name: string,
  build: GraphileBuild.Build,
): readonly string[] {
  const isRead = table.select.columns.includes(name);
  const writes = (['insert', 'update'] as const).filter((kind) => !isWritten(table, kind, name));
  return [
    ...(isRead ? [] : [denied(build, isReading)]),
    ...(mayCount(table) ? [] : [denied(build, isCounting)]),
    ...writes.map((kind) => `-attribute:${kind}`),
  ];
}

function functionDenials(
  objects: RoleObjects,
  resource: Entities['pgResource'],
  build: GraphileBuild.Build,
): readonly string[] {
  const use = objects.useOf(resource);
  if (!use) return [EVERYTHING];
  const fields = ['queryField', 'mutationField', 'typeField'].filter((one) => one !== use.as);
  return [
    ...(use.table && !mayCount(use.table) ? [denied(build, isCounting)] : []),
    ...(use.isCounted ? [] : [denied(build, isCounting)]),
    ...fields.map((field) => `-${field}`),
    '-insert -update -delete',
  ];
}

/** Returns the columns of node ids: the primary key, which a smart tag can define for a view. */
function keyOf(codec: Entities['pgCodec'], { input }: GraphileBuild.Build): readonly string[] {
  const resources = Object.values(input.pgRegistry.pgResources);
  const own = resources.find((one) => one.codec === codec && !one.parameters && !one.isVirtual);
  return own?.uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [];
}

// A node id is useful only if the role may find a row by the key.
function nodeDenials(table: TableView, key: readonly string[]): readonly string[] {
  const isNode = isRead(table) && isFound(table, key);
  return isNode && isOffered(table, 'select_by_pk') ? [] : ['-type:node', '-nodeId', '-node'];
}

function isRead({ columns }: TableView): boolean {
  return columns.size > 0;
}

function isOffered({ select }: TableView, field: 'select' | 'select_by_pk'): boolean {
  return select.queryFields?.includes(field) ?? true;
}

/**
 * Whether the role may see the number of rows. All fields that lead to rows of the table share one connection type, so
 * all or none of them have the count.
 */
function mayCount({ select: { allowAggregations, queryFields } }: TableView): boolean {
  const isHidden = queryFields?.includes('select') && !queryFields.includes('select_aggregate');
  return allowAggregations && !isHidden;
}

/**
 * Whether the role may write the table in this dialect. PostGraphile cannot write a table that the role reads or writes
 * through a view.
 */
function mayWrite(table: TableView, kind: 'insert' | 'update' | 'delete'): boolean {
  if (table.rows || table.writes.size > 0) return false;
  if (kind === 'insert') return table.insert !== undefined;
  return kind === 'delete' ? table.delete !== undefined : (table.update?.columns.size ?? 0) > 0;
}

function isWritten(table: TableView, kind: 'insert' | 'update', name: string): boolean {
  const columns = table[kind]?.columns.values() ?? [];
  return [...columns].some(({ column }) => column === name);
}

/**
 * Whether the role may find rows by these columns. It must be able to read each of them in every row, because finding a
 * row by a value reveals the value.
 */
export function isFound({ select }: TableView, columns: readonly string[]): boolean {
  return (
    columns.length > 0 &&
    columns.every((name) => select.columns.includes(name) && !select.columnMasks.has(name))
  );
}
