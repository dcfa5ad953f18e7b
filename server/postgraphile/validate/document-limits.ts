import {
  defaultGraphileLimits,
  type GraphileModel,
  type RoleModel,
} from '../../../permissions/index.ts';
import type { OperationLimits } from '../../graphql/limits/role-limits.ts';
import type { PageLimits } from '../schema/paging-plugin.ts';

/** Limits of one operation. Grafast itself has no limits. */
export interface DocumentLimits {
  /** Maximum number of lexical tokens (names, values and punctuators) of a document. */
  readonly tokens: number;
  /**
   * Maximum fields of an operation. Fields of a fragment count at each place where the fragment is spread, because each
   * place is planned.
   */
  readonly fields: number;
  /** Maximum nesting of fields. `nodes`, `edges` and `node` of connections do not count. */
  readonly depth: number;
  /** Maximum rows that all lists of an operation could have together. */
  readonly nodes: number;
  /**
   * Maximum number of values in all `orderBy` arguments of an operation together. Such a value can be a count of other
   * rows.
   */
  readonly orderings: number;
  readonly page: PageLimits;
}

/** The limits in graphile.yaml; `orderings` depends on the role. */
export type FileLimits = Omit<DocumentLimits, 'orderings'>;

/** Returns the limits in graphile.yaml, or the defaults without that file. */
export function documentLimits(graphile: GraphileModel | undefined): FileLimits {
  const { defaultRows, maxRows, ...others } = graphile?.limits ?? defaultGraphileLimits;
  return { ...others, page: { default: defaultRows, max: maxRows } };
}

/** Combines the limits of the file and of the role; the smaller limit applies. */
export function forRole(
  limits: FileLimits,
  role: RoleModel,
  { maxNodes, maxCrossings: orderings }: OperationLimits,
): DocumentLimits {
  const depth = Math.min(limits.depth, role.limits?.depth ?? limits.depth);
  return {
    ...limits,
    orderings,
    depth,
    fields: Math.min(limits.fields, maxNodes ?? limits.fields),
  };
}
