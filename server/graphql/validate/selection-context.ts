import type {
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'postgraphile/graphql';
import type { NodeCounter } from '../limits/nodes.ts';
import type { VariableUsage } from './variables.ts';

/** What the check of one operation carries along. */
export interface SelectionContext {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Follows messages about names that are not there; empty for admin. */
  readonly hint: string;
  readonly maxDepth: number;
  readonly role: { readonly name: string; readonly introspection: boolean };
  readonly usages: VariableUsage[];
  readonly nodes: NodeCounter;
}
