import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import type {} from 'postgraphile';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileRelayPreset } from 'postgraphile/presets/relay';
import { closeRootFields } from './close-root-fields.ts';
import { type Extension, PRESET } from './extension.ts';

/** A PostGraphile preset without the parts that Rowgate replaces. */
export interface UserPreset {
  readonly preset: GraphileConfig.Preset;
  /** The names of the preset's own database service, because plugins use them. */
  readonly service: ServiceNames;
  /** All plugins, including those of extended presets. */
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** Whether plugins may run statements. */
  readonly hasPlugins: boolean;
  /** Keys of the preset that have no effect. */
  readonly ignored: readonly string[];
}

type Service = GraphileConfig.PgServiceConfiguration;

/** The names that plugins use for a database. */
export interface ServiceNames {
  readonly name: string;
  readonly withPgClientKey: NonNullable<Service['withPgClientKey']>;
  readonly pgSettingsKey: NonNullable<Service['pgSettingsKey']>;
  /** Schemas in order. GraphQL names of objects in the first schema have no schema prefix. */
  readonly schemas: readonly string[];
}

const usualNames: ServiceNames = {
  name: 'main',
  withPgClientKey: 'withPgClient',
  pgSettingsKey: 'pgSettings',
  schemas: ['public'],
};

const STOCK = [PostGraphileAmberPreset, PgAggregatesPreset, PostGraphileRelayPreset];

/**
 * Keys of a preset that have no effect, because Rowgate provides connections, context, settings and the HTTP server
 * itself.
 */
const IGNORED = ['pgServices', 'grafserv', 'ruru', 'grafast'] as const;

/** The preset when graphile.yaml names none. */
export const stockPreset: UserPreset = takeUserPreset({
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
});

/**
 * Adapts the preset of a PostGraphile application.
 * @throws Error for parts that cannot be served
 */
export function takeUserPreset(given: GraphileConfig.Preset): UserPreset {
  const ignored = new Set<string>();
  const stock = new Set(STOCK.flatMap(pluginsOf));
  const closed = new Map<GraphileConfig.Plugin, GraphileConfig.Plugin>();
  const close = (plugin: GraphileConfig.Plugin) => {
    if (stock.has(plugin)) return plugin;
    const known = closed.get(plugin) ?? closeRootFields(plugin, PRESET);
    closed.set(plugin, known);
    return known;
  };
  const take = (preset: GraphileConfig.Preset): GraphileConfig.Preset => {
    refuseDisabling(preset);
    const used: GraphileConfig.Preset = { ...preset };
    for (const key of IGNORED) {
      if (used[key] !== undefined) ignored.add(key);
      delete used[key];
    }
    return {
      ...used,
      ...(preset.extends && { extends: preset.extends.map(take) }),
      ...(preset.plugins && { plugins: preset.plugins.map(close) }),
    };
  };
  const preset = take(given);
  return {
    preset,
    service: serviceOf(given),
    plugins: [...new Set(pluginsOf(preset))],
    hasPlugins: closed.size > 0,
    ignored: [...ignored],
  };
}

/**
 * Adds the plugins of extensions to a preset. Root fields of these plugins, like those of the preset's plugins, stay
 * closed unless an extension opens them.
 */
export function withExtensions(user: UserPreset, extensions: readonly Extension[]): UserPreset {
  const added = extensions.filter(({ plugins }) => plugins.length > 0);
  if (added.length === 0) return user;
  const closed = added.flatMap(({ name, plugins }) =>
    plugins.map((plugin) => closeRootFields(plugin, name)),
  );
  return {
    ...user,
    preset: { extends: [user.preset], plugins: closed },
    plugins: [...user.plugins, ...closed],
    hasPlugins: user.hasPlugins || added.some(({ usesDatabase }) => usesDatabase),
  };
}

function pluginsOf(preset: GraphileConfig.Preset): readonly GraphileConfig.Plugin[] {
  return [...(preset.extends ?? []).flatMap(pluginsOf), ...(preset.plugins ?? [])];
}

function servicesOf(preset: GraphileConfig.Preset): readonly Service[] {
  return [...(preset.extends ?? []).flatMap(servicesOf), ...(preset.pgServices ?? [])];
}

function serviceOf(preset: GraphileConfig.Preset): UserPreset['service'] {
  const [service, ...others] = servicesOf(preset);
  if (others.length > 0) {
    throw new Error('the preset has several pgServices; Rowgate serves one database');
  }
  return service
    ? {
        name: service.name,
        withPgClientKey: service.withPgClientKey ?? usualNames.withPgClientKey,
        pgSettingsKey: service.pgSettingsKey ?? usualNames.pgSettingsKey,
        schemas: service.schemas ?? usualNames.schemas,
      }
    : usualNames;
}

function refuseDisabling({ disablePlugins }: GraphileConfig.Preset): void {
  const own = disablePlugins?.find((name) => name.startsWith('Rowgate'));
  if (own === undefined) return;
  throw new Error(`the preset disables ${own}, which keeps roles to their rules; leave it enabled`);
}
