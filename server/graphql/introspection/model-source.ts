import type { RoleModel } from '../../../permissions/index.ts';
import type { RegistryData } from '../schema/registry/read-registry.ts';
import type { ViewedModel } from '../schema/view/role-view.ts';
import type { CatalogText } from './catalog-text.ts';

/** Everything that decides the schema of one role, as data that can be sent to a thread. */
export interface RoleSource {
  readonly model: ViewedModel;
  readonly role: RoleModel;
  readonly registry: RegistryData;
  readonly asBackend: boolean;
  readonly catalog: CatalogText | undefined;
}
