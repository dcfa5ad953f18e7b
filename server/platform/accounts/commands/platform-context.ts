import type { ApplicationContext } from '../../../application.ts';
import type { PlatformSettings } from '../../config/platform-config.ts';

/** The context of the platform's commands that read its settings. */
export type PlatformContext = ApplicationContext<PlatformSettings>;
