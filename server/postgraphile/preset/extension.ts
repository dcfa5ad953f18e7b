import type {
  ExtensionRelationship,
  GraphileModel,
  Model,
  OpenField,
  Position,
} from '../../../permissions/index.ts';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';

/** PostGraphile plugins with the root fields that they open to roles, and relationships from their types to tables. */
export interface Extension {
  /** A unique name. An extension opens only root fields of its own plugins. */
  readonly name: string;
  /** Plugins in addition to those of the preset in graphile.yaml. */
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** Open root fields by name. All other root fields stay closed. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
  /**
   * Whether the relationships also exist in PostGraphile's dialect. Default false, because there the plugins may
   * already add fields for them.
   */
  readonly relatesInBoth?: boolean;
  /** Whether the plugins may run statements. */
  readonly usesDatabase: boolean;
  /** Maximum milliseconds that each root field may wait for services other than Postgres. */
  readonly waitMs: ReadonlyMap<string, number>;
  /**
   * Names of scalars in Hasura's dialect where they differ from the usual ones, by schema coordinate, such as
   * `Type.field`.
   */
  readonly scalarNames: ReadonlyMap<string, string>;
  /** Positions in the metadata of the extension's types and root fields, by name. */
  readonly positions: ReadonlyMap<string, Position>;
  /** The position for mistakes that have no position. */
  readonly position: Position;
}

/** Returns extensions from metadata other than graphile.yaml, such as actions over HTTP. */
export type ExtensionSource = (model: Model) => Promise<readonly Extension[]>;

/** Root fields of plugins that a role may use, by name, with the extensions that open them. */
export type OpenFields = ReadonlyMap<string, Extension>;

/** Name of the extension that consists of the plugins of the preset in graphile.yaml. */
export const PRESET = 'graphile.yaml';

/** Returns the extension for the preset in graphile.yaml. */
export function presetExtension({ extensions, position }: GraphileModel): Extension {
  return {
    ...{ name: PRESET, plugins: [], ...extensions, position, usesDatabase: true },
    ...{ waitMs: new Map(), scalarNames: new Map(), positions: new Map() },
  };
}

/** Returns the fields and relationships of extensions for one role in PostGraphile's dialect. */
export function extensionsOf(extensions: readonly Extension[], view: RoleView) {
  return {
    openFields: openFieldsOf(extensions, ({ roles }) => roles.has(view.role.name)),
    relationships: relationshipsOf(extensions, view),
  };
}

/** Returns the open root fields. @param isOpen selects fields; default: all */
export function openFieldsOf(
  extensions: readonly Extension[],
  isOpen: (field: OpenField) => boolean = () => true,
): OpenFields {
  const open = extensions.flatMap((extension) =>
    [...extension.fields].flatMap(([name, field]) =>
      isOpen(field) ? [[name, extension] as const] : [],
    ),
  );
  return new Map(open);
}

// A relationship finds rows by the values of columns and so reveals these values. The role must be allowed to read the
// columns in every row.
function relationshipsOf(
  extensions: readonly Extension[],
  view: RoleView,
): readonly ExtensionRelationship[] {
  const columns = new Map(
    [...view.tables.values()].map(({ model, select }) => [model.key, new Set(select.columns)]),
  );
  return extensions
    .filter(({ relatesInBoth }) => relatesInBoth)
    .flatMap(({ relationships }) => relationships)
    .filter(({ table, mapping }) =>
      mapping.every(({ column }) => columns.get(table)?.has(column) === true),
    );
}
