import type { makeRegistry } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { gather } from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { Model } from '../../../permissions/index.ts';
import type { UserPreset } from '../preset/user-preset.ts';

/** The parts of a registry. */
export type RegistryConfig = Parameters<typeof makeRegistry>[0];

/** The result of PostGraphile's gather phase, which all roles share. */
export interface Gathered {
  readonly input: GraphileBuild.BuildInput;
  /** The parts of the registry in `input`. */
  readonly registry: RegistryConfig;
  /** To be given as it is, with plugins beside: names are made by what stands in it itself, not in what it extends. */
  readonly preset: Omit<GraphileConfig.Preset, 'plugins' | 'schema'>;
  /** The preset that Grafast reads while it executes. */
  readonly executing: GraphileConfig.ResolvedPreset;
}

/** PostGraphile's parts that Rowgate does without: roles come from rules, not from grants. */
const REPLACED = new Set([
  'PgRBACPlugin',
  'PgJWTPlugin',
  'StreamDeferPlugin',
  'SubscriptionPlugin',
]);

/**
 * Reads the schemas that the model names, once.
 * @param reader the role that reads rows of tables tagged @enum; absent: the login itself
 */
export async function gatherModel(
  databaseUrl: string,
  model: Model,
  user: UserPreset,
  reader?: string,
): Promise<Gathered> {
  const service = makePgService({
    ...user.service,
    connectionString: databaseUrl,
    schemas: schemasOf(model, user.service.schemas),
    pubsub: false,
    pgSettingsForIntrospection: {
      ...(reader !== undefined && { role: reader }),
      // Operators that were planted in another schema are not for us to call.
      search_path: 'pg_catalog, pg_temp',
    },
  });
  const capture = new RegistryCapture();
  const preset = {
    extends: [user.preset],
    disablePlugins: user.plugins.map(({ name }) => name).filter((name) => REPLACED.has(name)),
    pgServices: [service],
  };
  try {
    const input = await gather({ ...preset, plugins: [capture.plugin] });
    // Grafast reads no other keys, and none of the user's: they are Rowgate's.
    const executing = { plugins: user.plugins, grafast: { explain: false } };
    return {
      input,
      registry: capture.config,
      preset,
      executing: executing as unknown as GraphileConfig.ResolvedPreset,
    };
  } finally {
    await service.release?.();
  }
}

class RegistryCapture {
  #config: RegistryConfig | undefined;

  readonly plugin: GraphileConfig.Plugin = {
    name: 'RowgateRegistryCapturePlugin',
    version: '1.0.0',
    gather: {
      hooks: {
        pgRegistry_PgRegistryBuilder_finalize: (_info, { registryBuilder }) => {
          this.#config = registryBuilder.getRegistryConfig();
        },
      },
    },
  };

  get config(): RegistryConfig {
    if (this.#config) return this.#config;
    throw new Error('PostGraphile has made no registry');
  }
}

/** The schemas that the preset names come first, in its order: names of objects depend on it. */
function schemasOf({ tables, functions }: Model, first: readonly string[]): string[] {
  const computed = [...tables.values()].flatMap((table) => [...table.computedFields.values()]);
  const named = new Set([
    ...[...tables.values()].map(({ schema }) => schema),
    ...[...functions.values(), ...computed].map((called) => called.function.schema),
  ]);
  return [...new Set([...first, ...[...named].sort()])].filter((name) => named.has(name));
}
