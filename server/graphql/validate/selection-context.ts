import type {
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'postgraphile/graphql';
import type { VariableUsage } from './variables.ts';

/** What the check of one operation carries along. */
export interface SelectionContext {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Follows messages about names that are not there; empty for admin. */
  readonly hint: string;
  readonly maxDepth: number;
  readonly maxNodes?: number | undefined;
  readonly role: { readonly name: string; readonly introspection: boolean };
  readonly usages: VariableUsage[];
  /** Selections seen so far, fragments counted wherever they are spread. */
  seen: number;
  /** Of these, below `__schema` and `__type`. */
  seenOfIntrospection: number;
  /** Fields outside of introspection, without `__typename`, which clients add by themselves. */
  nodes: number;
}
