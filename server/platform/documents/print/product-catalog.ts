import type { Block } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import type { Row } from '../read/row-reader.ts';
import { table } from './blocks.ts';
import { ModificationTimes } from './modification-times.ts';
import { moneyText, type Print, type PrintSource, textOf, wordsOf } from './printed.ts';

const title = 'Product catalog';

/** Prints the products on sale by kind. Prices are before tax. */
export const printCatalog: Print<object> = async ({ rows, format }) => {
  const times = new ModificationTimes();
  // Discontinued products are also read, for their modification times: removing a product from sale changed the
  // catalog.
  const all = times.add(
    await rows.select({ table: 'product', orderBy: ['category', 'name', 'code'] }),
  );
  if (!all) return undefined;
  const products = all.filter(({ active }) => active !== 'false');
  const kinds = Map.groupBy(products, (row) => wordsOf(textOf(row, 'category')) ?? 'Other');
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    parties: [],
    blocks: [
      {
        kind: 'paragraph' as const,
        text:
          products.length > 0
            ? 'Prices are for one unit, before tax.'
            : 'Nothing is on sale at the moment.',
      },
      ...[...kinds].flatMap(([kind, ofKind]) => list(kind, ofKind, format)),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: 'product-catalog', lastModified: times.lastModified() };
};

function list(
  kind: string,
  products: readonly Row[],
  format: PrintSource['format'],
): readonly Block[] {
  return table(kind, products, [
    {
      ...{ title: 'Product', align: 'start', width: 4, needs: ['name'] },
      text: (row) => textOf(row, 'name'),
    },
    {
      ...{ title: 'Code', align: 'start', width: 3, needs: ['code'] },
      text: (row) => textOf(row, 'code'),
    },
    {
      ...{ title: 'What it is', align: 'start', width: 6, needs: ['description'] },
      text: (row) => textOf(row, 'description'),
    },
    {
      ...{ title: 'Unit', align: 'start', width: 3, needs: ['unit'] },
      text: (row) => wordsOf(textOf(row, 'unit')),
    },
    {
      ...{ title: 'Price', align: 'end', width: 3, needs: ['price'] },
      text: (row) => moneyText(format, textOf(row, 'price'), textOf(row, 'currency')),
    },
  ]);
}
