import { Lru } from '../../lru.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import { Shape } from '../compile/input/shape.ts';
import type { Json } from '../json.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { CheckedOperation } from '../validate/document.ts';
import { checkVariables, readVariables, type Variables } from '../validate/variables.ts';
import { costOfDocument, costOfPlan, costOfShape } from './costs.ts';
import { makePlan, type Plan } from './plan.ts';

/** Bytes of all plans that are kept for one document. */
const MAX_PLANS_COST = 8 * 1024 * 1024;
/** Properties of variables that one document is asked for on each request. */
const MAX_PROPERTIES = 1000;

export interface PlannedOperationOptions {
  readonly key: string;
  readonly checked: CheckedOperation;
  readonly view: RoleView;
  /** Follows messages about names that are not there. */
  readonly hint: string;
  readonly compile: CompileOptions;
}

/** A checked operation of one role and its plans, one for each shape of variables seen. */
export class PlannedOperation {
  /** What it is found by. */
  readonly key: string;
  readonly checked: CheckedOperation;
  readonly #view: RoleView;
  readonly #hint: string;
  readonly #options: CompileOptions;
  #shape = new Shape();
  readonly #plans = new Lru<Plan>(MAX_PLANS_COST);
  readonly #documentCost: number;

  constructor({ key, checked, view, hint, compile }: PlannedOperationOptions) {
    this.key = key;
    this.checked = checked;
    this.#view = view;
    this.#hint = hint;
    this.#options = compile;
    this.#documentCost = costOfDocument(key, checked);
  }

  /** Bytes that it takes, with all plans. */
  get cost(): number {
    return this.#documentCost + costOfShape(this.#shape) + this.#plans.spent;
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
    this.#dependOn(shape);
    const key = this.#shape.key(variables);
    this.#plans.set(key, plan, costOfPlan(plan, key));
    return plan;
  }

  #dependOn(shape: Shape): void {
    const before = this.#shape.size;
    this.#shape.merge(shape);
    if (this.#shape.size === before) return;
    // Conditions inside of variables may compare values in ever new places.
    if (this.#shape.size > MAX_PROPERTIES) this.#shape = shape;
    // Keys made from other properties say something else.
    this.#plans.clear();
  }
}
