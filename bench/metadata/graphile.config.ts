import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import type {} from 'postgraphile';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/** What stock PostGraphile and Rowgate's endpoint for its dialect both are measured with. */
const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  // Without it lists are offered on indexed columns alone, which is stricter than the others.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: 'list connection resource:insert resource:update' },
};

// biome-ignore lint/style/noDefaultExport: Graphile's tools take presets so
export default preset;
