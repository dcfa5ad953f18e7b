import {
  type ASTVisitor,
  KnownTypeNamesRule,
  type ValidationContext,
  visit,
} from 'postgraphile/graphql';

/**
 * Does the same as GraphQL's KnownTypeNamesRule. That rule lists all types of the schema for every document, so it runs
 * only for unknown types.
 */
export function knownTypesRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  return {
    NamedType(node) {
      if (!schema.getType(node.name.value)) visit(node, KnownTypeNamesRule(context));
    },
  };
}
