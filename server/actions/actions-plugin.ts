import {
  context,
  type FieldArgs,
  lambda,
  SafeError,
  type Step,
  sideEffect,
} from 'postgraphile/grafast';
import {
  type DocumentNode,
  Kind,
  parse,
  type ValueNode,
  valueFromASTUntyped,
} from 'postgraphile/graphql';
import { extendSchema } from 'postgraphile/utils';
import { type Action, isActionScalar, type TypeRelationship } from '../../permissions/index.ts';
import type { ActionCaller } from './action-caller.ts';
import { ActionError } from './action-error.ts';
import type { ActionRunner } from './action-runner.ts';
import { actionSdl, typesOfActions } from './action-sdl.ts';
import type { CustomTypes } from './coerce.ts';

export interface ActionsPluginOptions {
  /** The types of the same rules as the actions. */
  readonly types: CustomTypes;
  readonly runner: ActionRunner;
  /** Who sends an operation, by its Grafast context. @throws Error where the context does not say */
  readonly callerOf: (context: Grafast.Context) => ActionCaller;
  /** The document that the client sent; absent: handlers get none. */
  readonly queryOf?: (context: Grafast.Context) => string | undefined;
  /** Ends calls that nobody waits for. */
  readonly stopOf?: (context: Grafast.Context) => AbortSignal | undefined;
  /** What the schema calls a scalar of Postgres; absent: as PostGraphile does. */
  readonly scalarName?: (scalar: string, build: GraphileBuild.Build) => string;
}

/** A field of an object type of actions that gives rows of a table. */
export interface ActionRelationship extends TypeRelationship {
  readonly typeName: string;
}

/**
 * Adds the root fields and types of actions to a schema of PostGraphile. The actions must be those of the role that
 * the schema is for; the relationships of their types are left to `actionRelationships`.
 */
export function actionsPlugin(
  actions: Iterable<Action>,
  options: ActionsPluginOptions,
): GraphileConfig.Plugin {
  const offered = [...actions];
  return extendSchema((build) => {
    const { scalarName = postgraphileName } = options;
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

/** The relationships of the types that actions return, for those who can read tables by a role's rules. */
export function actionRelationships(
  actions: Iterable<Action>,
  types: CustomTypes,
): readonly ActionRelationship[] {
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
  const { runner, callerOf, queryOf, stopOf } = options;
  const start = action.isAsynchronous ? runner.enqueue : runner.call;
  const call = ([$context, given]: readonly [Grafast.Context, Given]) =>
    withSafeErrors(async () =>
      start(action, {
        caller: callerOf($context),
        given,
        requestQuery: queryOf?.($context),
        stop: stopOf?.($context),
      }),
    );
  return (_$parent, args) => {
    const $given = args.getRaw() as Step<Given>;
    // Effects happen once each and in the order of the document.
    if (action.type === 'mutation') return sideEffect([context(), $given], call);
    return lambda([context(), $given], call);
  };
}

function outcomePlan(action: Action, { runner, callerOf }: ActionsPluginOptions): Plan {
  const find = ([$context, id]: readonly [Grafast.Context, unknown]) =>
    withSafeErrors(async () => runner.find(action, String(id), callerOf($context)));
  return (_$parent, args) => lambda([context(), args.getRaw('id')], find);
}

type Given = Readonly<Record<string, unknown>>;

/** An action that failed, with what its handler says. Grafast shows clients the messages of safe errors alone. */
export class ActionFailure extends SafeError {
  constructor(message: string, extensions: Record<string, unknown>) {
    super(message, extensions);
    Object.setPrototypeOf(this, ActionFailure.prototype);
  }
}

async function withSafeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    throw new ActionFailure(error.message, { ...error.extensions });
  }
}

/** PostGraphile's names of the scalars that actions may use. */
const builtinNames: Readonly<Record<string, string>> = {
  ...{ bigint: 'BigInt', date: 'Date', json: 'JSON', jsonb: 'JSON', numeric: 'BigFloat' },
  ...{ time: 'Time', timetz: 'Time', timestamp: 'Datetime', timestamptz: 'Datetime', uuid: 'UUID' },
};

function postgraphileName(scalar: string, { inflection }: GraphileBuild.Build): string {
  if (scalar === 'smallint') return 'Int';
  if (scalar === 'float8') return 'Float';
  const builtin = builtinNames[scalar];
  return builtin === undefined ? scalar : inflection.builtin(builtin);
}

/** A scalar of custom_types takes and gives any value. */
const anyValue = {
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables?: Readonly<Record<string, unknown>> | null) =>
    valueFromASTUntyped(node, variables),
};
