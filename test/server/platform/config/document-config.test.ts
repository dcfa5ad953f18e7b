import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../../../server/config/environment.ts';
import { ProcessError } from '../../../../server/errors.ts';
import type { DocumentsConfig } from '../../../../server/platform/config/document-config.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';
import { makeJpeg, makePng } from '../../rendering/pictures.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-brand-'));
  await Promise.all([
    writeFile(path.join(folder, 'logo.png'), makePng(240, 60)),
    writeFile(path.join(folder, 'logo.jpg'), makeJpeg(240, 60)),
    writeFile(path.join(folder, 'cut.png'), makePng(240, 60).subarray(0, 50)),
    writeFile(path.join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    writeFile(path.join(folder, 'film.png'), Buffer.alloc(256 * 1024 + 1)),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the logo of documents', () => {
  test.each([
    ['logo.png', 'image/png', makePng(240, 60)],
    ['logo.jpg', 'image/jpeg', makeJpeg(240, 60)],
  ])(
    'is read from the file %s, relative to the working folder of the process',
    (file, contentType, data) => {
      expect(documents({ ROWGATE_BRAND_LOGO: file }).brand.logo).toEqual({
        contentType,
        data: new Uint8Array(data),
      });
    },
  );

  test('may be given with an absolute path', () => {
    const file = path.join(folder, 'logo.png');
    expect(documents({ ROWGATE_BRAND_LOGO: file }).brand.logo?.contentType).toBe('image/png');
  });

  test.each([
    ['none.png', 'cannot be read (ENOENT)'],
    ['.', 'is no file'],
    ['/dev/zero', 'is no file'],
    ['cut.png', 'is damaged'],
    ['logo.svg', 'is neither PNG nor JPEG'],
    ['film.png', 'has more than 256 KiB'],
  ])('makes the server refuse to start when it cannot be shown: %s', (file, problem) => {
    expect(problemsOf({ ROWGATE_BRAND_LOGO: file })).toEqual([
      `ROWGATE_BRAND_LOGO names "${path.resolve(folder, file)}", which ${problem}; it must be a PNG or JPEG file of at most 256 KiB`,
    ]);
  });
});

describe('the brand of documents', () => {
  test.each(['red', '#fff', '#12345g', '123456', '#1234567', '#123456;'])(
    'cannot have the colour %j',
    (colour) => {
      expect(problemsOf({ ROWGATE_BRAND_COLOUR: colour })).toEqual([
        `ROWGATE_BRAND_COLOUR is "${colour}"; it must be like #24566b`,
      ]);
    },
  );

  test('has an address without the empty lines of the setting', () => {
    const { brand } = documents({ ROWGATE_BRAND_ADDRESS: '|14 Quay Street| |Bristol, BS1|' });
    expect(brand.address).toEqual(['14 Quay Street', 'Bristol, BS1']);
  });
});

describe('the bank account of the platform', () => {
  test('is a list of terms and values', () => {
    const account = 'Account holder: Example Ltd | IBAN: GB33 BUKB 2020 1555 5555 55|BIC: BUKBGB22';
    expect(documents({ ROWGATE_BANK_ACCOUNT: account }).brand.bankAccount).toEqual([
      { term: 'Account holder', value: 'Example Ltd' },
      { term: 'IBAN', value: 'GB33 BUKB 2020 1555 5555 55' },
      { term: 'BIC', value: 'BUKBGB22' },
    ]);
  });

  test.each([
    [
      'IBAN: GB33 BUKB 2020 1555 5555 56',
      'has the IBAN "GB33 BUKB 2020 1555 5555 56", whose check digits are wrong',
    ],
    [
      'GB33BUKB20201555555555',
      'has "GB33BUKB20201555555555"; it must be like Account holder: Example Ltd|IBAN: GB33 BUKB 2020 1555 5555 55|BIC: BUKBGB22',
    ],
  ])('cannot be %s', (account, problem) => {
    expect(problemsOf({ ROWGATE_BANK_ACCOUNT: account })).toEqual([
      `ROWGATE_BANK_ACCOUNT ${problem}`,
    ]);
  });

  test('is an example of a bank that does not exist while the database is embedded', () => {
    const { brand } = documents({});
    expect(brand.address).not.toEqual([]);
    expect(brand.bankAccount).toContainEqual({
      term: 'IBAN',
      value: 'GB19 DEMO 0000 0000 0000 01',
    });
  });

  test('is absent with a database of your own', () => {
    const { brand } = documents({ DATABASE_URL: 'postgres://owner:secret@127.0.0.1/rowgate' });
    expect([brand.address, brand.bankAccount]).toEqual([[], []]);
  });
});

describe('the configured locale of documents', () => {
  test.each([
    ['de-ch', 'de-CH'],
    ['EN', 'en'],
    ['zh-hant-tw', 'zh-Hant-TW'],
  ])('%s is %s', (text, locale) => {
    expect(documents({ ROWGATE_DOCUMENT_LOCALE: text }).locale).toBe(locale);
  });

  test.each(['en_GB', 'english', 'xx', 'tlh', '*'])('cannot be %s', (text) => {
    expect(problemsOf({ ROWGATE_DOCUMENT_LOCALE: text })).toEqual([
      `ROWGATE_DOCUMENT_LOCALE is "${text}"; it must be a supported locale, like en-GB`,
    ]);
  });
});

test.each([
  ['ROWGATE_DOCUMENT_WORKERS', '0', 256],
  ['ROWGATE_DOCUMENT_WORKERS', '257', 256],
  ['ROWGATE_DOCUMENT_QUEUE', '1.5', 100_000],
])('the document setting %s cannot be %s', (name, value, most) => {
  expect(problemsOf({ [name]: value })).toEqual([
    `${name} is "${value}"; it must be a whole number from 1 to ${most}`,
  ]);
});

function documents(environment: Environment): DocumentsConfig {
  return parsePlatformConfig(environment, folder).config.documents;
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    parsePlatformConfig(environment, folder);
  } catch (error) {
    if (error instanceof ProcessError) return error.message.split('\n  ').slice(1);
  }
  throw new Error('the environment was accepted');
}
