import type pg from 'pg';
import type pino from 'pino';
import type { Action, Model, OpenField, Position } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import type { Extension, ExtensionSource } from '../postgraphile/preset/extension.ts';

/** What actions of whatever rules are called with. */
export interface ActionServices {
  readonly webhooks: WebhookServices;
  /** Of the sidecar's login; absent: asynchronous actions are not available. */
  readonly pool: pg.Pool | undefined;
  readonly logger: pino.Logger;
}

/** Actions as root fields of both dialects; without services they can be shown, but not called. */
export function actionSource(services?: ActionServices): ExtensionSource {
  return async (model) => {
    const [first] = model.actions.values();
    return first ? [await extensionOf(model, first.position, services)] : [];
  };
}

async function extensionOf(
  { actions, customTypes: types, headerPrefix }: Model,
  position: Position,
  services: ActionServices | undefined,
): Promise<Extension> {
  // Loaded late: PostGraphile comes along.
  const [{ actionRelationships, actionsPlugin }, { scalarNames }, { makeActionRunner }] =
    await Promise.all([
      import('./actions-plugin.ts'),
      import('./scalar-names.ts'),
      import('./action-runner.ts'),
    ]);
  const all = [...actions.values()];
  const runner = services && makeActionRunner({ ...services, types, headerPrefix });
  return {
    name: 'actions.yaml',
    plugins: [actionsPlugin(all, { types, runner })],
    fields: new Map(all.map((action) => [action.name, openField(action)])),
    relationships: actionRelationships(all, types),
    relatesInBoth: true,
    usesDatabase: false,
    waitMs: new Map(all.map((action) => [action.name, waitOf(action)])),
    scalarNames: scalarNames(all, types),
    positions: new Map([...types, ...actions].map(([name, { position }]) => [name, position])),
    position,
  };
}

function openField({ roles, position }: Action): OpenField {
  return { roles, inHasura: true, position };
}

function waitOf({ isAsynchronous, retry }: Action): number {
  return isAsynchronous ? 0 : retry.timeout * 1000;
}
