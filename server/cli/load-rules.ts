import { loadModel, type Model } from '../../permissions/index.ts';
import type { ServerContext } from './command-context.ts';

/** Loads the metadata, which contains event triggers and schedules. @throws MetadataError with all mistakes */
export async function loadRules(
  options: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<Model> {
  const { rolePrefix, headerPrefix, inferFunctionPermissions } = context;
  const client = await context.connectOwner();
  try {
    return await loadModel({
      metadata: String(options.metadata),
      client,
      rolePrefix,
      headerPrefix,
      inferFunctionPermissions,
    });
  } finally {
    await client.end();
  }
}
