import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PortfolioSummaryPlugin } from './extensions/portfolio-summary.ts';
import { RequestWithdrawalPlugin } from './extensions/request-withdrawal.ts';

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  plugins: [RequestWithdrawalPlugin, PortfolioSummaryPlugin],
};

// biome-ignore lint/style/noDefaultExport: a preset is the default export of its file
export default preset;
