import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import { describeNode, locate, toPlain } from '../yaml/locate.ts';
import type { RawNode } from '../yaml/node.ts';
import { withoutWrongBranches } from './wrong-branches.ts';

// ajv compiles the schemas at each start, so options that take time are off. Tests check the schemas against the
// meta-schema instead. Optimized code would cost more time than it saves, because only a few files are checked once.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
});
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Maximum number of mistakes that are reported one by one. Further mistakes are only counted. */
const maxMistakes = 100;

/** Returns whether `root` is valid by `schema`. Reports each mistake at its position. */
export function validateShape(root: RawNode, schema: TSchema, report: Report): boolean {
  const validate = compile(schema);
  if (validate(toPlain(root))) return true;
  const mistakes = oneForEachValue(withoutWrongBranches(validate.errors ?? []));
  for (const mistake of mistakes.slice(0, maxMistakes)) reportMistake(mistake, root, report);
  if (mistakes.length > maxMistakes) {
    const message = `${mistakes.length - maxMistakes} more mistakes are in this file`;
    report.error('RG_SHAPE', root.position, message);
  }
  return false;
}

/** Returns the first mistake in a JSON value as the end of a sentence, without the value, which may be secret. */
export function shapeProblem(value: unknown, schema: TSchema): string | undefined {
  const validate = compile(schema);
  if (validate(value)) return undefined;
  const [mistake] = oneForEachValue(withoutWrongBranches(validate.errors ?? []));
  const { instancePath = '', keyword, params, parentSchema } = mistake ?? {};
  const place = instancePath === '' ? '' : `has at ${instancePath.slice(1).replaceAll('/', '.')} `;
  if (keyword === 'additionalProperties')
    return `${place}the unknown key ${quote(String(params?.additionalProperty))}`.replace(
      /^the/,
      'has the',
    );
  if (keyword === 'required')
    return `${place || 'is '}a map without ${quote(String(params?.missingProperty))}`;
  const title = String(parentSchema?.title ?? 'another value');
  return place === '' ? `must be ${title}` : `${place}a wrong value; it must be ${title}`;
}

function compile(schema: TSchema): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Counts a value that violates two keywords (too short, and not matching a pattern) as one mistake. */
function oneForEachValue(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistakes = new Map<string, ErrorObject>();
  for (const error of errors) {
    const about = error.keyword in reporters ? JSON.stringify(error.params) : '';
    const place = `${error.instancePath} ${about}`;
    if (!mistakes.has(place)) mistakes.set(place, error);
  }
  return [...mistakes.values()];
}

type Reporter = (error: ErrorObject, root: RawNode, report: Report) => void;

const reporters: Readonly<Record<string, Reporter>> = {
  additionalProperties: reportUnknownKey,
  required: reportMissingKey,
  uniqueItems: reportRepeatedItem,
};

function reportMistake(error: ErrorObject, root: RawNode, report: Report): void {
  const reporter = reporters[error.keyword] ?? reportWrongValue;
  reporter(error, root, report);
}

function reportUnknownKey(error: ErrorObject, root: RawNode, report: Report): void {
  const { label } = locate(root, error.instancePath);
  const key = String(error.params.additionalProperty);
  const pointer = `${error.instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const known = Object.keys(error.parentSchema?.properties ?? {});
  const hint = didYouMean(key, known) ?? `known keys are ${known.map(quote).join(', ')}`;
  const { ownerPosition } = locate(root, pointer);
  report.error('RG_UNKNOWN_KEY', ownerPosition, `unknown key ${quote(key)} in ${label}`, hint);
}

function reportMissingKey(error: ErrorObject, root: RawNode, report: Report): void {
  const { label, ownerPosition } = locate(root, error.instancePath);
  const key = String(error.params.missingProperty);
  const title = error.parentSchema?.properties?.[key]?.title;
  const hint = title && `add ${quote(key)}: ${title}`;
  report.error('RG_SHAPE', ownerPosition, `${label} lacks ${quote(key)}`, hint);
}

function reportRepeatedItem(error: ErrorObject, root: RawNode, report: Report): void {
  const [first = 0, second = 0] = [error.params.i, error.params.j].toSorted((a, b) => a - b);
  const { node, label, ownerPosition } = locate(root, `${error.instancePath}/${second}`);
  const is = node ? describeNode(node) : '';
  const message = `${label} is ${is}, as is item ${first + 1}`;
  report.error('RG_SHAPE', ownerPosition, message, 'leave one of the two out');
}

function reportWrongValue(error: ErrorObject, root: RawNode, report: Report): void {
  const { node, label, ownerPosition } = locate(root, error.instancePath);
  const title = error.parentSchema?.title ?? error.message;
  const is = node ? describeNode(node) : 'missing';
  const wantsText = error.keyword === 'type' && error.params.type === 'string';
  const isPlain = node?.kind === 'scalar' && node.source !== '';
  const hint = wantsText && isPlain ? 'put it in quotes' : undefined;
  const position = node?.position ?? ownerPosition;
  report.error('RG_SHAPE', position, `${label} must be ${title}, but is ${is}`, hint);
}
