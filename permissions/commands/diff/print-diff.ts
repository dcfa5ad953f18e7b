import { diffAnnotations } from '../../diff/output/annotations.ts';
import { diffJson } from '../../diff/output/json.ts';
import { diffMarkdown } from '../../diff/output/markdown.ts';
import { diffSarif } from '../../diff/output/sarif.ts';
import { diffText } from '../../diff/output/text.ts';
import type { DiffReport } from '../../diff/report.ts';
import type { Format } from './options.ts';

const printers: Readonly<Record<Format, (report: DiffReport) => readonly string[]>> = {
  text: diffText,
  json: (report) => [JSON.stringify(diffJson(report), null, 2)],
  markdown: (report) => [diffMarkdown(report)],
  sarif: (report) => [JSON.stringify(diffSarif(report), null, 2)],
  annotations: diffAnnotations,
};

/** Formats a comparison in one form. */
export function formatDiff(report: DiffReport, format: Format): readonly string[] {
  return printers[format](report);
}
