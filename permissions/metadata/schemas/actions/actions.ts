import { type Static, Type } from 'typebox';
import type { Report } from '../../../diagnostics.ts';
import { quote } from '../../../text/characters.ts';
import { decoded, list, named, object, optional, type Placed, placed } from '../../shape/shape.ts';
import { name, whole } from '../primitives.ts';
import { defaultPace, type Retry, retryPace } from '../webhooks/retry.ts';
import { headers, webhook } from '../webhooks/webhook.ts';
import { customTypes, description, typedNames, typeReference } from './custom-types.ts';

/** Default of `timeout`, in seconds. */
const defaultTimeout = 30;
/** Default number of retries of an asynchronous action. */
const defaultRetries = 3;

const action = decoded(
  object(
    {
      type: Type.Enum(['query', 'mutation'], {
        title: 'query or mutation',
        description: 'The root type that gets the field.',
      }),
      kind: optional(
        placed(
          Type.Enum(['synchronous', 'asynchronous'], {
            title: 'synchronous or asynchronous',
            description:
              'synchronous (default): the client waits for the handler. asynchronous: the client gets an id and queries the outcome later.',
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
          description: 'Client headers that are forwarded to the handler.',
          uniqueItems: true,
        }),
        [],
      ),
      timeout: optional(
        whole(1, 600, 'Seconds that the handler may take to answer; default 30.'),
        defaultTimeout,
      ),
      retry: optional(placed(retryPace)),
      permissions: optional(
        list(name('the name of a role'), {
          title: 'a list of roles',
          description: 'Roles that may call it; admin always may.',
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
  const hint = 'a client waits for the answer and can repeat the request itself; omit "retry"';
  report.error('RG_ACTION', position, message, hint);
}

export const actionsFile = object(
  {
    actions: optional(named(action, { title: 'a map of names to actions' }), []),
    custom_types: optional(customTypes, []),
  },
  { title: 'a map with actions and custom_types' },
);

export type RawActions = Static<typeof actionsFile>;
export type RawAction = RawActions['actions'][number];
