import type { Report } from '../../diagnostics.ts';
import type { GraphileLimits } from '../../types/graphile.ts';
import type { RawGraphile } from '../raw.ts';
import type { RawNode } from '../yaml/node.ts';
import { fieldOf, nameOf } from '../yaml/raw-access.ts';
import { readExtensions } from './read-extensions.ts';

/** What counts where graphile.yaml says nothing else. */
export const defaultGraphileLimits: GraphileLimits = {
  ...{ tokens: 5000, fields: 300, depth: 12, nodes: 200_000 },
  ...{ defaultRows: 200, maxRows: 1000 },
};

/** A valid graphile.yaml. A list that could not be asked for without "first" is reported. */
export function readGraphile(root: RawNode, report: Report): RawGraphile {
  const endpoint = fieldOf(root, 'endpoint');
  const config = fieldOf(root, 'config');
  const limits = readLimits(fieldOf(root, 'limits'));
  if (limits.defaultRows > limits.maxRows) {
    const message = `"default_rows" is ${limits.defaultRows}, more than "max_rows", which is ${limits.maxRows}`;
    report.error('RG_GRAPHILE', root.position, message, 'make it smaller');
  }
  return {
    endpoint: endpoint ? nameOf(endpoint).name : '/graphql',
    config: config && nameOf(config).name,
    limits,
    extensions: readExtensions(root),
    position: root.position,
  };
}

function readLimits(node: RawNode | undefined): GraphileLimits {
  const given = (key: string) => {
    const value = node && fieldOf(node, key);
    return value?.kind === 'scalar' ? Number(value.value) : undefined;
  };
  const maxRows = given('max_rows') ?? defaultGraphileLimits.maxRows;
  return {
    tokens: given('tokens') ?? defaultGraphileLimits.tokens,
    fields: given('fields') ?? defaultGraphileLimits.fields,
    depth: given('depth') ?? defaultGraphileLimits.depth,
    nodes: given('nodes') ?? defaultGraphileLimits.nodes,
    defaultRows: given('default_rows') ?? Math.min(defaultGraphileLimits.defaultRows, maxRows),
    maxRows,
  };
}
