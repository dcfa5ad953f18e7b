import { Type } from 'typebox';
import { ruleOperations } from '../../../permissions/index.ts';
import { body, name, rule, text } from '../bodies.ts';

const file = name('The path of a file within the metadata folder, such as `tables/invoice.yaml`');
const digest = Type.String({ description: 'Another text has another digest', maxLength: 64 });
const maxDrafts = 50;

const drafts = Type.Unsafe<Readonly<Record<string, string>>>({
  description: 'Texts that stand for those of files, by the paths of the files',
  type: 'object',
  additionalProperties: text(),
  propertyNames: file,
  maxProperties: maxDrafts,
});

export const filesAnswer = Type.Object(
  {
    files: Type.Array(
      Type.Object({ file, table: Type.Optional(Type.String({ description: 'Its table' })) }),
    ),
    isWritable: Type.Boolean({
      description: 'Whether the server may write files (`ROWGATE_CONSOLE_WRITES`)',
    }),
    isApplicable: Type.Boolean({ description: 'Whether the server may apply the files' }),
  },
  { title: 'RuleFiles' },
);

export const fileQuery = Type.Object({ file });

export const fileAnswer = Type.Object(
  {
    ...{ file, text: Type.String(), digest },
    schema: Type.Object({}, { description: 'The JSON schema of the file, for editors' }),
    words: Type.Object(
      {
        operators: Type.Array(Type.String()),
        variables: Type.Array(Type.String({ description: 'The header of a session variable' })),
        relationships: Type.Unsafe<Readonly<Record<string, Readonly<Record<string, string>>>>>({
          type: 'object',
          description: 'The tables of the relationships of each table, by their names',
        }),
      },
      { description: 'Words that conditions can contain, for editors' },
    ),
  },
  { title: 'RuleFile' },
);

export const ruleQuery = Type.Object(rule);

export const draftsBody = body('Drafts', { drafts });

export const checkBody = body('DraftsToCheck', {
  drafts,
  count: Type.Optional(
    Type.Boolean({ description: 'Whether to count existing rows gained and lost; default: false' }),
  ),
});

export const writeBody = body('FileToWrite', { file, text: text(), digest });
export const writeAnswer = Type.Object({ digest }, { title: 'WrittenFile' });
export const applyBody = body('PlanToApply', { digest });
export const planBody = body('PlanToMake', {});

const finding = Type.Object(
  {
    code: Type.String(),
    severity: Type.Enum(['error', 'warning', 'notice']),
    message: Type.String(),
    hint: Type.Optional(Type.String()),
    file: Type.Optional(Type.String({ description: 'Absent: it is about the database' })),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
  },
  { title: 'Finding' },
);

const mistaken = Type.Object(
  { kind: Type.Literal('mistaken'), mistakes: Type.Array(finding) },
  { title: 'Mistakes' },
);

const ruleName = Type.Object({
  ...{ role: Type.String(), table: Type.String(), operation: Type.Enum(ruleOperations) },
});

export const contextAnswer = Type.Union([
  mistaken,
  Type.Object(
    {
      kind: Type.Literal('found'),
      place: Type.Object(
        { file: Type.String(), line: Type.Integer() },
        { description: 'The place of the rule, or of its table if there is no rule' },
      ),
      query: Type.Optional(
        Type.String({ description: 'A GraphQL query that reads all rows of a select rule' }),
      ),
      variables: Type.Array(Type.String({ description: 'A session variable that the rule reads' })),
      findings: Type.Array(finding),
      tests: Type.Array(
        Type.Object({
          ...{ title: Type.String(), kind: Type.String(), as: Type.String() },
          ...{ file: Type.String(), line: Type.Integer() },
        }),
      ),
      dependents: Type.Array(
        Type.Object({
          on: Type.Enum(['rule', 'table'], {
            description: 'Whether it changes with the rule, or reads the table whatever the rule',
          }),
          words: Type.String(),
          rule: Type.Optional(ruleName),
        }),
      ),
    },
    { title: 'RuleContext' },
  ),
]);

const witness = Type.Object({
  table: Type.String(),
  row: Type.Unsafe<Readonly<Record<string, string | null>>>({ type: 'object' }),
  related: Type.Array(
    Type.Object({
      table: Type.String(),
      row: Type.Unsafe<Readonly<Record<string, string | null>>>({ type: 'object' }),
    }),
  ),
  variables: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object' }),
});

const count = Type.Object({
  rows: Type.Optional(Type.Integer()),
  total: Type.Optional(Type.Integer()),
  isAtLeast: Type.Boolean(),
  cutOff: Type.Optional(Type.String()),
});

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const change = Type.Object({
  class: Type.Enum(['dangerous', 'review', 'breaking', 'safe']),
  undecided: Type.Boolean(),
  sentence: Type.String(),
  details: Type.Array(Type.String()),
  inheritedBy: Type.Array(Type.String()),
  rows: nullable(Type.Object({ gained: nullable(witness), lost: nullable(witness) })),
  evidence: nullable(Type.Object({ gained: Type.Optional(count), lost: Type.Optional(count) })),
});

export const checkAnswer = Type.Union([
  mistaken,
  Type.Object(
    {
      kind: Type.Literal('checked'),
      findings: Type.Array(finding, { description: 'Findings that the files do not have' }),
      gone: Type.Integer({ description: 'How many findings of the files are gone' }),
      hadMistakes: Type.Boolean({ description: 'Whether the files have mistakes' }),
      difference: Type.Optional(
        Type.Object(
          { summary: Type.String(), changes: Type.Array(change) },
          { description: 'As `rowgate diff --json` prints it. Absent: the files have mistakes' },
        ),
      ),
    },
    { title: 'CheckedDrafts' },
  ),
]);

export const testAnswer = Type.Union([
  mistaken,
  Type.Object(
    {
      kind: Type.Literal('tested'),
      total: Type.Integer(),
      failed: Type.Array(Type.Object({ name: Type.String(), lines: Type.Array(Type.String()) })),
      mutants: Type.Optional(
        Type.Object({
          ...{ killed: Type.Integer(), counted: Type.Integer(), leftOut: Type.Integer() },
          survived: Type.Array(Type.Object({ words: Type.String(), test: Type.String() })),
        }),
      ),
    },
    { title: 'TestedDrafts' },
  ),
]);

export const planAnswer = Type.Union([
  mistaken,
  Type.Object(
    {
      kind: Type.Literal('planned'),
      digest,
      lines: Type.Array(Type.String()),
      question: Type.String(),
      isEmpty: Type.Boolean(),
    },
    { title: 'ApplyPlan' },
  ),
]);

export const applyAnswer = Type.Union([
  mistaken,
  Type.Object(
    {
      kind: Type.Literal('applied'),
      changes: Type.Integer(),
      findings: Type.Array(finding),
    },
    { title: 'AppliedPlan' },
  ),
]);
