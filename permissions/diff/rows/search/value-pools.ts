import { formatArray, parseArray } from '../../../expressions/literals.ts';
import type { TypeName } from '../../../types/names.ts';
import { readValue, type ValueType, valueType } from '../../evaluate/values.ts';
import { familyOf } from '../prove/terms.ts';
import type { Survey } from '../survey.ts';

const uuid = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/** The plainest values of each type come first. */
const plain: Readonly<Record<ValueType['name'], readonly string[]>> = {
  number: ['1', '2', '0', '3'],
  text: ['a', 'b', ''],
  citext: ['a', 'b'],
  uuid: [uuid(1), uuid(2), uuid(3)],
  bool: ['true', 'false'],
  date: ['2030-01-01', '2029-12-31', '2030-01-02'],
  timestamptz: ['2030-01-01T00:00:00Z', '2029-12-31T00:00:00Z', '2030-01-02T00:00:00Z'],
  timestamp: ['2030-01-01T00:00:00', '2029-12-31T00:00:00', '2030-01-02T00:00:00'],
  jsonb: ['{}', '{"a":1}', '[]'],
  enum: [],
  list: ['{}'],
};

/** The time at which counterexamples are evaluated. It is among the plain values, and so are its neighbours. */
export const witnessNow = '2030-01-01T00:00:00Z';

/** The values that cells and variables of each type take: those that the rules name, their neighbours, and plain ones. */
export class ValuePools {
  readonly #pools = new Map<string, readonly string[]>();
  readonly #survey: Survey;

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  valuesOf(type: TypeName): readonly string[] {
    const key = `${type.schema}.${type.name}`;
    const known = this.#pools.get(key) ?? this.#make(type);
    this.#pools.set(key, known);
    return known;
  }

  /** Returns the plainest values of a type, in the order in which they are preferred. */
  plainValues(type: TypeName): readonly string[] {
    const own = valueType(type);
    return own ? plainValues(own) : [];
  }

  /** Returns a value that no pool has; undefined for types without so many values. */
  fresh(type: TypeName, place: number): string | undefined {
    switch (valueType(type)?.name) {
      case 'number':
        return String(1_000 + place);
      case 'text':
      case 'citext':
        return `x${place}`;
      case 'uuid':
        return uuid(1_000 + place);
      default:
        return undefined;
    }
  }

  #make(type: TypeName): readonly string[] {
    const own = valueType(type);
    const { literals, comparisons } = this.#survey;
    const family = familyOf(type);
    const texts = literals.flatMap((one) => {
      if (familyOf(one.type) === family || !own) return [one.text];
      const isElement = one.type.element && familyOf(one.type.element) === family;
      return isElement ? (parseArray(one.text) ?? []).flatMap((item) => item ?? []) : [];
    });
    if (!own) return [...new Set(texts)];
    const near = texts.flatMap((text) => neighbours(text, own));
    const patterns = own.name === 'text' || own.name === 'citext' ? this.#matching() : [];
    const documents = own.name === 'jsonb' ? keysAsDocuments(comparisons) : [];
    const lists = type.element ? this.#lists(type.element, texts) : [];
    const all = [...texts, ...near, ...patterns, ...documents, ...lists, ...plainValues(own)];
    return [...new Set(all)].filter((text) => readValue(text, own) !== undefined);
  }

  #lists(element: TypeName, texts: readonly string[]): readonly string[] {
    const items = this.valuesOf(element);
    const longer = texts.flatMap((text) => {
      const known = parseArray(text);
      return known ? [formatArray([...known, ...items.slice(0, 1)])] : [];
    });
    return [...items.map((item) => formatArray([item])), formatArray(items.slice(0, 4)), ...longer];
  }

  /** Returns texts that match the patterns of the rules. */
  #matching(): readonly string[] {
    return this.#survey.comparisons.flatMap(({ comparison: { operand, operator } }) => {
      if (operand.kind !== 'literal' || !operator.symbol.includes('~')) return [];
      const letters = operand.text.replace(/\\(.)/gs, '$1').replace(/[\^$()[\]*+?]/g, '');
      return ['', 'x'].flatMap((filled) => {
        const text = letters.replace(/%/g, filled).replace(/[_.]/g, 'x');
        return [text, text.toUpperCase()];
      });
    });
  }
}

function plainValues(type: ValueType): readonly string[] {
  return type.labels ?? plain[type.name];
}

function neighbours(text: string, { name, isWhole }: ValueType): readonly string[] {
  if (name === 'number' && /^[+-]?\d+$/.test(text.trim())) {
    const value = BigInt(text.trim().replace(/^\+/, ''));
    const whole = [String(value + 1n), String(value - 1n)];
    return isWhole ? whole : [...whole, `${value}.5`, `${value - 1n}.5`];
  }
  if (name === 'number' && !isWhole && !Number.isNaN(Number(text)))
    return [String(Math.ceil(Number(text)) + 1), String(Math.floor(Number(text)) - 1)];
  const instant = name === 'timestamp' ? Date.parse(`${text}Z`) : Date.parse(text);
  if (!['date', 'timestamptz', 'timestamp'].includes(name) || Number.isNaN(instant)) return [];
  const days = [1, -1].map((step) => new Date(instant + step * 86_400_000).toISOString());
  return days.map((day) => {
    if (name === 'date') return day.slice(0, 10);
    return name === 'timestamptz' ? day : day.replace('Z', '');
  });
}

/** Returns a document for each key for which rules ask. */
function keysAsDocuments(comparisons: Survey['comparisons']): readonly string[] {
  const documents = comparisons.flatMap(({ comparison: { operand, operator } }) => {
    if (operand.kind !== 'literal' || !['?', '?|', '?&', '@>', '<@'].includes(operator.symbol))
      return [];
    if (operator.symbol === '@>' || operator.symbol === '<@') return extended(operand.text);
    const keys = operator.symbol === '?' ? [operand.text] : (parseArray(operand.text) ?? []);
    return [keys, ...keys.map((key) => [key])].map((some) =>
      JSON.stringify(Object.fromEntries(some.map((key) => [key ?? '', 1]))),
    );
  });
  return documents;
}

function extended(text: string): readonly string[] {
  try {
    const json: unknown = JSON.parse(text);
    if (Array.isArray(json)) return [JSON.stringify([...json, 'zz'])];
    return typeof json === 'object' && json ? [JSON.stringify({ ...json, zz: 1 })] : [`[${text}]`];
  } catch {
    return [];
  }
}
