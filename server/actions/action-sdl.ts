import {
  type Action,
  type CustomType,
  isActionScalar,
  namedTypeOf,
  printType,
  type TypedName,
} from '../../permissions/index.ts';
import type { CustomTypes } from './coerce.ts';

/** Returns the name of a scalar of actions.yaml in the schema that shows the action. */
export type NameOf = (name: string) => string;

/** Returns the custom types that actions use, directly or through other types. */
export function typesOfActions(
  actions: Iterable<Action>,
  types: CustomTypes,
): readonly CustomType[] {
  const found = new Set<string>();
  for (const { arguments: given, outputType } of actions) {
    found.add(namedTypeOf(outputType));
    for (const { type } of given) found.add(namedTypeOf(type));
  }
  // The loop also visits types that are added to the Set while it runs.
  for (const name of found) {
    const type = types.get(name);
    const isObject = type?.kind === 'object' || type?.kind === 'input';
    for (const field of isObject ? type.fields.values() : []) found.add(namedTypeOf(field.type));
  }
  return [...found].flatMap((name) => types.get(name) ?? []);
}

/** Returns the root fields and types of actions as SDL. */
export function actionSdl(actions: readonly Action[], types: CustomTypes, nameOf: NameOf): string {
  const printed = typesOfActions(actions, types).map((type) => printCustomType(type, nameOf));
  const outcomes = actions.filter(({ isAsynchronous }) => isAsynchronous);
  const query = [
    ...actions.filter(({ type }) => type === 'query').map((one) => rootField(one, nameOf)),
    ...outcomes.map((one) => outcomeField(one, nameOf)),
  ];
  const mutation = actions
    .filter(({ type }) => type === 'mutation')
    .map((one) => rootField(one, nameOf));
  return [
    ...printed,
    ...outcomes.map((one) => outcomeType(one, nameOf)),
    ...block('extend type Query', query),
    ...block('extend type Mutation', mutation),
  ].join('\n\n');
}

function printCustomType(type: CustomType, nameOf: NameOf): string {
  const described = description(type.description);
  switch (type.kind) {
    case 'scalar':
      return `${described}scalar ${type.name}`;
    case 'enum': {
      const values = [...type.values].map(([name, text]) => `${description(text)}${name}`);
      return described + block(`enum ${type.name}`, values).join('');
    }
    case 'input':
    case 'object': {
      const fields = [...type.fields.values()].map((field) => typed(field, nameOf));
      const keyword = type.kind === 'input' ? 'input' : 'type';
      return described + block(`${keyword} ${type.name}`, fields).join('');
    }
  }
}

function rootField(action: Action, nameOf: NameOf): string {
  const given = action.arguments.map((one) => typed(one, nameOf));
  const taken = given.length > 0 ? `(\n${given.join('\n')}\n)` : '';
  const returned = action.isAsynchronous
    ? `${nameOf('uuid')}!`
    : typeText(action.outputType, nameOf);
  return `${description(action.description)}${action.name}${taken}: ${returned}`;
}

function outcomeField({ name }: Action, nameOf: NameOf): string {
  const text = `the outcome of a call of "${name}", for its caller`;
  return `${description(text)}${name}(${description('the id from the mutation')}id: ${nameOf('uuid')}!): ${name}`;
}

function outcomeType({ name, outputType }: Action, nameOf: NameOf): string {
  const output = typeText({ ...outputType, isRequired: false }, nameOf);
  return block(`${description(`a call of "${name}"`)}type ${name}`, [
    `id: ${nameOf('uuid')}!`,
    `created_at: ${nameOf('timestamptz')}!`,
    `${description('created, processing, completed or error')}status: String!`,
    `${description('the reason for a failure; null otherwise')}errors: ${nameOf('json')}`,
    `${description('null until the call is completed')}output: ${output}`,
  ]).join('');
}

function typed({ name, type, description: text }: TypedName, nameOf: NameOf): string {
  return `${description(text)}${name}: ${typeText(type, nameOf)}`;
}

function typeText(type: TypedName['type'], nameOf: NameOf): string {
  return printType(type, (name) => (isActionScalar(name) ? nameOf(name) : name));
}

function block(head: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [`${head} {\n${lines.join('\n')}\n}`] : [];
}

function description(text: string | undefined): string {
  return text === undefined ? '' : `${JSON.stringify(text.toWellFormed())} `;
}
