import type { ApplicationContext } from '../../../application.ts';
import type { PlatformSettings } from '../../config/platform-config.ts';

/** The context of commands that read the platform's settings. */
export type PlatformContext = ApplicationContext<PlatformSettings>;
