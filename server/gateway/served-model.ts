import type { Model } from '../../permissions/index.ts';

/** The rules that are served, kept up with what is applied. */
export interface ServedModel {
  /** Those that were loaded last. */
  model(): Model;
  /** Loads them anew; on failure the old ones stay. */
  reload(): Promise<void>;
  /** Whether enum tables hold other values than those that are served. */
  hasOtherEnums(): Promise<boolean>;
  /** Lets go of what they are served with. */
  close(): Promise<void>;
}

/** The rules alone: a process that answers no GraphQL starts in half the time without what GraphQL is served with. */
export async function openServedModel(load: () => Promise<Model>): Promise<ServedModel> {
  let model = await load();
  return {
    model: () => model,
    reload: async () => {
      model = await load();
    },
    // Only the types of GraphQL name them.
    hasOtherEnums: async () => false,
    close: async () => {},
  };
}
