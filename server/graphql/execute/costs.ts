import type { Shape } from '../compile/input/shape.ts';
import type { IntrospectionTexts } from '../introspection/introspection.ts';
import type { CheckedOperation } from '../validate/document.ts';
import { type Plan, statementsOf } from './plan.ts';

// Costs are bytes of memory, measured on Node 24 and rounded up, so that they are never below the actual use.

/** One character of text; some characters take two bytes. */
const CHARACTER = 2;
/** One name, value or sign of a parsed document. */
const TOKEN = 100;
/** The check of one use of a variable. */
const USAGE = 150;
const DOCUMENT = 1000;
const PROPERTY = 400;
const PLAN = 500;
const ROOT_FIELD = 300;
const STATEMENT = 1000;
const INTROSPECTION = 10_000;
/** PostGraphile's plan for the extension fields of an operation. The second number is for each field. */
const EXTENSION = 250_000;
const EXTENSION_FIELD = 20_000;
/** The function of a statement that reads one parameter from the variables of a request. */
const PARAMETER = 250;
/** The functions that read the key values of one table that a subscription depends on. */
const READ = 1000;
/** One character of the key of a plan. The key describes the shape of the variables. */
const FORM_CHARACTER = 8;

/** Returns the memory of a checked document. @param text the key of the document, which contains its text */
export function costOfDocument(text: string, { usages }: CheckedOperation): number {
  // In GraphQL, only strings and comments may contain non-ASCII letters.
  const tokens = text.match(/[\w\u0080-\uffff]+|\S/g)?.length ?? 0;
  // The text occurs twice in memory: as the key of the document, and in the parsed document's names and values.
  return DOCUMENT + 2 * CHARACTER * text.length + TOKEN * tokens + USAGE * usages.length;
}

/** Returns the memory of the shape that selects one of a document's plans. */
export function costOfShape({ size }: Shape): number {
  return PROPERTY * size;
}

/** Returns the memory of a plan. @param key the shape of the variables for which the plan was made */
export function costOfPlan(plan: Plan, key: string): number {
  const statements = statementsOf(plan).map(
    ({ text, parameters }) => STATEMENT + CHARACTER * text.length + PARAMETER * parameters.length,
  );
  const { introspection, live } = plan;
  const extensions = (plan.program?.steps ?? []).map((step) =>
    step.kind === 'extension' ? EXTENSION + EXTENSION_FIELD * step.document.fields : 0,
  );
  return [
    ...extensions,
    PLAN + ROOT_FIELD * plan.fields.length + FORM_CHARACTER * key.length,
    introspection ? INTROSPECTION + CHARACTER * (introspection.key?.length ?? 0) : 0,
    READ * (live?.reads.tables.length ?? 0),
    ...statements,
  ].reduce((sum, cost) => sum + cost);
}

/** Returns the memory of cached introspection answers. @param key their key in the cache */
export function costOfIntrospection(key: string, texts: IntrospectionTexts): number {
  const lengths = Object.entries(texts).map(([name, text]) => name.length + text.length);
  return DOCUMENT + CHARACTER * lengths.reduce((sum, length) => sum + length, key.length);
}
