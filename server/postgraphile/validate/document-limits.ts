import {
  defaultGraphileLimits,
  type GraphileModel,
  type RoleModel,
} from '../../../permissions/index.ts';
import type { OperationLimits } from '../../graphql/limits/role-limits.ts';
import type { PageLimits } from '../schema/paging-plugin.ts';

/** Limits of one operation; Grafast has none of its own. */
export interface DocumentLimits {
  /** Words and signs of a document. */
  readonly tokens: number;
  /** Fields of an operation, those of fragments counted wherever they are spread: planning takes time for each. */
  readonly fields: number;
  /** Nested fields; `nodes`, `edges` and `node` of connections do not count. */
  readonly depth: number;
  /** Rows that all lists of an operation could have together. */
  readonly nodes: number;
  /** Values that lists are ordered by, of all lists together. */
  readonly orderings: number;
  readonly page: PageLimits;
}

/** The limits of graphile.yaml; the others are of roles. */
export type FileLimits = Omit<DocumentLimits, 'orderings'>;

/** Without a file, its defaults count. */
export function documentLimits(graphile: GraphileModel | undefined): FileLimits {
  const { defaultRows, maxRows, ...others } = graphile?.limits ?? defaultGraphileLimits;
  return { ...others, page: { default: defaultRows, max: maxRows } };
}

/** The limits of the file and of the role; the smaller one counts. */
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
