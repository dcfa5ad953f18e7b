import { diffText } from '../../diff/output/text.ts';
import type { DiffReport } from '../../diff/report.ts';
import type { CommandContext } from '../context/command.ts';
import type { Format } from './options.ts';

/** Prints a comparison in one form. */
export function printDiff(report: DiffReport, format: Format, context: CommandContext): void {
  void format;
  for (const line of diffText(report)) context.print(line);
}
