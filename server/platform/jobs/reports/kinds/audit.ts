import { columns, type ReportBlocks, tableOf } from '../report-blocks.ts';
import { flowTable } from '../shared-tables.ts';

/** Writes the contents of the report for auditors. */
export const auditBlocks: ReportBlocks = ({ rows }, format) => [
  ...tableOf(
    'Invoices',
    rows.invoices,
    [
      columns.text('number', 'Invoice', 4),
      columns.date('issuedOn', 'Issued', 3),
      columns.date('dueOn', 'Due', 3),
      columns.words('status', 'Status', 2),
      columns.money('total', 'Total'),
      columns.money('paid', 'Paid'),
    ],
    format,
  ),
  ...tableOf(
    'Decisions',
    rows.decisions,
    [
      columns.time('at', 'When', 4),
      columns.words('what', 'On', 3),
      columns.words('subject', 'Which', 4),
      columns.words('status', 'Status at present', 3),
      columns.text('by', 'Decided by', 3),
      columns.text('enteredBy', 'Entered by', 3),
    ],
    format,
  ),
  ...flowTable(rows, format),
  ...tableOf(
    'How people signed in',
    rows.logins,
    [
      columns.words('kind', 'What happened'),
      columns.number('people', 'People'),
      columns.number('count', 'How often'),
    ],
    format,
  ),
];
