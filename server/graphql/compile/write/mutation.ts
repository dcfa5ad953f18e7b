import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { MutationField } from '../../schema/view/table-writes.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, writtenTable } from '../fragments.ts';
import type { Input, Written } from '../input/input.ts';
import { compileKey } from '../statement.ts';
import { Answer } from './answer.ts';
import { compileInsert, readObject } from './insert.ts';
import { addInserts, groupObjects } from './insert-steps.ts';
import { writeCondition } from './masked-columns.ts';
import type { WriteProgram } from './program.ts';
import { addAnswer, addAnsweredChange } from './run-change.ts';
import { addUpdate } from './update.ts';

/** A root field of a mutation, and the program that receives its steps. */
export interface MutationRequest {
  readonly compilation: Compilation;
  readonly program: WriteProgram;
  readonly field: MutationField;
  /** All fields with the same response key. */
  readonly nodes: readonly FieldNode[];
}

/** Assembles the JSON text of a root field from the results of all steps. */
export type Assemble = (results: Written) => string;

type Args = Readonly<Record<string, Input>>;

/** Adds the steps of a validated root field. @throws RequestError for mistakes that validation cannot find */
export function addMutation(request: MutationRequest): Assemble {
  const { compilation, field, nodes } = request;
  const [node] = nodes;
  const args = node ? compilation.argumentsOf(node) : {};
  switch (field.kind) {
    case 'insert':
      return addInsert(request, args, `${pathOf(field)}.args.objects`);
    case 'insert_one':
      return addInsert(request, args, `${pathOf(field)}.args.object`);
    case 'update':
    case 'update_by_pk':
      return addUpdateOf(request, args, `${pathOf(field)}.args`);
    case 'update_many':
      return addUpdates(request, args);
    case 'delete':
    case 'delete_by_pk':
      return addDelete(request, args);
  }
}

function pathOf({ name }: MutationField): string {
  return `$.selectionSet.${name}`;
}

function answerOf({ compilation, field, nodes }: MutationRequest): Answer {
  const { table, kind } = field;
  const isRow = kind === 'insert_one' || kind === 'update_by_pk' || kind === 'delete_by_pk';
  const request = { table, nodes, path: pathOf(field), kind: isRow ? 'row' : 'response' } as const;
  return new Answer(compilation, request);
}

function addInsert(request: MutationRequest, args: Args, path: string): Assemble {
  const { compilation, program, field } = request;
  const { table, kind } = field;
  const answer = answerOf(request);
  const isOne = kind === 'insert_one';
  const inputs = isOne ? [args.object] : (args.objects?.items() ?? []);
  const objects = inputs.flatMap((input, index) =>
    input ? [readObject(table, input, new Map(), isOne ? path : `${path}[${index}]`)] : [],
  );
  if (objects.length === 0) return () => answer.assemble(0, []);
  const insert = { table, objects, conflict: args.on_conflict, path };
  const isNested = objects.some(({ nested }) => nested.length > 0);
  if (!isNested && groupObjects(objects).length === 1) {
    const change = compileInsert(compilation, insert, answer.needsRows);
    return addAnsweredChange(program, change, answer, path);
  }
  const { shown, counted } = addInserts({ compilation, program }, insert, answer.columns);
  return addAnswer(program, counted, shown, { answer, table, path });
}

function addUpdateOf(request: MutationRequest, args: Args, path: string): Assemble {
  const { compilation, program, field } = request;
  const { table } = field;
  const key = args.pk_columns;
  return addUpdate(compilation, program, {
    ...{ table, args, path, answer: answerOf(request) },
    condition: (alias) =>
      key
        ? compileKey(table, alias, Object.fromEntries(key.fields()))
        : conditionOf(request, args, alias),
  });
}

function addUpdates(request: MutationRequest, args: Args): Assemble {
  const { compilation, program, field } = request;
  const path = `${pathOf(field)}.args.updates`;
  const items = args.updates?.items() ?? [];
  if (items.length > 1) compilation.hasSeveralAnswers = true;
  const updates = items.map((item, index) => {
    const own = Object.fromEntries(item.fields());
    return addUpdate(compilation, program, {
      ...{ table: field.table, args: own, path: `${path}[${index}]`, answer: answerOf(request) },
      condition: (alias) => conditionOf(request, own, alias),
    });
  });
  return (results) => `[${updates.map((assemble) => assemble(results)).join(',')}]`;
}

function addDelete(request: MutationRequest, args: Args): Assemble {
  const { compilation, program, field } = request;
  const { table, kind } = field;
  const alias = newAlias();
  const where =
    kind === 'delete_by_pk' ? compileKey(table, alias, args) : conditionOf(request, args, alias);
  if (table.delete) compilation.use(table.delete);
  compilation.use(table.select);
  const change = sql`delete from ${writtenTable(table, 'delete')} ${alias} where ${where}`;
  const answer = answerOf(request);
  const removal = { kind: 'delete', table, alias, sql: change } as const;
  return addAnsweredChange(program, removal, answer, `${pathOf(field)}.args`);
}

function conditionOf({ compilation, field }: MutationRequest, { where }: Args, alias: SQL): SQL {
  if (!where) throw new Error(`${field.name} passed the check but has no where`);
  const path = `${pathOf(field)}.args.where`;
  return writeCondition(compilation, field.table, alias, where, path);
}
