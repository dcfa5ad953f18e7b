import type { RawGraphile } from '../metadata/schemas/graphile.ts';
import type { ExtensionsModel } from './extensions.ts';

/**
 * The content of graphile.yaml, with its extensions resolved. It configures PostGraphile's own dialect, which is served
 * beside Hasura's.
 */
export interface GraphileModel extends Omit<RawGraphile, 'extensions'> {
  readonly extensions: ExtensionsModel;
}
