import { Lru } from '../../lru.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import { Shape } from '../compile/shape.ts';
import type { Json } from '../json.ts';
import type { CheckedOperation } from '../validate/document.ts';
import { checkVariables, readVariables, type Variables } from '../validate/variables.ts';
import type { RoleView } from '../view/role-view.ts';
import { makePlan, type Plan, statementsOf } from './plan.ts';

/** Characters of all statements that are kept for one document. */
const MAX_STATEMENTS_LENGTH = 200_000;
/** What a parameter counts as. */
const PARAMETER_COST = 50;

/** A checked operation of one role and its plans, one for each shape of variables seen. */
export class Operation {
  readonly checked: CheckedOperation;
  readonly #view: RoleView;
  readonly #hint: string;
  readonly #options: CompileOptions;
  readonly #shape = new Shape();
  readonly #plans = new Lru<Plan>(MAX_STATEMENTS_LENGTH);

  constructor(checked: CheckedOperation, view: RoleView, hint: string, options: CompileOptions) {
    this.checked = checked;
    this.#view = view;
    this.#hint = hint;
    this.#options = options;
  }

  /** The request's variables, checked. @throws RequestError */
  variables(raw: Json | undefined): Variables {
    const variables = readVariables(this.checked.operation, raw);
    checkVariables(this.checked.usages, variables, this.#hint);
    return variables;
  }

  /** @throws RequestError for what only compilation finds */
  plan(variables: Variables): Plan {
    const known = this.#plans.get(this.#shape.key(variables));
    if (known) return known;
    const { plan, shape } = makePlan(this.#view, this.checked, variables, this.#options);
    const before = this.#shape.size;
    this.#shape.merge(shape);
    // Keys made from fewer properties say too little.
    if (this.#shape.size > before) this.#plans.clear();
    const key = this.#shape.key(variables);
    const cost = statementsOf(plan).reduce(
      (sum, { text, parameters }) => sum + text.length + parameters.length * PARAMETER_COST,
      key.length,
    );
    this.#plans.set(key, plan, cost);
    return plan;
  }
}
