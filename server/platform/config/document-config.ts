import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { EnvironmentReader } from '../../config/environment.ts';
import type { Brand, Logo } from '../../rendering/brand.ts';
import { maxLogoBytes, parseLogo } from '../../rendering/brand-logo.ts';

/** The design of documents, and the limits of rendering them. */
export interface DocumentsConfig {
  readonly brand: Brand;
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

/**
 * Reads the settings of documents. Problems are collected in `read`, so that all are reported together. @param folder
 * the folder for the logo's relative path
 */
export function readDocumentsConfig(read: EnvironmentReader, folder: string): DocumentsConfig {
  return {
    brand: readBrand(read, folder),
    locale: readLocale(read) ?? defaults.locale,
    workers:
      read.integer('ROWGATE_DOCUMENT_WORKERS', 1, 256) ?? Math.max(1, availableParallelism() - 1),
    queue: read.integer('ROWGATE_DOCUMENT_QUEUE', 1, 100_000) ?? defaults.queue,
  };
}

function readBrand(read: EnvironmentReader, folder: string): Brand {
  const logo = readLogo(read, folder);
  const footer = read.text('ROWGATE_BRAND_FOOTER');
  const colour = read.pattern('ROWGATE_BRAND_COLOUR', /^#[0-9a-f]{6}$/i, 'like #24566b');
  return {
    name: read.text('ROWGATE_BRAND_NAME') ?? defaults.brand.name,
    colour: colour?.toLowerCase() ?? defaults.brand.colour,
    ...(logo && { logo }),
    address: readAddress(read),
    ...(footer !== undefined && { footer }),
  };
}

function readAddress(read: EnvironmentReader): readonly string[] {
  const lines = read.text('ROWGATE_BRAND_ADDRESS')?.split('|') ?? [];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
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
