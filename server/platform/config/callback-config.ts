import { BlockList, isIP } from 'node:net';
import type { EnvironmentReader } from '../../config/environment.ts';

/**
 * The secrets and addresses that authenticate providers. Each list has at most two secrets: the new and the previous
 * one.
 */
export interface CallbackConfig {
  /**
   * Secrets of the custody provider. When a list of secrets is empty, the endpoint of that provider refuses every
   * callback.
   */
  readonly custodySecrets: readonly string[];
  readonly cardSecrets: readonly string[];
  readonly kycSecrets: readonly string[];
  /** The addresses of the identity provider's log stream; absent: the endpoint refuses every callback. */
  readonly logStreamAddresses: BlockList | undefined;
}

/** Reads the settings of callbacks. Problems are collected in `read`, so that all are reported together. */
export function readCallbackConfig(read: EnvironmentReader): CallbackConfig {
  return {
    custodySecrets: read.secrets('ROWGATE_CUSTODY_WEBHOOK_SECRET', 16),
    cardSecrets: read.secrets('ROWGATE_CARD_WEBHOOK_SECRET', 16),
    kycSecrets: read.secrets('ROWGATE_KYC_WEBHOOK_SECRET', 16),
    logStreamAddresses: readAddresses(read),
  };
}

function readAddresses(read: EnvironmentReader): BlockList | undefined {
  const entries = read.list('ROWGATE_IDP_LOG_ALLOWLIST');
  if (entries.length === 0) return undefined;
  const list = new BlockList();
  for (const entry of entries) {
    if (addTo(list, entry)) continue;
    read.complain(
      'ROWGATE_IDP_LOG_ALLOWLIST',
      `names "${entry}"; it must hold addresses like 203.0.113.7 or 203.0.113.0/24`,
    );
  }
  return list;
}

function addTo(list: BlockList, entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const prefix = Number(bits);
  // A prefix of 0 bits would allow every address, so it is refused as a mistake.
  if (!/^\d{1,3}$/.test(bits) || prefix < 1 || prefix > (version === 6 ? 128 : 32)) return false;
  list.addSubnet(address, prefix, family);
  return true;
}
