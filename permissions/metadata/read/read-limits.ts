import type { RawLimits, RawRate } from '../raw.ts';
import type { RawNode } from '../yaml/node.ts';
import { fieldOf, itemsOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';

/** `limits` of a role, where it has any. */
export function readLimits(node: RawNode | undefined): RawLimits | undefined {
  if (!node) return undefined;
  const rate = fieldOf(node, 'rate');
  return {
    rate: rate && readRate(rate),
    depth: numberOf(fieldOf(node, 'depth')),
    nodes: numberOf(fieldOf(node, 'nodes')),
    crossings: numberOf(fieldOf(node, 'crossings')),
    seconds: numberOf(fieldOf(node, 'seconds')),
    weight: numberOf(fieldOf(node, 'weight')),
  };
}

/** Whether a switch is on; true where it is not written. */
export function readSwitch(node: RawNode | undefined): boolean {
  return node?.kind !== 'scalar' || node.value !== false;
}

function readRate(node: RawNode): RawRate {
  return {
    requests: numberOf(requiredFieldOf(node, 'requests')) ?? 0,
    seconds: numberOf(requiredFieldOf(node, 'seconds')) ?? 0,
    by: readBy(fieldOf(node, 'by')),
  };
}

function readBy(node: RawNode | undefined): RawRate['by'] {
  if (node?.kind === 'list') return itemsOf(node).map(nameOf);
  return node?.kind === 'scalar' && (node.value === 'address' || node.value === 'role')
    ? node.value
    : 'session';
}

function numberOf(node: RawNode | undefined): number | undefined {
  return node?.kind === 'scalar' ? Number(node.value) : undefined;
}
