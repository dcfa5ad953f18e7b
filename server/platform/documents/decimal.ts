/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Adds decimal texts such as `-1.50`. The sum has as many decimals as the most precise summand. */
export function sum(values: readonly string[]): string {
  return format(values.map(parse).reduce(add, { units: 0n, scale: 0 }));
}

/** Subtracts the second number from the first. */
export function subtract(from: string, value: string): string {
  const { units, scale } = parse(value);
  return format(add(parse(from), { units: -units, scale }));
}

/** Multiplies two numbers and rounds half away from zero, as Postgres does. */
export function multiply(one: string, other: string, decimals: number): string {
  const [a, b] = [parse(one), parse(other)];
  return format(round({ units: a.units * b.units, scale: a.scale + b.scale }, decimals));
}

export function isZero(value: string): boolean {
  return parse(value).units === 0n;
}

export function isNegative(value: string): boolean {
  return parse(value).units < 0n;
}

function parse(text: string): Decimal {
  const match = /^([+-]?\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new RangeError(`"${text}" is not a decimal number`);
  const [, whole = '', decimals = ''] = match;
  return { units: BigInt(whole + decimals), scale: decimals.length };
}

function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale };
}

function unitsAt({ units, scale }: Decimal, targetScale: number): bigint {
  return units * 10n ** BigInt(targetScale - scale);
}

function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return { units: unitsAt(value, scale), scale };
  const divisor = 10n ** BigInt(value.scale - scale);
  const half = value.units < 0n ? -divisor / 2n : divisor / 2n;
  return { units: (value.units + half) / divisor, scale };
}

/** Formats a number as Postgres does. */
export function format({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  if (scale === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
