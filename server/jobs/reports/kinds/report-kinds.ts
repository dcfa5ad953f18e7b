import type { Format } from '../../../platform/document/format.ts';
import type { Block } from '../../../platform/document/model.ts';
import type { ReportData } from '../report-data.ts';

/** What a kind of report says. */
export type ReportBlocks = (data: ReportData, format: Format) => readonly Block[];
