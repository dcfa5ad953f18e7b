import type pino from 'pino';
import type { CallbackConfig } from '../../../config/callback-config.ts';
import type { ProviderName } from '../providers/callback-provider.ts';

/** Reports at start, in one line, the providers whose callbacks are refused because their setting is absent. */
export function reportUnconfigured(config: CallbackConfig, logger: pino.Logger): void {
  const missing = settingsOf(config).filter(({ isSet }) => !isSet);
  if (missing.length === 0) return;
  const providers = missing.map(({ provider }) => provider);
  const settings = missing.map(({ setting }) => setting);
  logger.warn(
    { providers, settings },
    `callbacks of ${providers.join(', ')} are refused until ${settings.join(', ')} ${settings.length === 1 ? 'is' : 'are'} set`,
  );
}

interface ProviderSetting {
  readonly provider: ProviderName;
  readonly setting: string;
  readonly isSet: boolean;
}

function settingsOf(config: CallbackConfig): readonly ProviderSetting[] {
  const { custodySecrets, cardSecrets, kycSecrets, logStreamAddresses } = config;
  return [
    {
      provider: 'custody',
      setting: 'ROWGATE_CUSTODY_WEBHOOK_SECRET',
      isSet: custodySecrets.length > 0,
    },
    { provider: 'card', setting: 'ROWGATE_CARD_WEBHOOK_SECRET', isSet: cardSecrets.length > 0 },
    { provider: 'kyc', setting: 'ROWGATE_KYC_WEBHOOK_SECRET', isSet: kycSecrets.length > 0 },
    {
      provider: 'identity',
      setting: 'ROWGATE_IDP_LOG_ALLOWLIST',
      isSet: logStreamAddresses !== undefined,
    },
  ];
}
