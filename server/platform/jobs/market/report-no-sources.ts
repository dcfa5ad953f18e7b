import type pino from 'pino';
import type { JobConfig } from '../../config/job-config.ts';

/** Reports at start, in one line, that prices or rates stay as they are because no source is configured. */
export function reportNoSources(
  { priceSources, rateSources }: JobConfig,
  logger: pino.Logger,
): void {
  const missing = [
    { what: 'coin prices', setting: 'ROWGATE_PRICE_SOURCES', sources: priceSources },
    { what: 'currency rates', setting: 'ROWGATE_RATE_SOURCES', sources: rateSources },
  ].filter(({ sources }) => sources.length === 0);
  if (missing.length === 0) return;
  const settings = missing.map(({ setting }) => setting);
  const names = missing.map(({ what }) => what).join(' and ');
  const remedy = settings.map((setting) => `${setting}=default`).join(' and ');
  const verb = settings.length === 1 ? 'turns' : 'turn';
  logger.info({ settings }, `${names} are not fetched; ${remedy} ${verb} it on`);
}
