import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'postgraphile/graphql';
import { tooDeep } from '../../graphql/limits/depth.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { selectsRows } from '../schema/default-pages.ts';
import type { Page, Pages } from '../schema/paging-plugin.ts';
import type { DocumentLimits } from './document-limits.ts';

/** The values of a request's variables, as JSON. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** A list with `first` or `last`, and the lists inside it. */
interface Paged {
  readonly name: string;
  readonly page: Page;
  /** Whether the list selects rows, and not only aggregates. */
  readonly hasRows: boolean;
  readonly first: Count;
  readonly last: Count;
  /** Number of values by which the rows are ordered. Each value may be a count of other rows. */
  readonly orderings: Count;
  readonly inside: readonly Paged[];
}

/** A number in the document, or a variable with its default. */
type Count =
  | number
  | { readonly variable: string; readonly otherwise: number | undefined }
  | undefined;

/** The size of an operation, measured before it is validated and planned. */
export interface OperationSize {
  readonly lists: readonly Paged[];
  readonly fields: number;
  /** Number of possible types of all fields with abstract types. */
  readonly possibleTypes: number;
  /** Whether directives decide which fields are selected, so that the operation has several plans. */
  readonly isConditional: boolean;
  /** Names of the types of the operation's fields. */
  readonly types: ReadonlySet<string>;
  /** Names of the operation's root fields. */
  readonly roots: ReadonlySet<string>;
}

/** Maximum introspection fields, which exceeds the number in the usual query for the whole schema. */
const MAX_INTROSPECTION = 500;

/** Maximum nesting of introspection. The usual query has 13 levels. */
const MAX_INTROSPECTION_DEPTH = 20;

/**
 * Grafast plans a field of an abstract type for each possible type. This many possible types take as long to plan as
 * one field.
 */
const TYPES_AS_FIELD = 4;

/** Fields that stand between a connection and its rows. They add no depth. */
const WRAPPERS: ReadonlySet<string> = new Set(['nodes', 'edges', 'node']);

/**
 * Returns the maximum number of selections in a document. The same number limits the fragments of one operation, each
 * counted wherever it is spread: a fragment without fields would not count towards the limit of fields.
 */
export function maxSelections({ fields }: Pick<DocumentLimits, 'fields'>): number {
  return 2 * fields + 1000;
}

export interface MeasureOptions {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly pages: Readonly<Pages>;
  readonly limits: DocumentLimits;
}

/** Measures an operation. @throws RequestError for too many fields or too deep nesting */
export function measureOperation(
  operation: OperationDefinitionNode,
  options: MeasureOptions,
): OperationSize {
  const measure = new Measure(operation, options);
  const root = options.schema.getRootType(operation.operation) ?? undefined;
  const lists = measure.below(operation.selectionSet, root, { depth: 0, path: [] });
  const { types, roots, fields, possibleTypes, isConditional } = measure;
  return { lists, types, roots, fields, possibleTypes, isConditional };
}

interface Place {
  readonly depth: number;
  /** Names of the fragments around the selection set. */
  readonly path: readonly string[];
}

class Measure {
  readonly types = new Set<string>();
  readonly roots = new Set<string>();
  possibleTypes = 0;
  isConditional = false;
  readonly #options: MeasureOptions;
  readonly #defaults: ReadonlyMap<string, ValueNode | undefined>;
  #fields = 0;
  #introspection = 0;
  #fragments = 0;

  constructor({ variableDefinitions = [] }: OperationDefinitionNode, options: MeasureOptions) {
    this.#options = options;
    this.#defaults = new Map(
      variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    );
  }

  below(set: SelectionSetNode, type: GraphQLNamedType | undefined, place: Place): readonly Paged[] {
    return set.selections.flatMap((node) => {
      if (node.directives?.some(({ name }) => ['defer', 'stream'].includes(name.value))) {
        throw new RequestError(
          'not-supported',
          '@defer and @stream are not served; leave them out',
        );
      }
      this.isConditional ||= (node.directives ?? []).length > 0;
      if (node.kind === Kind.FIELD) return this.#field(node, type, place);
      this.#countFragment();
      if (node.kind === Kind.INLINE_FRAGMENT) {
        return this.below(
          node.selectionSet,
          this.#typeOf(node.typeCondition?.name.value, type),
          place,
        );
      }
      const name = node.name.value;
      const fragment = this.#options.fragments.get(name);
      // Validation reports unknown fragments, and fragments that contain themselves.
      if (!fragment || place.path.includes(name)) return [];
      const inside = { depth: place.depth, path: [...place.path, name] };
      return this.below(
        fragment.selectionSet,
        this.#typeOf(fragment.typeCondition.name.value, type),
        inside,
      );
    });
  }

  #typeOf(name: string | undefined, around: GraphQLNamedType | undefined) {
    return name === undefined ? around : this.#options.schema.getType(name);
  }

  #field(node: FieldNode, type: GraphQLNamedType | undefined, place: Place): readonly Paged[] {
    const name = node.name.value;
    const { pages } = this.#options;
    const isIntrospection = name.startsWith('__') || type?.name.startsWith('__') === true;
    const depth = place.depth + (place.depth > 0 && WRAPPERS.has(name) ? 0 : 1);
    if (place.depth === 0) this.roots.add(name);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const inner = field ? getNamedType(field.type) : this.#introspected(name);
    if (inner) this.types.add(inner.name);
    this.#count(isIntrospection, depth, this.#weightOf(inner));
    const inside = node.selectionSet
      ? this.below(node.selectionSet, inner, { ...place, depth })
      : [];
    const page = pages.get(`${type?.name}.${name}`);
    if (!page) return inside;
    const [first, last] = [this.#argument(node, 'first'), this.#argument(node, 'last')];
    const hasRows = !page.isConnection || selectsRows(node);
    const orderings = this.#argument(node, 'orderBy');
    return [{ name, page, hasRows, first, last, orderings, inside }];
  }

  #introspected(name: string): GraphQLNamedType | undefined {
    const types = { __schema: '__Schema', __type: '__Type' } as const;
    return this.#options.schema.getType(types[name as keyof typeof types] ?? '');
  }

  get fields(): number {
    return this.#fields + this.#introspection;
  }

  /** Returns the cost of planning a field. Grafast plans a field with an abstract type once for each possible type. */
  #weightOf(type: GraphQLNamedType | undefined): number {
    if (!isAbstractType(type)) return 1;
    const { length } = this.#options.schema.getPossibleTypes(type);
    this.possibleTypes += length;
    return Math.ceil(length / TYPES_AS_FIELD);
  }

  // Counts fragments without fields too, because their number can double at each level.
  #countFragment(): void {
    const max = maxSelections(this.#options.limits);
    this.#fragments += 1;
    if (this.#fragments <= max) return;
    const message = `the operation has more than ${max} fragments, each counted wherever it is spread`;
    throw new RequestError('node-limit-exceeded', message);
  }

  #count(isIntrospection: boolean, depth: number, weight: number): void {
    const { fields, depth: maxDepth } = this.#options.limits;
    if (isIntrospection) {
      this.#introspection += 1;
      if (this.#introspection > MAX_INTROSPECTION) throw tooManyFields(MAX_INTROSPECTION);
      if (depth > MAX_INTROSPECTION_DEPTH) throw tooDeep(MAX_INTROSPECTION_DEPTH);
      return;
    }
    this.#fields += Math.max(weight, 1);
    if (this.#fields > fields) throw tooManyFields(fields);
    if (depth > maxDepth) throw tooDeep(maxDepth);
  }

  #argument({ arguments: given = [] }: FieldNode, name: string): Count {
    const value = given.find((one: ArgumentNode) => one.name.value === name)?.value;
    if (value?.kind !== Kind.VARIABLE) return numberOf(value);
    const variable = value.name.value;
    return { variable, otherwise: numberOf(this.#defaults.get(variable)) };
  }
}

/** Returns a number, or the length of a list. */
function numberOf(value: ValueNode | undefined): number | undefined {
  if (value?.kind === Kind.LIST) return value.values.length;
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

function tooManyFields(max: number): RequestError {
  return new RequestError(
    'node-limit-exceeded',
    `the operation has more than ${max} fields; split it into several operations`,
  );
}

/** Refuses pages that are too large, and nested lists that could have too many rows together. @throws RequestError */
export function checkRows(
  { lists }: OperationSize,
  variables: VariableValues,
  { nodes, page, orderings }: DocumentLimits,
): void {
  let ordered = 0;
  const rowsOf = (list: Paged): number => {
    ordered += countOf(list.orderings, variables) ?? 1;
    const [first, last] = [countOf(list.first, variables), countOf(list.last, variables)];
    const requested = Math.max(first ?? 0, last ?? 0);
    if (requested > page.max) {
      throw new RequestError(
        'row-limit-exceeded',
        `"first" and "last" are ${page.max} at most; request more with "after"`,
        `$.selectionSet.${list.name}.args`,
      );
    }
    if (!list.hasRows) return 0;
    const isOpen = first === undefined && last === undefined;
    const rows = isOpen ? list.page.default : Math.min(requested, list.page.max);
    return rows * (1 + sum(list.inside.map(rowsOf)));
  };
  const rows = sum(lists.map(rowsOf));
  if (ordered > orderings + lists.length) {
    const message = `the lists of the operation are ordered by more than ${orderings} values`;
    throw new RequestError('node-limit-exceeded', message);
  }
  if (rows <= nodes) return;
  const message = `the lists of the operation could have more than ${nodes} rows together; give smaller "first"`;
  throw new RequestError('node-limit-exceeded', message);
}

function countOf(count: Count, variables: VariableValues): number | undefined {
  if (typeof count !== 'object') return count;
  const value = variables[count.variable];
  if (value === undefined) return count.otherwise;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
