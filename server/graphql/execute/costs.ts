import type { Shape } from '../compile/input/shape.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { IntrospectionTexts } from './introspection.ts';
import { type Plan, statementsOf } from './plan.ts';

// Bytes of memory as measured on Node 24, rounded up: these costs are never less than the memory in use.

/** Of text: some characters take two bytes. */
const CHARACTER = 2;
/** Of what parsing makes of a name, a value or a sign. */
const TOKEN = 100;
/** Of what is checked where a variable is used. */
const USAGE = 150;
const DOCUMENT = 1000;
const PROPERTY = 400;
const PLAN = 500;
const ROOT_FIELD = 300;
const STATEMENT = 1000;
const INTROSPECTION = 10_000;
/** Of what stock PostGraphile plans, and of each field of it. */
const EXTENSION = 250_000;
const EXTENSION_FIELD = 20_000;
/** Of what reads a value of a request. */
const PARAMETER = 250;
/** Of a place inside a variable, for each character of the variables' forms. */
const FORM_CHARACTER = 8;

/** What a checked document takes. @param text the document, with what else it is found by */
export function costOfDocument(text: string, { usages }: CheckedOperation): number {
  // Other letters than ASCII's stand in strings and comments alone.
  const tokens = text.match(/[\w\u0080-\uffff]+|\S/g)?.length ?? 0;
  // Once as what it is found by, and once in the names and values that are cut out of it.
  return DOCUMENT + 2 * CHARACTER * text.length + TOKEN * tokens + USAGE * usages.length;
}

/** What the properties of variables take that decide between the plans of a document. */
export function costOfShape({ size }: Shape): number {
  return PROPERTY * size;
}

/** What a plan takes. @param key the forms of the variables that it was made for */
export function costOfPlan(plan: Plan, key: string): number {
  const statements = statementsOf(plan).map(
    ({ text, parameters }) => STATEMENT + CHARACTER * text.length + PARAMETER * parameters.length,
  );
  const { introspection } = plan;
  const extensions = (plan.program?.steps ?? []).map((step) =>
    step.kind === 'extension' ? EXTENSION + EXTENSION_FIELD * step.document.fields : 0,
  );
  return [
    ...extensions,
    PLAN + ROOT_FIELD * plan.fields.length + FORM_CHARACTER * key.length,
    introspection ? INTROSPECTION + CHARACTER * (introspection.key?.length ?? 0) : 0,
    ...statements,
  ].reduce((sum, cost) => sum + cost);
}

/** What the answers to introspection take. @param key what they are found by */
export function costOfIntrospection(key: string, texts: IntrospectionTexts): number {
  const lengths = Object.entries(texts).map(([name, text]) => name.length + text.length);
  return DOCUMENT + CHARACTER * lengths.reduce((sum, length) => sum + length, key.length);
}
