import type { Format } from '../../../../rendering/format.ts';
import type { Block } from '../../../../rendering/model.ts';
import type { ReportData } from '../report-data.ts';

/** Writes the contents of one kind of report. */
export type ReportBlocks = (data: ReportData, format: Format) => readonly Block[];
