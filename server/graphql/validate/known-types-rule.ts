import {
  type ASTVisitor,
  getEnterLeaveForKind,
  Kind,
  KnownTypeNamesRule,
  type ValidationContext,
} from 'postgraphile/graphql';

/**
 * Does the same as GraphQL's KnownTypeNamesRule. That rule lists all types of the schema for every document, so it is
 * made once, and only for a document with an unknown type.
 */
export function knownTypesRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  let rule: ASTVisitor | undefined;
  return {
    NamedType(node, ...place) {
      if (schema.getType(node.name.value)) return;
      rule ??= KnownTypeNamesRule(context);
      getEnterLeaveForKind(rule, Kind.NAMED_TYPE).enter?.call(rule, node, ...place);
    },
  };
}
