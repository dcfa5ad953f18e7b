import type pg from 'pg';
import type pino from 'pino';
import type { Action, Model, OpenField, Position } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import type { Extension, ExtensionSource } from '../postgraphile/preset/extension.ts';

/** Services for calling actions, which do not depend on the metadata. */
export interface ActionServices {
  readonly webhooks: WebhookServices;
  /** The pool of the sidecar login; undefined: asynchronous actions are not available. */
  readonly pool: pg.Pool | undefined;
  readonly logger: pino.Logger;
}

/** Provides actions as root fields of both dialects. Without services, schemas show the actions but cannot call them. */
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
  // These modules load PostGraphile, so they are imported only when the metadata has actions.
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
