import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const programs = ['pdftotext', 'pdfinfo', 'pdftoppm', 'qpdf'] as const;
type Program = (typeof programs)[number];

/** Returns whether tests that read PDFs must be skipped. With CI=true they run, and fail without the tools. */
export function lacksPdfTools(): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0 || process.env.CI === 'true') return false;
  process.stderr.write(
    `PDFs are not read back: ${missing.join(', ')} not found; install poppler-utils and qpdf\n`,
  );
  return true;
}

/** Returns the text of a PDF line by line, in the order of the file. */
export async function textOf(pdf: Uint8Array): Promise<readonly string[]> {
  return linesOf(await withFile(pdf, (file) => output('pdftotext', ['-raw', file, '-'])));
}

/**
 * Returns the text of a PDF line by line in reading order, also from right to left, without the marks that pdftotext
 * adds.
 */
export async function readingOf(pdf: Uint8Array): Promise<readonly string[]> {
  const text = await withFile(pdf, (file) => output('pdftotext', [file, '-']));
  return linesOf(text.replace(/[\u202a-\u202e]/g, ''));
}

function linesOf(text: string): readonly string[] {
  return text
    .replaceAll('\f', '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the output of pdfinfo by its labels. */
export async function infoOf(pdf: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const text = await withFile(pdf, (file) => output('pdfinfo', [file]));
  const pairs = text.split('\n').map((line) => [...line.split(/:\s+/, 2), ''] as const);
  return Object.fromEntries(pairs);
}

/** Returns the structure tree, one indented line per element, with the text of each. */
export async function structureOf(pdf: Uint8Array): Promise<string> {
  return withFile(pdf, (file) => output('pdfinfo', ['-struct-text', file]));
}

/** Fails with the message of qpdf when the file is not valid. */
export async function checkPdf(pdf: Uint8Array): Promise<void> {
  await withFile(pdf, (file) => output('qpdf', ['--check', file]));
}

/** Returns the file without compression, as text with one byte per character. */
export async function uncompressed(pdf: Uint8Array): Promise<string> {
  const options = ['--qdf', '--object-streams=disable'];
  return withFile(pdf, async (file) => {
    const plain = `${file}.plain`;
    await output('qpdf', [...options, file, plain]);
    return readFile(plain, 'latin1');
  });
}

/** Returns a PNG of each page. */
export async function pagesOf(pdf: Uint8Array, dotsPerInch: number): Promise<readonly Buffer[]> {
  return withFile(pdf, async (file) => {
    const folder = path.dirname(file);
    const options = ['-png', '-r', String(dotsPerInch)];
    await output('pdftoppm', [...options, file, path.join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    return Promise.all(names.map((name) => readFile(path.join(folder, name))));
  });
}

function isInstalled(program: Program): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function output(program: Program, args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, [...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

async function withFile<T>(pdf: Uint8Array, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-pdf-'));
  try {
    const file = path.join(folder, 'document.pdf');
    await writeFile(file, pdf);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
