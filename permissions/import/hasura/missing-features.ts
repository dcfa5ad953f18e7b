import { quote } from '../../text/characters.ts';
import { withPermissions } from './count.ts';
import type { ImportReport } from './import-report.ts';
import { type Cursor, field, isEmpty, items, members, text } from './input/cursor.ts';

const known = [
  ...['version', 'sources', 'resource_version', 'cron_triggers', 'inherited_roles'],
  ...['query_collections', 'allowlist', 'api_limits', 'graphql_schema_introspection'],
  ...['actions', 'custom_types'],
];

interface Feature {
  readonly what: string;
  readonly hint: string;
  /** The key that holds the name of an item, for messages. Absent: the feature is reported once as a whole. */
  readonly name?: string;
}

/** Features outside of databases that Hasura has and Rowgate does not. */
const features: Readonly<Record<string, Feature>> = {
  remote_schemas: { what: 'the remote schema', hint: 'let clients ask it directly', name: 'name' },
  rest_endpoints: {
    what: 'the REST endpoint',
    hint: 'post its query to /v1/graphql',
    name: 'name',
  },
  network: { what: 'network settings', hint: 'they are for calls that Hasura makes' },
  opentelemetry: { what: 'OpenTelemetry settings', hint: 'use the log' },
  metrics_config: { what: 'settings of metrics', hint: 'use the log' },
  backend_configs: { what: 'settings of data connectors', hint: 'only Postgres is served' },
};

/** Reports each use of the features that Rowgate lacks, because the import omits them. */
export function reportMissingFeatures(root: Cursor, report: ImportReport): void {
  for (const { key, value } of members(root)) {
    if (known.includes(key) || isEmpty(value)) continue;
    const feature = Object.hasOwn(features, key) ? features[key] : undefined;
    if (!feature) report.unknownKeys([{ key, value }], [], 'the metadata');
    else if (feature.name === undefined)
      report.add('feature', value, `${feature.what}: not imported`, feature.hint);
    else for (const item of items(value)) tellItem(item, feature, report);
  }
}

function tellItem(item: Cursor, { what, hint, name = '' }: Feature, report: ImportReport): void {
  const named = field(item, name);
  const permissions = items(field(item, 'permissions')).length;
  const message = `${what} ${quote(named ? text(named) : '')} is not imported${withPermissions(permissions)}`;
  report.add(permissions > 0 ? 'permission' : 'feature', item, message, hint);
}
