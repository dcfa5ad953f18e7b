import type {
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'postgraphile/graphql';
import type { NodeCounter } from '../limits/nodes.ts';
import type { VariableUsage } from './variables.ts';

/** State of the check of one operation. */
export interface SelectionContext {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Text after messages about unknown names, which mentions that the role may lack permission. Empty for admin. */
  readonly hint: string;
  readonly maxDepth: number;
  readonly role: { readonly name: string; readonly introspection: boolean };
  readonly usages: VariableUsage[];
  readonly nodes: NodeCounter;
}
