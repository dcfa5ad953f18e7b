import type { Format } from '../../../../rendering/format.ts';
import type { Block } from '../../../../rendering/model.ts';
import type { ReportData } from '../report-data.ts';

/** What a kind of report says. */
export type ReportBlocks = (data: ReportData, format: Format) => readonly Block[];
