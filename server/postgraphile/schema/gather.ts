import type { makeRegistry } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { gather } from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { Model } from '../../../permissions/index.ts';
import type { UserPreset } from '../preset/user-preset.ts';

/** The parts of a registry. */
export type RegistryConfig = Parameters<typeof makeRegistry>[0];

/** The result of PostGraphile's gather phase, which reads the database. All roles share it. */
export interface Gathered {
  readonly input: GraphileBuild.BuildInput;
  /** The parts of the registry in `input`. */
  readonly registry: RegistryConfig;
  /**
   * The preset for building schemas. It must be used directly: a preset that extends it would lose settings that decide
   * the names in the schema.
   */
  readonly preset: Omit<GraphileConfig.Preset, 'plugins' | 'schema'>;
  /** The preset that Grafast reads while it executes. */
  readonly executing: GraphileConfig.ResolvedPreset;
}

/** Plugins of PostGraphile that Rowgate disables, because roles come from rules instead of grants. */
const REPLACED = new Set([
  'PgRBACPlugin',
  'PgJWTPlugin',
  'StreamDeferPlugin',
  'SubscriptionPlugin',
]);

/**
 * Runs PostGraphile's gather phase for the schemas of the model.
 * @param reader role that reads rows of tables with the smart tag @enum; absent: the login of the connection
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
      // The introspection query must not call operators that another login has created.
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
    // Grafast reads only these keys. The user's values for them have no effect.
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

/**
 * Returns the schemas of the model. The schemas of the preset come first, because names of objects depend on the order.
 */
function schemasOf({ tables, functions }: Model, first: readonly string[]): string[] {
  const computed = [...tables.values()].flatMap((table) => [...table.computedFields.values()]);
  const named = new Set([
    ...[...tables.values()].map(({ schema }) => schema),
    ...[...functions.values(), ...computed].map((called) => called.function.schema),
  ]);
  return [...new Set([...first, ...[...named].sort()])].filter((name) => named.has(name));
}
