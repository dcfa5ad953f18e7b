import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type {
  RawAction,
  RawActions,
  RawCustomType,
  RawTypedName,
  RawTypeRelationship,
} from '../raw.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { readRetry } from './read-event.ts';
import { textOf } from './read-graphql.ts';
import { readTableName } from './read-table-name.ts';
import { readHeaders, readWebhook } from './read-webhook.ts';

/** What there is without an actions.yaml. */
export const noActions: RawActions = { actions: [], customTypes: [] };

const typeKinds = [
  ['objects', 'object'],
  ['input_objects', 'input'],
  ['enums', 'enum'],
  ['scalars', 'scalar'],
] as const;

/** Seconds that a handler has to answer where its action does not say. */
const defaultTimeout = 30;
/** How often a call of an asynchronous action is tried again where it does not say. */
const defaultRetries = 3;

/** A valid actions.yaml. Addresses, headers and table names that cannot be are reported. */
export function readActions(root: RawNode, report: Report): RawActions {
  const types = fieldOf(root, 'custom_types');
  return {
    actions: entriesOf(fieldOf(root, 'actions')).map((entry) => readAction(entry, report)),
    customTypes: typeKinds.flatMap(([key, kind]) =>
      entriesOf(types && fieldOf(types, key)).map((entry) => readType(entry, kind, report)),
    ),
  };
}

function readAction(entry: RawEntry, report: Report): RawAction {
  const { value } = entry;
  const field = (key: string) => fieldOf(value, key);
  const kind = field('kind');
  return {
    ...keyOf(entry),
    type: nameOf(requiredFieldOf(value, 'type')).name === 'query' ? 'query' : 'mutation',
    kind: {
      name: textOf(kind) === 'asynchronous' ? 'asynchronous' : 'synchronous',
      position: kind?.position ?? entry.keyPosition,
    },
    description: textOf(field('description')),
    arguments: entriesOf(field('arguments')).map(readTyped),
    outputType: nameOf(requiredFieldOf(value, 'output_type')),
    handler: readWebhook(nameOf(requiredFieldOf(value, 'handler')), report),
    headers: readHeaders(entriesOf(field('headers')), report),
    forwardClientHeaders: itemsOf(field('forward_client_headers')).map(nameOf),
    retry: readPace(entry, report),
    permissions: itemsOf(field('permissions')).map(nameOf),
  };
}

/** How often a call is tried again, with the action's own timeout. Only asynchronous actions can be. */
function readPace({ key, value }: RawEntry, report: Report): RawAction['retry'] {
  const retry = fieldOf(value, 'retry');
  const isAsynchronous = textOf(fieldOf(value, 'kind')) === 'asynchronous';
  if (retry && !isAsynchronous) {
    const message = `the action ${quote(key)} has "retry", but is synchronous`;
    const hint = 'a client waits for it and may ask again by itself; leave "retry" out';
    report.error('RG_ACTION', retry.position, message, hint);
  }
  const timeout = fieldOf(value, 'timeout');
  return {
    ...readRetry(retry, isAsynchronous ? defaultRetries : 0, report),
    timeout: timeout?.kind === 'scalar' ? Number(timeout.value) : defaultTimeout,
  };
}

function readType(entry: RawEntry, kind: RawCustomType['kind'], report: Report): RawCustomType {
  const { value } = entry;
  return {
    ...keyOf(entry),
    kind,
    description: textOf(fieldOf(value, 'description')),
    fields: entriesOf(fieldOf(value, 'fields')).map(readTyped),
    relationships: entriesOf(fieldOf(value, 'relationships')).flatMap(
      (one) => readTypeRelationship(one, report) ?? [],
    ),
    values: readValues(fieldOf(value, 'values')),
  };
}

function readTyped(entry: RawEntry): RawTypedName {
  const { value } = entry;
  if (value.kind !== 'map') return { ...keyOf(entry), type: nameOf(value), description: undefined };
  const type: RawName = nameOf(requiredFieldOf(value, 'type'));
  return { ...keyOf(entry), type, description: textOf(fieldOf(value, 'description')) };
}

function readTypeRelationship(entry: RawEntry, report: Report): RawTypeRelationship | undefined {
  const { value } = entry;
  const table = readTableName(requiredFieldOf(value, 'table'), report);
  if (!table) return undefined;
  const pairs = entriesOf(requiredFieldOf(value, 'field_mapping'));
  return {
    ...keyOf(entry),
    kind: textOf(fieldOf(value, 'kind')) === 'array' ? 'array' : 'object',
    table,
    mapping: pairs.map((pair) => ({ field: keyOf(pair), column: nameOf(pair.value) })),
    description: textOf(fieldOf(value, 'description')),
  };
}

function readValues(node: RawNode | undefined): RawCustomType['values'] {
  if (node?.kind === 'list') {
    return itemsOf(node).map((item) => ({ ...nameOf(item), description: undefined }));
  }
  return entriesOf(node).map((entry) => {
    const { value } = entry;
    const description =
      value.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
    return { ...keyOf(entry), description };
  });
}
