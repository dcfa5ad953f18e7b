import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import type {} from 'postgraphile';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileRelayPreset } from 'postgraphile/presets/relay';
import { type Extension, PRESET } from './extension.ts';
import { guardRootFields } from './guard-root-fields.ts';

/** A preset of PostGraphile, without what Rowgate does itself. */
export interface UserPreset {
  readonly preset: GraphileConfig.Preset;
  /** How the preset's own service is called, since plugins know it by that. */
  readonly service: ServiceNames;
  /** All plugins, those that the preset extends included. */
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** Whether code that may run statements takes part in operations. */
  readonly hasPlugins: boolean;
  /** Keys of the preset that have no effect. */
  readonly ignored: readonly string[];
}

type Service = GraphileConfig.PgServiceConfiguration;

/** The names by which plugins know a database. */
export interface ServiceNames {
  readonly name: string;
  readonly withPgClientKey: NonNullable<Service['withPgClientKey']>;
  readonly pgSettingsKey: NonNullable<Service['pgSettingsKey']>;
  /** Objects of the first have no schema in their names. */
  readonly schemas: readonly string[];
}

const usualNames: ServiceNames = {
  name: 'main',
  withPgClientKey: 'withPgClient',
  pgSettingsKey: 'pgSettings',
  schemas: ['public'],
};

const STOCK = [PostGraphileAmberPreset, PgAggregatesPreset, PostGraphileRelayPreset];

/** Connections, context, settings and the HTTP server are Rowgate's. */
const IGNORED = ['pgServices', 'grafserv', 'ruru', 'grafast'] as const;

/** The preset that is served where none is named. */
export const stockPreset: UserPreset = takeUserPreset({
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
});

/**
 * Takes a preset as a PostGraphile application has it.
 * @throws Error that says what cannot be served
 */
export function takeUserPreset(given: GraphileConfig.Preset): UserPreset {
  const ignored = new Set<string>();
  const stock = new Set(STOCK.flatMap(pluginsOf));
  const guarded = new Map<GraphileConfig.Plugin, GraphileConfig.Plugin>();
  const guard = (plugin: GraphileConfig.Plugin) => {
    if (stock.has(plugin)) return plugin;
    const known = guarded.get(plugin) ?? guardRootFields(plugin, PRESET);
    guarded.set(plugin, known);
    return known;
  };
  const take = (preset: GraphileConfig.Preset): GraphileConfig.Preset => {
    refuseDisabling(preset);
    const kept: GraphileConfig.Preset = { ...preset };
    for (const key of IGNORED) {
      if (kept[key] !== undefined) ignored.add(key);
      delete kept[key];
    }
    return {
      ...kept,
      ...(preset.extends && { extends: preset.extends.map(take) }),
      ...(preset.plugins && { plugins: preset.plugins.map(guard) }),
    };
  };
  const preset = take(given);
  return {
    preset,
    service: serviceOf(given),
    plugins: [...new Set(pluginsOf(preset))],
    hasPlugins: guarded.size > 0,
    ignored: [...ignored],
  };
}

/** The preset with plugins that do not stand in the user's file. Their root fields are closed as those of the user's. */
export function withExtensions(user: UserPreset, extensions: readonly Extension[]): UserPreset {
  const added = extensions.filter(({ plugins }) => plugins.length > 0);
  if (added.length === 0) return user;
  const guarded = added.flatMap(({ name, plugins }) =>
    plugins.map((plugin) => guardRootFields(plugin, name)),
  );
  return {
    ...user,
    preset: { extends: [user.preset], plugins: guarded },
    plugins: [...user.plugins, ...guarded],
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
