import type { RawGraphile } from '../metadata/schemas/graphile.ts';
import type { ExtensionsModel } from './extensions.ts';

/** graphile.yaml, with its extensions resolved: how stock PostGraphile is served beside Hasura's dialect. */
export interface GraphileModel extends Omit<RawGraphile, 'extensions'> {
  readonly extensions: ExtensionsModel;
}
