import type {
  ExtensionRelationship,
  GraphileModel,
  Model,
  OpenField,
  Position,
} from '../../../permissions/index.ts';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';

/** Plugins of PostGraphile, what of them is open to which roles, and the tables that their types lead to. */
export interface Extension {
  /** Sets it apart from others: it opens root fields of its own plugins alone. */
  readonly name: string;
  /** Beside those of the preset that graphile.yaml names. */
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** By root field; all others stay closed. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
  /** Whether PostGraphile's dialect has the relationships too. Default: its plugins may have fields of their own. */
  readonly relatesInBoth?: boolean;
  /** Whether its plugins may run statements. */
  readonly usesDatabase: boolean;
  /** How long root fields may wait for what is not Postgres, in milliseconds. */
  readonly waitMs: ReadonlyMap<string, number>;
  /** Names of scalars in Hasura's dialect, by schema coordinate, where they differ from the usual ones. */
  readonly scalarNames: ReadonlyMap<string, string>;
  /** Where names of its types and root fields stand. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Where mistakes are reported that have no place of their own. */
  readonly position: Position;
}

/** Extensions that other metadata than graphile.yaml asks for, such as actions over HTTP. */
export type ExtensionSource = (model: Model) => Promise<readonly Extension[]>;

/** Root fields of plugins that a role may use, by name, and the extensions that open them. */
export type OpenFields = ReadonlyMap<string, Extension>;

/** The plugins of the preset that graphile.yaml names. */
export const PRESET = 'graphile.yaml';

/** What graphile.yaml opens of the preset that it names. */
export function presetExtension({ extensions, position }: GraphileModel): Extension {
  return {
    ...{ name: PRESET, plugins: [], ...extensions, position, usesDatabase: true },
    ...{ waitMs: new Map(), scalarNames: new Map(), positions: new Map() },
  };
}

/** The part of extensions that one role has in PostGraphile's dialect. */
export function extensionsOf(extensions: readonly Extension[], view: RoleView) {
  return {
    openFields: openFieldsOf(extensions, ({ roles }) => roles.has(view.role.name)),
    relationships: relationshipsOf(extensions, view),
  };
}

/** Root fields that extensions open to any role, or to some. */
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

// A column that the role does not read in each row would show by what it is equal to.
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
