import { quote } from '../../../text/characters.ts';
import { extraKeys, reportExtras, translateHeaders } from '../events/translate-webhook.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedAction, Plain } from '../imported.ts';
import {
  type Cursor,
  field,
  flag,
  isEmpty,
  items,
  members,
  required,
  text,
} from '../input/cursor.ts';
import { isPossibleRole } from '../possible-role.ts';
import { hasuraPrefix } from '../values.ts';
import { typedMap } from './translate-custom-types.ts';

const definitionKeys = [
  ...['arguments', 'output_type', 'type', 'kind', 'handler', 'headers', 'timeout'],
  ...['forward_client_headers', ...extraKeys],
];

/** Maximum timeout that Rowgate allows for the handler of an action, in seconds. */
const longestTimeout = 600;

/** Translates `actions` to the actions of actions.yaml. */
export function translateActions(
  root: Cursor,
  { headerPrefix, report }: { readonly headerPrefix: string; readonly report: ImportReport },
): readonly ImportedAction[] {
  const actions = items(field(root, 'actions'));
  const [first] = actions;
  if (first && headerPrefix.toLowerCase() !== hasuraPrefix) {
    const message = `handlers get session variables as ${headerPrefix.toLowerCase()}…, not as ${hasuraPrefix}…`;
    const hint = 'change what they look for, or set ROWGATE_HEADER_PREFIX=X-Hasura-';
    report.add('change', first, `actions: ${message}`, hint);
  }
  return actions.flatMap((from) => translateAction(from, report) ?? []);
}

function translateAction(from: Cursor, report: ImportReport): ImportedAction | undefined {
  const name = text(required(from, 'name'));
  const where = `the action ${quote(name)}`;
  const definition = required(from, 'definition');
  report.unknownKeys(members(from), ['name', 'definition', 'permissions', 'comment'], where);
  report.unknownKeys(members(definition), definitionKeys, where);
  reportExtras(definition, where, report);
  const permissions = items(field(from, 'permissions')).map((one) => required(one, 'role'));
  const possible = permissions.filter((role) => isPossibleRole(role, report, 'permission'));
  const roles = [...new Set(possible.map(text))].toSorted();
  const output = field(definition, 'output_type');
  if (!output) {
    const loss = roles.length > 0 ? 'permission' : 'feature';
    const hint = 'let actions.graphql stand beside actions.yaml';
    report.add(loss, from, `${where} is left out: nothing says what it returns`, hint);
    return undefined;
  }
  const comment = field(from, 'comment');
  const body = new Map<string, Plain>([['type', textAt(definition, 'type') ?? 'mutation']]);
  if (textAt(definition, 'kind') === 'asynchronous') body.set('kind', 'asynchronous');
  if (comment && !isEmpty(comment)) body.set('description', text(comment));
  const given = typedMap(field(definition, 'arguments'), where, report);
  if (given.size > 0) body.set('arguments', given);
  body.set('output_type', text(output)).set('handler', text(required(definition, 'handler')));
  setRest(body, definition, where, report);
  if (roles.length > 0) body.set('permissions', roles);
  return { name, body, roles, from };
}

function setRest(
  body: Map<string, Plain>,
  definition: Cursor,
  where: string,
  report: ImportReport,
): void {
  const headers = translateHeaders(field(definition, 'headers'));
  if (headers.size > 0) body.set('headers', headers);
  const forward = field(definition, 'forward_client_headers');
  if (forward && flag(forward)) {
    const hasOwn = [...headers.keys()].some(isAuthorization);
    if (!hasOwn) body.set('forward_client_headers', ['Authorization']);
    const message = `of the headers of clients, ${hasOwn ? 'none' : 'only Authorization'} is forwarded`;
    report.add('change', forward, `${where}: ${message}`, 'name the others that it reads');
  }
  const timeout = field(definition, 'timeout');
  if (!timeout) return;
  const requested = timeout.node.kind === 'scalar' ? Number(timeout.node.value) : Number.NaN;
  const fits = Math.min(Math.max(Math.round(requested) || 1, 1), longestTimeout);
  if (fits !== requested) report.add('change', timeout, `${where}: "timeout" is ${fits} here`);
  body.set('timeout', fits);
}

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === 'authorization';
}

function textAt(cursor: Cursor, key: string): string | undefined {
  const found = field(cursor, key);
  return found && !isEmpty(found) ? text(found) || undefined : undefined;
}

/** Removes a role from an action, because the role is not imported and so cannot call the action. */
export function actionWithout(action: ImportedAction, role: string): ImportedAction {
  const roles = action.roles.filter((one) => one !== role);
  if (roles.length === action.roles.length) return action;
  const body = new Map<string, Plain>(action.body);
  if (roles.length > 0) body.set('permissions', roles);
  else body.delete('permissions');
  return { ...action, roles, body };
}
