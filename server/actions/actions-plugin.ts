import { context, type FieldArgs, lambda, type Step, sideEffect } from 'postgraphile/grafast';
import {
  type DocumentNode,
  Kind,
  parse,
  type ValueNode,
  valueFromASTUntyped,
} from 'postgraphile/graphql';
import { extendSchema } from 'postgraphile/utils';
import {
  type Action,
  type ExtensionRelationship,
  isActionScalar,
} from '../../permissions/index.ts';
import { ShownError } from '../postgraphile/execute/grafast-error.ts';
import { requestOf } from '../postgraphile/execute/operation-context.ts';
import type { ActionCaller } from './action-caller.ts';
import { ActionError } from './action-error.ts';
import type { ActionRunner } from './action-runner.ts';
import { actionSdl, typesOfActions } from './action-sdl.ts';
import type { CustomTypes } from './coerce.ts';

export interface ActionsPluginOptions {
  /** Custom types from the same version of the metadata as the actions. */
  readonly types: CustomTypes;
  /** Calls the handlers of actions. Undefined when the schema is only printed and never executed. */
  readonly runner: ActionRunner | undefined;
}

/** Makes the plugin that adds root fields and types of actions. Another plugin adds their relationships. */
export function actionsPlugin(
  actions: Iterable<Action>,
  options: ActionsPluginOptions,
): GraphileConfig.Plugin {
  const offered = [...actions];
  return extendSchema((build) => {
    const nameOf = (name: string) => (isActionScalar(name) ? scalarName(name, build) : name);
    const queries = offered.filter(({ type }) => type === 'query');
    const mutations = offered.filter(({ type }) => type === 'mutation');
    const outcomes = mutations.filter(({ isAsynchronous }) => isAsynchronous);
    const query = {
      ...plansOf(queries, (action) => callPlan(action, options)),
      ...plansOf(outcomes, (action) => outcomePlan(action, options)),
    };
    const mutation = plansOf(mutations, (action) => callPlan(action, options));
    return {
      typeDefs: documentOf(actionSdl(offered, options.types, nameOf)),
      objects: {
        ...(Object.keys(query).length > 0 && { Query: { plans: query } }),
        ...(Object.keys(mutation).length > 0 && { Mutation: { plans: mutation } }),
      },
      scalars: Object.fromEntries(
        typesOfActions(offered, options.types)
          .filter(({ kind }) => kind === 'scalar')
          .map(({ name }) => [name, anyValue]),
      ),
    };
  }, 'RowgateActionsPlugin');
}

/** Returns the relationships of all types that actions return. */
export function actionRelationships(
  actions: Iterable<Action>,
  types: CustomTypes,
): readonly ExtensionRelationship[] {
  return typesOfActions(actions, types).flatMap((type) =>
    type.kind === 'object'
      ? type.relationships.map((one) => ({ ...one, typeName: type.name }))
      : [],
  );
}

function documentOf(sdl: string): DocumentNode {
  return sdl === '' ? { kind: Kind.DOCUMENT, definitions: [] } : parse(sdl);
}

type Plan = ($parent: Step, args: FieldArgs) => Step;

function plansOf(
  actions: readonly Action[],
  planOf: (action: Action) => Plan,
): Readonly<Record<string, Plan>> {
  return Object.fromEntries(actions.map((action) => [action.name, planOf(action)]));
}

function callPlan(action: Action, options: ActionsPluginOptions): Plan {
  const call = ([context, given]: readonly [Grafast.Context, Given]) =>
    withShownErrors(async () => {
      const runner = runnerOf(options);
      const start = action.isAsynchronous ? runner.enqueue : runner.call;
      const { query: requestQuery, signal: stop, receive: onReceived } = requestOf(context);
      return start(action, { caller: callerOf(context), given, requestQuery, stop, onReceived });
    });
  return (_$parent, args) => {
    const $given = args.getRaw() as Step<Given>;
    // A mutation is a side effect for Grafast, which runs each side effect exactly once and in the order of the
    // document.
    if (action.type === 'mutation') return sideEffect([context(), $given], call);
    return lambda([context(), $given], call);
  };
}

function outcomePlan(action: Action, options: ActionsPluginOptions): Plan {
  const find = ([context, id]: readonly [Grafast.Context, unknown]) =>
    withShownErrors(async () => runnerOf(options).find(action, String(id), callerOf(context)));
  return (_$parent, args) => lambda([context(), args.getRaw('id')], find);
}

type Given = Readonly<Record<string, unknown>>;

function runnerOf({ runner }: ActionsPluginOptions): ActionRunner {
  if (runner) return runner;
  throw new Error('actions are not called here');
}

function callerOf(context: Grafast.Context): ActionCaller {
  const { caller, headers } = requestOf(context);
  const { role, variables, session } = caller;
  return { role: role.name, variables, session, headers };
}

async function withShownErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    throw new ShownError(error.message, { ...error.extensions });
  }
}

/** PostGraphile's names for the scalars of actions. */
const builtinNames: Readonly<Record<string, string>> = {
  ...{ bigint: 'BigInt', date: 'Date', json: 'JSON', jsonb: 'JSON', numeric: 'BigFloat' },
  ...{ time: 'Time', timetz: 'Time', timestamp: 'Datetime', timestamptz: 'Datetime', uuid: 'UUID' },
};

function scalarName(scalar: string, { inflection }: GraphileBuild.Build): string {
  if (scalar === 'smallint') return 'Int';
  if (scalar === 'float8') return 'Float';
  const builtin = builtinNames[scalar];
  return builtin === undefined ? scalar : inflection.builtin(builtin);
}

/**
 * Implementation of custom scalars. They accept and return any value, because only the handler knows which values are
 * valid.
 */
const anyValue = {
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables?: Readonly<Record<string, unknown>> | null) =>
    valueFromASTUntyped(node, variables),
};
