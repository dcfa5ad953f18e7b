import { aggregateTypesPart } from './aggregate-types-plugin.ts';
import { callArgumentsPart } from './call-arguments-plugin.ts';
import type { DialectPart } from './dialect-part.ts';
import { aggregateBoolExpPart } from './inputs/aggregate-bool-exp-plugin.ts';
import { boolExpPart } from './inputs/bool-exp-plugin.ts';
import { comparisonTypesPart } from './inputs/comparison-types-plugin.ts';
import { insertTypesPart } from './inputs/insert-types-plugin.ts';
import { orderByPart } from './inputs/order-by-plugin.ts';
import { updateTypesPart } from './inputs/update-types-plugin.ts';
import { extensionFieldsPart } from './roots/extension-fields-plugin.ts';
import { functionFieldsPart } from './roots/function-fields-plugin.ts';
import { mutationFieldsPart } from './roots/mutation-fields-plugin.ts';
import { noQueriesPart, rootFieldsPart } from './roots/root-fields-plugin.ts';
import { subscriptionFieldsPart } from './roots/subscription-fields-plugin.ts';
import { scalarTypesPart } from './scalar-types-plugin.ts';
import { tableTypesPart } from './table-types-plugin.ts';

/** The parts that define the types and fields of the dialect. Later parts replace fields of earlier ones. */
export const dialectParts: readonly DialectPart[] = [
  scalarTypesPart,
  callArgumentsPart,
  comparisonTypesPart,
  tableTypesPart,
  boolExpPart,
  aggregateBoolExpPart,
  orderByPart,
  aggregateTypesPart,
  insertTypesPart,
  updateTypesPart,
  extensionFieldsPart,
  functionFieldsPart,
  rootFieldsPart,
  noQueriesPart,
  mutationFieldsPart,
  subscriptionFieldsPart,
];
