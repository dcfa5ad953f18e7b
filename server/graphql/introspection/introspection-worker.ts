import type { GraphQLSchema } from 'postgraphile/graphql';
import type { GraphqlErrorCode, UserDefinedCode } from '../request-error.ts';
import { RequestError } from '../request-error.ts';
import { makeRegistry } from '../schema/registry/read-registry.ts';
import { buildRoleSchema } from '../schema/schema.ts';
import { makeRoleView } from '../schema/view/role-view.ts';
import { readCatalog } from './catalog-text.ts';
import {
  answerIntrospection,
  type Introspection,
  type IntrospectionTexts,
} from './introspection.ts';
import type { RoleSource } from './role-source.ts';

/** One introspection of one role. */
export interface IntrospectionTask {
  /** A key that is equal for equal schemas of one version of the model. */
  readonly schemaKey: string;
  /** Absent at the first attempt: the thread may have the schema already. */
  readonly source: RoleSource | undefined;
  readonly introspection: Introspection;
  /** Values of the variables by name, as plain JSON. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Maximum size of the answer. */
  readonly maxBytes: number;
}

/** `unknown`: the thread does not have the schema, and needs its source. `refused`: the client asked for too much. */
export type IntrospectionResult =
  | { readonly kind: 'answered'; readonly texts: IntrospectionTexts }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'refused';
      readonly code: GraphqlErrorCode | UserDefinedCode;
      readonly message: string;
      readonly path: string;
    };

/** The schema that was used last. The thread holds only one, because a large schema takes tens of megabytes. */
let last: { readonly key: string; readonly schema: GraphQLSchema } | undefined;

/** Answers an introspection from PostGraphile's schema of the role. */
export function answer(task: IntrospectionTask): IntrospectionResult {
  const { schemaKey: key, source, introspection, variables, maxBytes } = task;
  if (last?.key !== key) {
    if (!source) return { kind: 'unknown' };
    // The old schema is dropped before the new one is built.
    last = undefined;
    last = { key, schema: schemaOf(source) };
  }
  try {
    const texts = answerIntrospection(last.schema, introspection, variables, maxBytes);
    return { kind: 'answered', texts };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, path } = error;
    return { kind: 'refused', code, message, path };
  }
}

function schemaOf({ model, role, registry, asBackend, catalog }: RoleSource): GraphQLSchema {
  const extensions = catalog && readCatalog(catalog);
  return buildRoleSchema(makeRoleView(model, role, makeRegistry(registry), asBackend, extensions));
}
