import type { GraphileLimits } from '../../types/graphile.ts';

/** The limits of PostGraphile's own dialect where graphile.yaml has no others. */
export const defaultGraphileLimits: GraphileLimits = {
  ...{ tokens: 5000, fields: 300, depth: 12, nodes: 200_000 },
  ...{ defaultRows: 200, maxRows: 1000 },
};
