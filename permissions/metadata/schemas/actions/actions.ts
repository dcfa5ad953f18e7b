import { type Static, Type } from 'typebox';
import type { Report } from '../../../diagnostics.ts';
import { quote } from '../../../text/characters.ts';
import { decoded, list, named, object, optional, type Placed, placed } from '../../shape/shape.ts';
import { name, whole } from '../primitives.ts';
import { defaultPace, type Retry, retryPace } from '../webhooks/retry.ts';
import { headers, webhook } from '../webhooks/webhook.ts';
import { customTypes, description, typedNames, typeReference } from './custom-types.ts';

/** Seconds that a handler has to answer where its action does not say. */
const defaultTimeout = 30;
/** Calls of an asynchronous action are tried again so often where it does not say. */
const defaultRetries = 3;

const action = decoded(
  object(
    {
      type: Type.Enum(['query', 'mutation'], {
        title: 'query or mutation',
        description: 'What it is a root field of.',
      }),
      kind: optional(
        placed(
          Type.Enum(['synchronous', 'asynchronous'], {
            title: 'synchronous or asynchronous',
            description:
              'synchronous, the default: the client waits for the handler. asynchronous: the client gets an id to ask by.',
          }),
        ),
      ),
      description,
      arguments: optional(typedNames({ title: 'a map of names to types' }), []),
      output_type: typeReference,
      handler: webhook,
      headers: optional(headers, []),
      forward_client_headers: optional(
        list(name('the name of a header'), {
          title: 'a list of headers',
          description: 'Headers of the client that the handler gets too.',
          uniqueItems: true,
        }),
        [],
      ),
      timeout: optional(
        whole(1, 600, 'Seconds that the handler has to answer; default 30.'),
        defaultTimeout,
      ),
      retry: optional(placed(retryPace)),
      permissions: optional(
        list(name('the name of a role'), {
          title: 'a list of roles',
          description: 'Who may call it, besides admin.',
          uniqueItems: true,
        }),
        [],
      ),
    },
    { title: 'a map with type, output_type and handler' },
  ),
  ({ timeout, retry, ...raw }, { key, report }) => {
    const kind = raw.kind ?? { name: 'synchronous' as const, position: key.position };
    const isAsynchronous = kind.name === 'asynchronous';
    if (retry && !isAsynchronous) refuseRetry(key.name, retry, report);
    const { limit = isAsynchronous ? defaultRetries : 0, ...pace } = retry?.name ?? defaultPace;
    const complete: Retry = { limit, ...pace, timeout };
    return { ...raw, kind, retry: complete };
  },
);

function refuseRetry(action: string, { position }: Placed<unknown>, report: Report): void {
  const message = `the action ${quote(action)} has "retry", but is synchronous`;
  const hint = 'a client waits for it and may ask again by itself; leave "retry" out';
  report.error('RG_ACTION', position, message, hint);
}

/** actions.yaml. */
export const actionsFile = object(
  {
    actions: optional(named(action, { title: 'a map of names to actions' }), []),
    custom_types: optional(customTypes, []),
  },
  { title: 'a map with actions and custom_types' },
);

export type RawActions = Static<typeof actionsFile>;
export type RawAction = RawActions['actions'][number];
