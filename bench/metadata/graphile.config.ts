import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import type {} from 'postgraphile';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/** The preset for both unmodified PostGraphile and Rowgate's endpoint for PostGraphile's dialect. */
const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  // By default, PostGraphile offers orderings, conditions and relations only for indexed columns. The other contenders
  // have no such limit.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: 'list connection resource:insert resource:update' },
};

// biome-ignore lint/style/noDefaultExport: Graphile's tools require it
export default preset;
