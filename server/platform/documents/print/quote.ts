import type { Block, DocumentStatus } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import { multiply, subtract, sum } from '../decimal.ts';
import type { Row } from '../read/row-reader.ts';
import { facts, table } from './blocks.ts';
import { ModificationTimes } from './modification-times.ts';
import { findOrganization, formatOf, organizationParty } from './parties.ts';
import { moneyText, type Print, type PrintSource, textOf, wordsOf } from './printed.ts';

const tones: Readonly<Record<string, DocumentStatus['tone']>> = {
  accepted: 'good',
  settled: 'good',
  expired: 'warning',
  rejected: 'bad',
};

/** Prints a quote: the price offered for an over-the-counter trade, and its total. */
export const printQuote: Print<{ readonly id: string }> = async (source, { id }) => {
  const { rows } = source;
  const times = new ModificationTimes();
  const found = times.add(await rows.select({ table: 'otc_quote', where: { id }, limit: 1 }));
  const [quote] = found ?? [];
  if (!quote) return undefined;
  const organization = await findOrganization(rows, textOf(quote, 'organization_id'), times);
  const format = formatOf(organization, source.format);
  const walletId = textOf(quote, 'digital_wallet_id');
  const wallets =
    walletId === undefined
      ? undefined
      : await rows.select({ table: 'digital_wallet', where: { id: walletId }, limit: 1 });
  const pair = textOf(quote, 'pair');
  const status = textOf(quote, 'status');
  const moment = (column: string) => {
    const value = textOf(quote, column);
    return value && format.dateTime(value);
  };
  const document = {
    title: `Quote ${[pair, id].filter(Boolean).join(' ')}`,
    heading: `Quote ${pair ?? ''}`.trim(),
    language: languageOf(format),
    ...(status !== undefined && {
      status: { text: wordsOf(status) ?? '', tone: tones[status] ?? 'neutral' },
    }),
    parties: organizationParty('Offered to', organization, format),
    blocks: [
      ...facts([
        ['Quote', id],
        ['Made', moment('created_at')],
        ['Holds until', moment('expires_at')],
        ['Wallet', textOf(times.add(wallets)?.[0], 'label')],
      ]),
      ...trade(quote, format),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `quote-${id}`, lastModified: times.lastModified() };
};

function trade(quote: Row, format: PrintSource['format']): readonly Block[] {
  const [coin] = (textOf(quote, 'pair') ?? '').split('/');
  const currency = textOf(quote, 'currency');
  const value = tradeValue(quote);
  const money = (amount: string | undefined) => moneyText(format, amount, currency) ?? '';
  const fee = textOf(quote, 'fee');
  const buys = textOf(quote, 'side') === 'buy';
  const result = value && fee && (buys ? sum([value, fee]) : subtract(value, fee));
  return table(
    'Trade',
    [quote],
    [
      {
        ...{ title: 'Trade', align: 'start', width: 3, needs: ['side', 'pair'] },
        text: () => `${wordsOf(textOf(quote, 'side')) ?? ''} ${coin}`,
      },
      {
        ...{ title: 'Quantity', align: 'end', width: 3, needs: ['quantity', 'pair'] },
        text: () => `${format.number(textOf(quote, 'quantity') ?? '')} ${coin}`,
      },
      {
        ...{ title: 'Price of one', align: 'end', width: 3, needs: ['price'] },
        text: () => money(textOf(quote, 'price')),
      },
      {
        ...{ title: 'Value', align: 'end', width: 3, needs: ['quantity', 'price'] },
        text: () => money(value),
      },
    ],
    [
      ...(fee === undefined ? [] : [{ label: 'Fee', value: money(fee), strong: false }]),
      ...(result === undefined || textOf(quote, 'side') === undefined
        ? []
        : [{ label: buys ? 'To pay' : 'To receive', value: money(result), strong: true }]),
    ],
  );
}

/** Computes price times quantity, rounded to two decimals like the amounts that people enter. */
function tradeValue(quote: Row): string | undefined {
  const [quantity, price] = [textOf(quote, 'quantity'), textOf(quote, 'price')];
  return quantity && price && multiply(quantity, price, 2);
}
