import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { EnvironmentReader } from '../../config/environment.ts';
import type { Brand, Logo } from '../../rendering/brand.ts';
import { maxLogoBytes, parseLogo } from '../../rendering/brand-logo.ts';
import type { Facts } from '../../rendering/model.ts';

type Fact = Facts['items'][number];

/** The operator of the platform: sender of documents and mails, and recipient of payments. */
export interface Seller extends Brand {
  /** What a payer writes into a bank transfer, e.g. holder, IBAN and BIC. Empty: no account is configured. */
  readonly bankAccount: readonly Fact[];
}

/** The design of documents, and the limits of rendering them. */
export interface DocumentsConfig {
  readonly brand: Seller;
  /** The locale of numbers and dates (BCP 47); default en-GB. */
  readonly locale: string;
  /** The number of threads that render PDFs; default: the number of cores minus one, at least 1. */
  readonly workers: number;
  /** The maximum number of PDFs that wait or are being rendered; default 32. */
  readonly queue: number;
}

const defaults = {
  brand: { name: 'Rowgate', colour: '#24566b' },
  locale: 'en-GB',
  queue: 32,
} as const satisfies Partial<{ [key in keyof DocumentsConfig]: Partial<DocumentsConfig[key]> }>;

/** The seller of the demo data. No bank has the code DEMO, so nobody can transfer money to the account. */
const demo = {
  address: ['1 Example Quay', 'L-1234 Luxembourg'],
  bankAccount: [
    { term: 'Account holder', value: 'Rowgate (demo)' },
    { term: 'IBAN', value: 'GB19 DEMO 0000 0000 0000 01' },
    { term: 'BIC', value: 'DEMOGB00' },
  ],
} as const satisfies Partial<Seller>;

const absent = { address: [], bankAccount: [] } as const satisfies Partial<Seller>;

/**
 * Reads the settings of documents. Problems are collected in `read`, so that all are reported together.
 * @param folder the folder for the logo's relative path
 * @param isDemo whether the database has demo data, so that address and bank account default to examples
 */
export function readDocumentsConfig(
  read: EnvironmentReader,
  { folder, isDemo }: { readonly folder: string; readonly isDemo: boolean },
): DocumentsConfig {
  return {
    brand: readBrand(read, folder, isDemo ? demo : absent),
    locale: readLocale(read) ?? defaults.locale,
    workers:
      read.integer('ROWGATE_DOCUMENT_WORKERS', 1, 256) ?? Math.max(1, availableParallelism() - 1),
    queue: read.integer('ROWGATE_DOCUMENT_QUEUE', 1, 100_000) ?? defaults.queue,
  };
}

function readBrand(
  read: EnvironmentReader,
  folder: string,
  { address, bankAccount }: Pick<Seller, 'address' | 'bankAccount'>,
): Seller {
  const logo = readLogo(read, folder);
  const footer = read.text('ROWGATE_BRAND_FOOTER');
  const colour = read.pattern('ROWGATE_BRAND_COLOUR', /^#[0-9a-f]{6}$/i, 'like #24566b');
  return {
    name: read.text('ROWGATE_BRAND_NAME') ?? defaults.brand.name,
    colour: colour?.toLowerCase() ?? defaults.brand.colour,
    ...(logo && { logo }),
    address: linesOf(read.text('ROWGATE_BRAND_ADDRESS')) ?? address,
    bankAccount: readBankAccount(read) ?? bankAccount,
    ...(footer !== undefined && { footer }),
  };
}

function linesOf(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split('|')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readBankAccount(read: EnvironmentReader): readonly Fact[] | undefined {
  return linesOf(read.text('ROWGATE_BANK_ACCOUNT'))?.flatMap((line) => {
    const [, term = '', value = ''] = /^([^:]+):\s*(.+)$/.exec(line) ?? [];
    if (value === '') {
      const form = 'Account holder: Example Ltd|IBAN: GB33 BUKB 2020 1555 5555 55|BIC: BUKBGB22';
      return read.complain('ROWGATE_BANK_ACCOUNT', `has "${line}"; it must be like ${form}`) ?? [];
    }
    if (term.toUpperCase() === 'IBAN' && !isIban(value)) {
      read.complain(
        'ROWGATE_BANK_ACCOUNT',
        `has the IBAN "${value}", whose check digits are wrong`,
      );
    }
    return [{ term, value }];
  });
}

/** Checks form and check digits (ISO 7064, mod 97-10). A mistyped account would send the money of customers elsewhere. */
function isIban(text: string): boolean {
  const iban = text.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(iban)) return false;
  const turned = `${iban.slice(4)}${iban.slice(0, 4)}`;
  const digits = [...turned].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

function readLocale(read: EnvironmentReader): string | undefined {
  const text = read.text('ROWGATE_DOCUMENT_LOCALE');
  if (text === undefined) return undefined;
  const known = canonicalLocale(text);
  if (known !== undefined) return known;
  return read.complain(
    'ROWGATE_DOCUMENT_LOCALE',
    `is "${text}"; it must be a supported locale, like en-GB`,
  );
}

function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text)[0];
  } catch {
    return undefined;
  }
}

function readLogo(read: EnvironmentReader, folder: string): Logo | undefined {
  const text = read.text('ROWGATE_BRAND_LOGO');
  if (text === undefined) return undefined;
  const file = path.resolve(folder, text);
  try {
    return parseLogo(readSmallFile(file));
  } catch (error) {
    return read.complain(
      'ROWGATE_BRAND_LOGO',
      `names "${file}", which ${problemOf(error)}; it must be a PNG or JPEG file of at most ${maxLogoBytes / 1024} KiB`,
    );
  }
}

/** Reads a file. Checks kind and size first, because reading a device such as /dev/zero would never end. */
function readSmallFile(file: string): Uint8Array {
  const status = statSync(file);
  if (!status.isFile()) throw new Error('is no file');
  if (status.size > maxLogoBytes) throw new Error(`has more than ${maxLogoBytes / 1024} KiB`);
  return readFileSync(file);
}

function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `cannot be read (${code})`;
}
