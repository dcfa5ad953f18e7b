import { Lru } from '../../lru.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import { Shape } from '../compile/input/shape.ts';
import type { Json } from '../json.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { CheckedOperation } from '../validate/document.ts';
import { checkVariables, readVariables, type Variables } from '../validate/variables.ts';
import { costOfDocument, costOfPlan, costOfShape } from './costs.ts';
import { makePlan, type Plan } from './plan.ts';

/** Maximum bytes of all plans of one document. */
const MAX_PLANS_COST = 8 * 1024 * 1024;
/**
 * Maximum number of properties of variables that select a plan of a document. Above this number, only the properties of
 * the latest plan stay.
 */
const MAX_PROPERTIES = 1000;

export interface PlannedOperationOptions {
  readonly key: string;
  readonly checked: CheckedOperation;
  readonly view: RoleView;
  /** Text after a message about an unknown name, which mentions that the role may lack permission. Empty for admin. */
  readonly hint: string;
  readonly compile: CompileOptions;
}

/** A checked operation of one role, with the plans that were made for shapes of its variables. */
export class PlannedOperation {
  /** Key in the cache of operations. */
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

  /** Bytes of memory, including all plans. */
  get cost(): number {
    return this.#documentCost + costOfShape(this.#shape) + this.#plans.spent;
  }

  /** Reads and checks the variables of a request. @throws RequestError */
  variables(raw: Json | undefined): Variables {
    const variables = readVariables(this.checked.operation, raw);
    checkVariables(this.checked.usages, variables, this.#hint);
    return variables;
  }

  /** Returns the plan for these variables. @throws RequestError for errors that only compilation finds */
  plan(variables: Variables): Plan {
    const known = this.#plans.get(this.#shape.key(variables));
    if (known) return known;
    const { plan, shape } = makePlan(this.#view, this.checked, variables, this.#options);
    this.#extendShape(shape);
    const key = this.#shape.key(variables);
    this.#plans.set(key, plan, costOfPlan(plan, key));
    return plan;
  }

  #extendShape(shape: Shape): void {
    const before = this.#shape.size;
    this.#shape.merge(shape);
    if (this.#shape.size === before) return;
    // Each plan adds the properties that its compilation has read. Conditions in variables could add new properties
    // without end, so above the maximum only the properties of the latest plan stay.
    if (this.#shape.size > MAX_PROPERTIES) this.#shape = shape;
    // The key of a plan contains all properties. When properties change, the keys of earlier plans are no longer valid.
    this.#plans.clear();
  }
}
