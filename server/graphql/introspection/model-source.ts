import type { RegistryData } from '../schema/registry/read-registry.ts';
import type { ViewedModel } from '../schema/view/role-view.ts';
import type { CatalogText } from './catalog-text.ts';

/** The part of one version of the model that decides the schemas of all roles, as data that can be sent to a thread. */
export interface ModelSource {
  readonly model: ViewedModel;
  readonly registry: RegistryData;
  readonly catalog: CatalogText | undefined;
}
