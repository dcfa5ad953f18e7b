import { columns, type ReportBlocks, tableOf } from '../report-blocks.ts';
import { flowTable } from '../shared-tables.ts';

/** Writes the contents of the report on verifications of people and on cases of compliance. */
export const complianceBlocks: ReportBlocks = ({ rows }, format) => [
  ...tableOf(
    'Verifications, as they stand at present',
    rows.profiles,
    [
      columns.text('name', 'Person', 4),
      columns.words('status', 'Status', 3),
      columns.words('risk', 'Risk', 2),
      columns.text('pep', 'PEP', 2),
      columns.text('sanctioned', 'Sanctioned', 3),
      columns.date('reviewedAt', 'Decided', 4),
      columns.date('expiresOn', 'Holds until', 4),
    ],
    format,
  ),
  ...tableOf(
    'Documents',
    rows.documents,
    [
      columns.words('type', 'Kind'),
      columns.words('status', 'Status'),
      columns.number('count', 'How many'),
      columns.number('expired', 'Past their end'),
    ],
    format,
  ),
  ...tableOf(
    'Reviews and alerts',
    rows.cases,
    [
      columns.text('number', 'Case', 4),
      columns.words('kind', 'Kind', 3),
      columns.text('title', 'About', 4),
      columns.words('status', 'Status', 2),
      columns.words('priority', 'Priority', 2),
      columns.date('openedAt', 'Opened', 3),
      columns.date('closedAt', 'Closed', 3),
    ],
    format,
  ),
  ...flowTable(rows, format),
];
