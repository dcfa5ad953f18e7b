import type { TableAccess } from '../../access/table-access.ts';
import { keyTypes, withoutTexts } from '../../access/upserts.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { operandSql } from '../../expressions/print/print-operand.ts';
import { elementOf } from '../../model/tables/table-schemas.ts';
import { cursorName } from '../../objects/api-functions/update-each.ts';
import { policyFunction } from '../../objects/functions/function.ts';
import { executeObject } from '../../objects/privileges/execute.ts';
import { schemaUsage } from '../../objects/privileges/schema-usage.ts';
import { label } from '../../objects/state/state-object.ts';
import { apiSchema, type ObjectName, visibilityCheckName } from '../../text/object-names.ts';
import { ident, join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Operand } from '../../types/expressions.ts';
import type { UniqueConstraint } from '../../types/tables.ts';
import { type Compiled, type CompileScope, together } from '../compiled.ts';
import {
  type KeyParameter,
  keyParameterName,
  keyParameters,
  parameterOf,
} from '../key-parameters.ts';
import { passingFunction } from '../upserts/update-check.ts';

/** The label of the PL/pgSQL block whose variables hold the given key in the stored form of its columns. */
const keyBlock = sql`kept`;

/**
 * Returns the conflict lookups of a role on a table, and the rights that the role and their owner need. A conflict
 * lookup is a function that opens a cursor on the existing row of an upsert.
 */
export function conflictLookupObjects(access: TableAccess, scope: CompileScope): Compiled {
  const { table, upserts } = access;
  const made = table.uniqueConstraints.flatMap((constraint) => {
    const name = upserts.conflictLookups.get(constraint.name);
    return name ? [lookupObjects({ name, constraint, access, scope })] : [];
  });
  return together(made);
}

interface Lookup {
  readonly name: ObjectName;
  readonly constraint: UniqueConstraint;
  readonly access: TableAccess;
  readonly scope: CompileScope;
}

function lookupObjects(lookup: Lookup): Compiled {
  const { name: called, constraint, access, scope } = lookup;
  const { role, rules, table } = access;
  const { catalog } = scope;
  const givenAs = (name: string) => sql`${keyBlock}.${ident(name)}`;
  const keys = keyParameters({ table, catalog, columns: constraint.columns, givenAs });
  const check = visibilityCheck(lookup);
  const values = keys.map(({ name }) => sql`${keyBlock}.${name}`);
  const shown = check ? sql`${qualified(check.name)}(${list(values)})` : sql`true`;
  const target = sql`${qualified(called)}(${list(keys.map(({ type }) => type))})`;
  const head = sql`${qualified(called)}(${list(keys.map(({ name, type }) => sql`${name} ${type}`))})`;
  const body = sql`${head} returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as ${literal(cursorCode(lookup, keys, shown).text)}`;
  const { name } = called;
  return {
    objects: [
      ...schemasOf(lookup, keys).map((schema) => schemaUsage(schema, scope.policyRole)),
      ...(check?.objects ?? []),
      policyFunction({
        ...{ name, target, body, owner: scope.policyRole },
        label: `upsert finder ${name} of ${role.name} on ${label(table)}`,
        position: rules.update?.position ?? table.position,
      }),
      executeObject({ id: name, label: `${name}(…)`, target }, role.postgresName),
    ],
    // xmin is the id of the transaction that wrote the row version. It shows the upsert whether its own transaction has
    // already written the row.
    needs: [{ table, columns: [...constraint.columns, 'xmin'] }, ...(check?.needs ?? [])],
  };
}

/**
 * Prints the body of a conflict lookup. The body returns a cursor only to connections of the gateway. The gateway tries
 * an insert first, so the violation has already revealed that the key exists. The cursor shows no column of the row,
 * only its version and whether the role may see the row.
 *
 * The body looks a value up in the form in which the column stores it, e.g. rounded. When the plan of a cursor omits a
 * partition, Postgres cannot change a row through the cursor, even if the row is in another partition. So the function
 * turns partition pruning off.
 */
function cursorCode(lookup: Lookup, keys: readonly KeyParameter[], shown: SqlText): SqlText {
  const { access, scope } = lookup;
  const absent = keys.map(({ name }) => sql`${name} is null`);
  const found = keys.map(({ equal }) => equal);
  return sql`
declare
  rowgate_rows pg_catalog.refcursor := ${literal(cursorName)};
begin
  if not pg_catalog.pg_has_role(session_user, ${literal(scope.gatewayRole)}::pg_catalog.name, 'MEMBER'::pg_catalog.text) then
    return null;
  end if;
${join(presetKeys(lookup), '')}  if ${join(absent, ' or ')} then
    return null;
  end if;
  <<${keyBlock}>>
  declare
${join(keptKeys(lookup), '')}  begin
    open rowgate_rows no scroll for select ${shown} as is_shown, r.xmin as version from ${qualified(access.table)} as r where ${join(found, ' and ')};
    return rowgate_rows;
  end;
end`;
}

/**
 * Returns the visibility check of a conflict lookup, a function that returns whether the role may see the found row.
 * Undefined: no check is needed, because the role may see every row, or may change rows that it cannot see.
 */
function visibilityCheck({ constraint, access, scope }: Lookup) {
  const { role, rules, table } = access;
  const { select } = rules;
  if (!select || passesEveryRow(select.filter)) return undefined;
  const facts = [role.postgresName, table.key, keyTypes(table, constraint), select.filter];
  const name = {
    schema: apiSchema,
    name: visibilityCheckName(JSON.stringify(facts, withoutTexts)),
  };
  const made = passingFunction(name, {
    ...{ table, scope, columns: constraint.columns, filter: select.filter },
    volatility: 'stable',
    label: `upsert sight ${name.name} of ${role.name} on ${label(table)}`,
    position: select.position,
  });
  return { ...made, name };
}

/**
 * Returns the schemas that the body of a conflict lookup names. Postgres parses the body on each call, so the
 * function's owner needs USAGE on them.
 */
function schemasOf(lookup: Lookup, keys: readonly KeyParameter[]): readonly string[] {
  const { access, scope } = lookup;
  const named = new Set([
    access.table.schema,
    apiSchema,
    ...keys.flatMap(({ schemas }) => schemas),
  ]);
  for (const { value } of keyPresets(lookup)) {
    for (const schema of operandSchemas(value)) named.add(schema);
  }
  return [...named].filter((name) => name !== 'pg_catalog' && !scope.openSchemas.has(name));
}

function operandSchemas(operand: Operand): readonly string[] {
  if (operand.kind === 'column') return [];
  const items = operand.kind === 'array' ? operand.items.flatMap(operandSchemas) : [];
  return [operand.type.schema, elementOf(operand.type).schema, ...items];
}

function keyPresets({ constraint, access }: Lookup) {
  return (access.rules.insert?.presets ?? []).flatMap(({ column, value }) => {
    const index = constraint.columns.indexOf(column);
    return index === -1 || value.kind === 'column' ? [] : [{ index, value }];
  });
}

function presetKeys(lookup: Lookup): readonly SqlText[] {
  return keyPresets(lookup).map(
    ({ index, value }) =>
      sql`  ${ident(keyParameterName(index))} := ${operandSql(value, lookup.scope.gatewayRole)};\n`,
  );
}

function keptKeys({ name: called, constraint, access }: Lookup): readonly SqlText[] {
  return constraint.columns.map((column, index) => {
    const name = keyParameterName(index);
    const given = parameterOf(called.name)(name);
    return sql`    ${ident(name)} ${qualified(access.table)}.${ident(column)}%type := ${given};\n`;
  });
}

function list(parts: readonly SqlText[]): SqlText {
  return join(parts, ', ');
}
