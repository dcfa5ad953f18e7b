import { parentPort } from 'node:worker_threads';
import type { GraphQLSchema } from 'postgraphile/graphql';
import type { RoleModel } from '../../../permissions/index.ts';
import { Lru } from '../../lru.ts';
import { releaseMemory } from '../../release-memory.ts';
import type { GraphqlErrorCode, UserDefinedCode } from '../request-error.ts';
import { RequestError } from '../request-error.ts';
import { makeRegistry, type Registry } from '../schema/registry/read-registry.ts';
import { buildRoleSchema } from '../schema/schema.ts';
import type { ExtensionCatalog } from '../schema/view/extension-catalog.ts';
import { makeRoleView, type ViewedModel } from '../schema/view/role-view.ts';
import { readCatalog } from './catalog-text.ts';
import {
  answerIntrospection,
  type Introspection,
  type IntrospectionTexts,
} from './introspection.ts';
import type { ModelSource } from './model-source.ts';

/** One introspection of one role. */
export interface IntrospectionTask {
  /** Distinguishes the versions of the model. */
  readonly version: string;
  /** A key that is equal for equal schemas of one version of the model. */
  readonly schemaKey: string;
  /** Absent at the first attempt: the thread may have the schema already. */
  readonly missing: MissingSource | undefined;
  readonly introspection: Introspection;
  /** Values of the variables by name, as plain JSON. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Maximum size of the answer. */
  readonly maxBytes: number;
}

/** Everything that the thread needs to build a schema. */
export interface MissingSource {
  readonly role: RoleModel;
  readonly asBackend: boolean;
  /** Absent if the thread has this version of the model already. */
  readonly model?: ModelSource;
}

/** `unknown`: the thread does not have the schema, and needs its source. `refused`: the client asked for too much. */
export type IntrospectionResult =
  | { readonly kind: 'answered'; readonly texts: IntrospectionTexts }
  | { readonly kind: 'unknown'; readonly hasModel: boolean }
  | {
      readonly kind: 'refused';
      readonly code: GraphqlErrorCode | UserDefinedCode;
      readonly message: string;
      readonly path: string;
    };

interface ModelVersion {
  readonly version: string;
  readonly model: ViewedModel;
  readonly registry: Registry;
  readonly extensions: ExtensionCatalog | undefined;
}

/** The types of all schemas that the thread keeps. A thousand types take about seven mebibytes. */
const MAX_TYPES = 10_000;
/** Building a schema of so many types leaves tens of mebibytes behind. */
const MANY_TYPES = 1000;

let current: ModelVersion | undefined;
let schemas = new Lru<GraphQLSchema>(MAX_TYPES);

parentPort?.on('message', (task: IntrospectionTask) => parentPort?.postMessage(answer(task)));

/** Answers an introspection from PostGraphile's schema of the role. */
function answer(task: IntrospectionTask): IntrospectionResult {
  const schema = schemaOf(task);
  if (!schema) return { kind: 'unknown', hasModel: current?.version === task.version };
  const { introspection, variables, maxBytes } = task;
  try {
    const texts = answerIntrospection(schema, introspection, variables, maxBytes);
    return { kind: 'answered', texts };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, path } = error;
    return { kind: 'refused', code, message, path };
  }
}

function schemaOf({ version, schemaKey, missing }: IntrospectionTask): GraphQLSchema | undefined {
  if (missing?.model) use(version, missing.model);
  if (current?.version !== version) return undefined;
  const known = schemas.get(schemaKey);
  if (known || !missing) return known;
  const { model, registry, extensions } = current;
  const view = makeRoleView(model, missing.role, registry, missing.asBackend, extensions);
  const schema = buildRoleSchema(view);
  const types = Object.keys(schema.getTypeMap()).length;
  // At least the schema that was used last is kept, however large it is.
  schemas.set(schemaKey, schema, Math.min(types, MAX_TYPES));
  if (types >= MANY_TYPES) releaseMemory();
  return schema;
}

/** Replaces the version of the model. */
function use(version: string, { model, registry, catalog }: ModelSource): void {
  schemas = new Lru(MAX_TYPES);
  const extensions = catalog && readCatalog(catalog);
  current = { version, model, registry: makeRegistry(registry), extensions };
}
