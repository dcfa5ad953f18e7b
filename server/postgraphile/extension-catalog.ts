import { buildInflection } from 'postgraphile/graphile-build';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'postgraphile/graphql';
import {
  type Diagnostic,
  didYouMean,
  type ExtensionRelationship,
  MetadataError,
  type Model,
  type OpenField,
  type Position,
} from '../../permissions/index.ts';
import { errorMessage } from '../errors.ts';
import { OnDemandSchema } from '../graphql/schema/on-demand-schema.ts';
import type { Registry } from '../graphql/schema/registry/read-registry.ts';
import {
  type ExtensionCatalog,
  type ExtensionRootField,
  furtherScalars,
  hasuraScalars,
} from '../graphql/schema/view/extension-catalog.ts';
import { makeRoleView } from '../graphql/schema/view/role-view.ts';
import { type Extension, openFieldsOf } from './preset/extension.ts';
import type { Gathered } from './schema/gather.ts';
import { buildRoleSchema, type RoleSchema } from './schema/role-schema.ts';
import type { FileLimits } from './validate/document-limits.ts';

export interface CatalogOptions {
  readonly model: Model;
  readonly registry: Registry;
  readonly gathered: Gathered;
  readonly extensions: readonly Extension[];
  readonly limits: FileLimits;
}

/**
 * Collects the fields and types that extensions add to Hasura's dialect; undefined when they add none. The source are
 * the schemas of admin, because they contain everything.
 * @throws MetadataError for names that no plugin adds, names that clash, and types that cannot be shown
 */
export function makeExtensionCatalog(options: CatalogOptions): ExtensionCatalog | undefined {
  const { extensions } = options;
  if (extensions.every(({ fields, relationships }) => fields.size + relationships.length === 0)) {
    return undefined;
  }
  const making = startMaking(options);
  const catalog = making.make();
  if (making.problems.length > 0) throw new MetadataError(making.problems);
  return catalog.queries.size + catalog.mutations.size > 0 ? catalog : undefined;
}

function startMaking(options: CatalogOptions): CatalogMaking {
  try {
    return new CatalogMaking(options);
  } catch (error) {
    const problem = problemOf(error, options.extensions);
    throw problem ? new MetadataError([problem]) : error;
  }
}

/**
 * Turns an error of PostGraphile into a diagnostic at the position in the metadata. PostGraphile refuses plugin fields
 * and types whose names it uses itself.
 */
function problemOf(error: unknown, extensions: readonly Extension[]): Diagnostic | undefined {
  const text = errorMessage(error);
  const quoted = /define the same type '(\w+)'|'(\w+)'/.exec(text);
  const name = quoted?.[1] ?? quoted?.[2] ?? '';
  const place = extensions.flatMap(({ positions }) => positions.get(name) ?? [])[0];
  if (place) {
    const message = `"${name}" is a name that PostGraphile has given already`;
    const hint = 'call it otherwise';
    return { code: 'RG_NAME_CONFLICT', severity: 'error', message, hint, position: place };
  }
  const [reason] = text.split('\n');
  const position = extensions[0]?.position;
  const message = `PostGraphile cannot make a schema with the plugins: ${reason}`;
  return position && { code: 'RG_GRAPHILE', severity: 'error', message, position };
}

class CatalogMaking {
  readonly problems: Diagnostic[] = [];
  readonly #options: CatalogOptions;
  readonly #found = { fields: new Set<string>(), types: new Set<string>() };
  readonly #stock: RoleSchema;
  readonly #hasura: GraphQLSchema;
  readonly #scalars: ExtensionCatalog['scalars'];
  readonly #builtin: (name: string) => string;
  readonly #types = new Map<string, GraphQLNamedType>();

  constructor(options: CatalogOptions) {
    this.#options = options;
    const { model, registry, gathered, extensions, limits } = options;
    const admin = model.roles.get('admin');
    if (!admin) throw new Error('there is no role admin');
    const view = makeRoleView(model, admin, registry, true);
    const openFields = openFieldsOf(extensions);
    const stock = { page: limits.page, openFields, relationships: [], found: this.#found };
    this.#stock = buildRoleSchema(gathered, view, stock);
    this.#hasura = new OnDemandSchema(view);
    const inflection = buildInflection(gathered.preset);
    this.#builtin = (name) =>
      Object.hasOwn(hasuraScalars, name) ? inflection.builtin(name) : name;
    this.#scalars = new Map(
      Object.entries(hasuraScalars).map(([name, scalar]) => [this.#builtin(name), scalar]),
    );
  }

  make(): ExtensionCatalog {
    const { extensions, limits } = this.#options;
    const queries = new Map<string, ExtensionRootField>();
    const mutations = new Map<string, ExtensionRootField>();
    const opened = new Set<string>();
    for (const extension of extensions) {
      for (const [name, field] of extension.fields) {
        if (opened.has(name)) this.#report(field.position, `two extensions open a field "${name}"`);
        opened.add(name);
        this.#open(name, field, extension, { queries, mutations });
      }
    }
    this.#refuseClashes();
    const relationships = extensions.flatMap((extension) =>
      extension.relationships.filter((one) => this.#checkRelationship(one, extension.position)),
    );
    return {
      ...{ queries, mutations, relationships, types: this.#types, scalars: this.#scalars },
      stockNames: this.#stockNames(),
      scalarNames: new Map(extensions.flatMap(({ scalarNames }) => [...scalarNames])),
      maxFields: limits.fields,
    };
  }

  #stockNames(): ExtensionCatalog['stockNames'] {
    const further = Object.entries(furtherScalars).map(
      ([name, { stock }]) => [name, this.#builtin(stock)] as const,
    );
    return new Map([
      ...further,
      ...[...this.#scalars].map(([stock, { name }]) => [name, stock] as const),
    ]);
  }

  #report(
    position: Position,
    message: string,
    hint?: string,
    code: Diagnostic['code'] = 'RG_GRAPHILE',
  ) {
    const hinted = hint === undefined ? {} : { hint };
    this.problems.push({ code, severity: 'error', message, position, ...hinted });
  }

  #open(
    name: string,
    { roles, inHasura, position }: OpenField,
    { usesDatabase, waitMs }: Extension,
    { queries, mutations }: Record<'queries' | 'mutations', Map<string, ExtensionRootField>>,
  ): void {
    const { schema } = this.#stock;
    const own = (type: GraphQLObjectType | null | undefined) =>
      this.#found.fields.has(name) ? type?.getFields()[name] : undefined;
    const [query, mutation] = [own(schema.getQueryType()), own(schema.getMutationType())];
    if (!query && !mutation) {
      this.#reportUnknown(name, position);
      return;
    }
    if (!inHasura) return;
    const hasura = [
      [query, queries, this.#hasura.getQueryType()],
      [mutation, mutations, this.#hasura.getMutationType()],
    ] as const;
    for (const [field, fields, root] of hasura) {
      if (!field) continue;
      if (root && (Object.hasOwn(root.getFields(), name) || name === NO_QUERIES)) {
        const message = `/v1/graphql has a root field "${name}" already`;
        const hint = 'call the field of the plugin otherwise, or leave "v1" out';
        this.#report(position, message, hint, 'RG_NAME_CONFLICT');
      }
      this.#addTypes(name, field, position);
      fields.set(name, { field, roles, usesDatabase, waitMs: waitMs.get(name) ?? 0 });
    }
  }

  #reportUnknown(name: string, position: Position): void {
    const { schema } = this.#stock;
    const isStock = [schema.getQueryType(), schema.getMutationType()].some(
      (type) => type && Object.hasOwn(type.getFields(), name),
    );
    if (isStock) {
      const message = `"${name}" is a root field of PostGraphile itself, which the rules of its table open`;
      this.#report(position, message, 'leave it out');
    } else {
      const hint = didYouMean(name, this.#found.fields);
      this.#report(position, `no plugin adds a query or mutation "${name}"`, hint);
    }
  }

  /** Adds the types of a root field and its arguments, and all types that they contain. */
  #addTypes(root: string, field: GraphQLField<unknown, unknown>, position: Position): void {
    const named = [field.type, ...field.args.map(({ type }) => type)];
    for (const type of named.map((one) => getNamedType(one))) {
      if (isSpecifiedScalarType(type) || this.#types.has(type.name)) continue;
      const problem = this.#problemOf(type);
      if (problem !== undefined) {
        const message = `the field "${root}" cannot be in /v1/graphql: its type "${type.name}" ${problem}`;
        const hint = 'return a type of the plugin, and name a relationship to the table';
        this.#report(position, message, hint);
        continue;
      }
      this.#types.set(type.name, type);
      if (isObjectType(type)) {
        for (const inner of Object.values(type.getFields())) {
          if (!this.#isReplaced(type, inner)) this.#addTypes(root, inner, position);
        }
      }
      if (isInputObjectType(type)) {
        for (const { type: innerType } of Object.values(type.getFields())) {
          this.#addTypes(root, { type: innerType, args: [] } as never, position);
        }
      }
    }
  }

  /**
   * Whether a relationship replaces the field in Hasura's dialect, which then omits the field. In PostGraphile's
   * dialect the field itself returns the rows.
   */
  #isReplaced(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
    const isRelated = this.#options.extensions.some(({ relationships }) =>
      relationships.some(({ typeName, name }) => typeName === type.name && name === field.name),
    );
    return isRelated && this.#problemOf(getNamedType(field.type)) !== undefined;
  }

  /**
   * Returns the reason why Hasura's dialect cannot have a type; undefined when the type is possible. PostGraphile's own
   * types, such as row types, are refused, because permission rules of Hasura's dialect would not apply to them.
   */
  #problemOf(type: GraphQLNamedType): string | undefined {
    if (isScalarType(type)) return undefined;
    if (!this.#found.types.has(type.name) || this.#stock.touched.types.has(type.name)) {
      return "is PostGraphile's own, whose rows and fields no rule guards there";
    }
    if (isObjectType(type)) {
      return type.getInterfaces().length > 0 ? 'implements an interface' : undefined;
    }
    return isInputObjectType(type) || isEnumType(type) ? undefined : 'is an interface or union';
  }

  #refuseClashes(): void {
    const names = this.#stockNames();
    for (const name of this.#types.keys()) {
      if (this.#scalars.has(name)) continue;
      if (!this.#hasura.getType(name) && !names.has(name)) continue;
      const { extensions } = this.#options;
      const own = extensions.flatMap(({ positions }) => positions.get(name) ?? [])[0];
      const position = own ?? extensions[0]?.position;
      const message = `/v1/graphql has a type "${name}" already, which a plugin adds too`;
      const hint = 'call the type of the plugin otherwise';
      if (position) this.#report(position, message, hint, 'RG_NAME_CONFLICT');
    }
  }

  /** Reports mistakes of a relationship. Returns false when its source type does not exist. */
  #checkRelationship(
    { typeName, name, mapping, position: own }: ExtensionRelationship,
    around: Position,
  ): boolean {
    const position = own ?? around;
    const type = this.#types.get(typeName);
    if (!isObjectType(type)) {
      const objects = [...this.#types.values()].filter(isObjectType).map((one) => one.name);
      const message = `no field that is open in /v1/graphql leads to an object type "${typeName}"`;
      this.#report(position, message, didYouMean(typeName, objects));
      return false;
    }
    const fields = type.getFields();
    const same = fields[name];
    if (same && !this.#isReplaced(type, same)) {
      const message = `the type "${typeName}" has a field "${name}" already`;
      this.#report(position, message, 'call the relationship otherwise', 'RG_NAME_CONFLICT');
    }
    for (const { field } of mapping) {
      const found = fields[field];
      if (!found) {
        const hint = didYouMean(field, Object.keys(fields));
        this.#report(position, `the type "${typeName}" has no field "${field}"`, hint);
      } else if (!isLeafType(getNullableType(found.type)) || found.args.length > 0) {
        const message = `the field "${field}" of the type "${typeName}" is not a single value without arguments`;
        this.#report(position, message, 'name a field that holds a value of the column');
      }
    }
    return true;
  }
}

/** The placeholder field in the schemas of roles that may read nothing. */
const NO_QUERIES = 'no_queries_available';
