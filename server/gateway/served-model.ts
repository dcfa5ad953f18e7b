import type { Model } from '../../permissions/index.ts';

/** The rules that this process currently serves. */
export interface ServedModel {
  model(): Model;
  /** Loads the rules again. After a failure the old rules stay in use. */
  reload(): Promise<void>;
  /** Returns true when enum tables have other values than the served ones. */
  hasOtherEnums(): Promise<boolean>;
  /** Releases the resources of the served rules. */
  close(): Promise<void>;
}

/**
 * Opens the rules without GraphQL, for a process that does not serve GraphQL. Such a process starts in half the time.
 */
export async function openServedModel(load: () => Promise<Model>): Promise<ServedModel> {
  let model = await load();
  return {
    model: () => model,
    reload: async () => {
      model = await load();
    },
    // Enum values are part of the GraphQL schema only.
    hasOtherEnums: async () => false,
    close: async () => {},
  };
}
