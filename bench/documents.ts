/*
 * Measures the rendering of invoices with 25 lines, as PDF with the server's pool of threads, and as HTML. Uses no database
 * and no HTTP.
 */
import { availableParallelism, loadavg } from 'node:os';
import { renderHtml } from '../server/rendering/html/render-html.ts';
import { openPdfRenderer, type PdfRenderer } from '../server/rendering/pdf/pdf-renderer.ts';
import { brand, invoice } from './documents/invoices.ts';
import { spread } from './measure.ts';

const workers = availableParallelism();
/** The number of concurrent requests, enough to keep all threads busy. */
const atOnce = 2 * workers;
const rounds = 9;
const perRound = 200;
const htmlPerRound = 2000;
/** The numbers of documents after which the memory is printed. */
const memoryAt = [200, perRound * (rounds + 1)];

let made = 0;

/** Renders this number of documents. Returns the rate per second. */
async function pdfRound(renderer: PdfRenderer, count: number): Promise<number> {
  const last = made + count;
  const began = performance.now();
  const lane = async () => {
    while (made < last) {
      made += 1;
      await renderer.render(invoice(made));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return (count * 1000) / (performance.now() - began);
}

function htmlRound(): number {
  const documents = Array.from({ length: htmlPerRound }, (_, index) => invoice(index));
  const began = performance.now();
  for (const document of documents) renderHtml(document, brand);
  return (htmlPerRound * 1000) / (performance.now() - began);
}

function tellMemory(): void {
  const mebibytes = process.memoryUsage.rss() / 2 ** 20;
  console.log(`  ${mebibytes.toFixed(0)} MiB resident after ${made} PDFs`);
}

console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}; threads: ${workers}`);
const renderer = openPdfRenderer({ brand, workers, queue: atOnce });
try {
  const example = await renderer.render(invoice(1));
  console.log(`  ${(example.length / 1024).toFixed(0)} KiB a PDF`);
  const results: number[] = [];
  const cost: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const before = process.cpuUsage();
    const perSecond = await pdfRound(renderer, perRound);
    const { user, system } = process.cpuUsage(before);
    if (round > 0) {
      results.push(perSecond);
      cost.push((user + system) / 1000 / perRound);
    }
    if (memoryAt.includes(made)) tellMemory();
  }
  console.log(`  ${spread(results)} PDFs/s`);
  // When other programs use the processors too, this time is more reliable than the rate.
  console.log(`  ${spread(cost, 1)} ms of processor time a PDF, on all threads together`);
} finally {
  await renderer.close();
}
htmlRound();
const pages = Array.from({ length: rounds }, htmlRound);
console.log(`  ${spread(pages)} HTML pages/s on one thread`);
console.log(`load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
