import type { Format } from '../../../rendering/format.ts';
import type { Block, Total } from '../../../rendering/model.ts';
import { isZero, subtract, sum } from '../decimal.ts';
import type { Row } from '../read/row-reader.ts';
import { table } from './blocks.ts';
import { moneyText, textOf } from './printed.ts';

/** Makes the table of invoice lines with their totals. */
export function invoiceLines(
  invoice: Row,
  lines: readonly Row[] | undefined,
  format: Format,
): readonly Block[] {
  const money = (row: Row, column: string) =>
    moneyText(format, textOf(row, column), textOf(invoice, 'currency'));
  return table(
    'What is billed',
    lines,
    [
      {
        ...{ title: 'Description', align: 'start', width: 8, needs: ['description'] },
        text: (row) => textOf(row, 'description'),
      },
      {
        ...{ title: 'Quantity', align: 'end', width: 2, needs: ['quantity'] },
        text: (row) => format.number(textOf(row, 'quantity') ?? ''),
      },
      {
        ...{ title: 'Unit price', align: 'end', width: 3, needs: ['unit_price'] },
        text: (row) => money(row, 'unit_price'),
      },
      {
        ...{ title: 'Tax', align: 'end', width: 2, needs: ['tax_rate'] },
        text: (row) => format.percent(textOf(row, 'tax_rate') ?? ''),
      },
      {
        ...{ title: 'Amount', align: 'end', width: 3, needs: ['amount'] },
        text: (row) => money(row, 'amount'),
      },
    ],
    totals(invoice, lines ?? [], format),
  );
}

/**
 * Computes the totals. The printed total is the stored total of the invoice. A separate row shows the difference from
 * the sum of the lines, so that the printed amounts always add up.
 */
function totals(invoice: Row, lines: readonly Row[], format: Format): readonly Total[] {
  const total = textOf(invoice, 'total');
  const amounts = columnOf(lines, 'amount');
  const taxes = taxesByRate(lines);
  const inCurrency = (label: string, amount: string, strong: boolean): Total => ({
    label,
    value: moneyText(format, amount, textOf(invoice, 'currency')) ?? '',
    strong,
  });
  const known = total === undefined ? [] : [inCurrency('Total', total, true)];
  if (!amounts || !taxes) return known;
  const subtotal = sum(amounts);
  const computed = sum([subtotal, ...taxes.values()]);
  const difference = total === undefined ? '0' : subtract(total, computed);
  return [
    inCurrency('Subtotal', subtotal, false),
    ...[...taxes].map(([rate, tax]) => inCurrency(`Tax at ${format.percent(rate)}`, tax, false)),
    ...(isZero(difference)
      ? []
      : [inCurrency('The total differs from the lines by', difference, false)]),
    ...(total === undefined ? [inCurrency('Total', computed, true)] : known),
  ];
}

/** Returns the values of a column; undefined when the reader may not see all of them. */
function columnOf(lines: readonly Row[], column: string): readonly string[] | undefined {
  const values = lines.map((line) => textOf(line, column)).filter((value) => value !== undefined);
  return values.length === lines.length ? values : undefined;
}

function taxesByRate(lines: readonly Row[]): ReadonlyMap<string, string> | undefined {
  if (!columnOf(lines, 'tax_rate') || !columnOf(lines, 'tax_amount')) return undefined;
  const groups = Map.groupBy(lines, (line) => textOf(line, 'tax_rate') ?? '');
  const rates = [...groups.keys()].sort((one, other) => Number(one) - Number(other));
  return new Map(
    rates.map((rate) => [rate, sum(columnOf(groups.get(rate) ?? [], 'tax_amount') ?? [])]),
  );
}
