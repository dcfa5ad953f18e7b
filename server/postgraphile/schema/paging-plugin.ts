import {
  ConstantStep,
  constant,
  type ExecutableStep,
  type FieldArgs,
  lambda,
} from 'postgraphile/grafast';
import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { RoleObjects } from './role-objects.ts';

/** Default and maximum number of rows of a list. */
export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** The page of one field. */
export interface Page extends PageLimits {
  /** Whether the field is a connection, whose rows are below `nodes` and `edges`. */
  readonly isConnection: boolean;
}

/** Pages of all fields with `first`, by `Type.field`. */
export type Pages = Map<string, Page>;

interface Paged extends ExecutableStep {
  setFirst(first: ExecutableStep | number): void;
  setLast(last: ExecutableStep | number): void;
}

/** Makes the plugin that gives every list with `first` a default and a maximum size, within the limit of the rule. */
export function makePagingPlugin(
  objects: RoleObjects,
  limits: PageLimits,
  pages: Pages,
): GraphileConfig.Plugin {
  const pageOf = (scope: GraphileBuild.ScopeObjectFieldsField): Page => {
    const codec = scope.pgFieldCodec ?? scope.pgFieldResource?.codec;
    const limit = codec && objects.tableOf(codec)?.select.limit;
    return {
      default: Math.min(limits.default, limit ?? limits.default),
      max: Math.min(limits.max, limit ?? limits.max),
      isConnection: scope.isPgFieldConnection === true,
    };
  };
  return {
    name: 'RowgatePagingPlugin',
    version: '1.0.0',
    schema: {
      hooks: {
        GraphQLObjectType_fields_field_args(args, _build, { scope, Self }) {
          const { first, last } = args;
          if (!isPaged(scope) || !first) return args;
          pages.set(`${Self.name}.${scope.fieldName}`, pageOf(scope));
          return {
            ...args,
            first: { ...first, applyPlan: untouched },
            ...(last && { last: { ...last, applyPlan: untouched } }),
          };
        },
        GraphQLObjectType_fields_field(field, _build, { scope }) {
          const { plan } = field;
          if (!isPaged(scope) || !plan) return field;
          const page = pageOf(scope);
          return {
            ...field,
            plan($parent, args, info) {
              const takes = new Set(info.field.args.map(({ name }) => name));
              // The numbers of rows are planned first, because they limit the rows, and in a mutation a step cannot
              // depend on later steps.
              const counts = takes.has('first') && countsOf(args, takes, page);
              const $rows = plan($parent, args, info);
              if (counts) setPage($rows as Paged, counts);
              return $rows;
            },
          };
        },
      },
    },
  };
}

function isPaged(scope: GraphileBuild.ScopeObjectFieldsField): boolean {
  return Boolean(scope.isPgFieldConnection || scope.isPgFieldSimpleCollection);
}

interface Counts {
  readonly $first: ExecutableStep;
  readonly $last: ExecutableStep | undefined;
}

function countsOf(args: FieldArgs, takes: ReadonlySet<string>, page: Page): Counts | undefined {
  const raw = (name: string) => (takes.has(name) ? args.getRaw(name) : constant(undefined));
  const [$first, $last, $before] = [raw('first'), raw('last'), raw('before')] as const;
  // `withDefaultPages` has added `first` to every connection that selects rows.
  if (page.isConnection && isAbsent($first) && isAbsent($last)) return undefined;
  const $rows = compute($first, $last, (given, back) => firstOf(given, back, page));
  return {
    $first: isAbsent($before) ? $rows : endedBefore($rows, $before, [raw('after'), raw('offset')]),
    $last: takes.has('last') ? compute($last, $first, (given) => capped(given, page)) : undefined,
  };
}

function setPage($rows: Paged, { $first, $last }: Counts): void {
  $rows.setFirst($first);
  if ($last) $rows.setLast($last);
}

// Disables PostGraphile's handling of the argument, because the plan of the field reads the argument.
const untouched = () => {};

function isAbsent($count: ExecutableStep): boolean {
  return $count instanceof ConstantStep && $count.data === undefined;
}

type Count = number | null | undefined;

/**
 * Computes a number. A number in the document is computed while planning, so that the operation stays one statement. A
 * number from a variable is computed while executing.
 */
function compute(
  $a: ExecutableStep,
  $b: ExecutableStep,
  result: (a: Count, b: Count) => number | null,
): ExecutableStep {
  if ($a instanceof ConstantStep && $b instanceof ConstantStep) {
    return constant(result($a.data, $b.data));
  }
  return lambda([$a, $b], ([a, b]) => result(a as Count, b as Count), true);
}

function firstOf(first: Count, last: Count, page: PageLimits): number | null {
  return first == null && last == null ? page.default : capped(first, page);
}

/**
 * Limits `first` to the rows before the cursor `before`. The cursor of unordered rows, as from functions, is their
 * position. PostGraphile reads one more row to detect a next page, and would otherwise return that row too.
 */
function endedBefore(
  $first: ExecutableStep,
  $before: ExecutableStep,
  [$after, $offset]: readonly [ExecutableStep, ExecutableStep],
): ExecutableStep {
  return lambda(
    [$first, $before, $after, $offset],
    ([first, before, after, offset]) => {
      const end = placeOf(before);
      if (first == null || end === undefined) return first ?? null;
      const skipped = Math.max(0, placeOf(after) ?? 0) + Math.max(0, offset ?? 0);
      return Math.max(0, Math.min(first, end - 1 - skipped));
    },
    true,
  );
}

/**
 * Returns the position that the cursor of an unordered row contains. Returns undefined for any other cursor, which
 * PostGraphile checks itself.
 */
function placeOf(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string') return undefined;
  try {
    const [kind, place] = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8'));
    return kind === 'natural' && Number.isSafeInteger(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

function capped(given: Count, { max }: PageLimits): number | null {
  return given == null ? null : Math.min(given, max);
}
