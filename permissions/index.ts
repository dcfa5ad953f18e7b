export {
  type Applied,
  type ApplyOptions,
  applyMetadata,
  PlanChangedError,
} from './apply/apply-metadata.ts';
export { ensurePassword } from './apply/gateway-password.ts';
export { migrateGateway } from './apply/prepare.ts';
export type { Command, CommandContext, ExitCode } from './commands/command.ts';
export { CommandError } from './commands/command-error.ts';
export { commands } from './commands/commands.ts';
export { roleNamed } from './commands/role-option.ts';
export { metadataOption } from './commands/session.ts';
export { computedView, type ViewName } from './compile/computed-views.ts';
export { missingVariableState, presetOnlyColumn } from './compile/presets.ts';
export { type FunctionName, upsertGuard } from './compile/upsert-guards.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  formatDiagnostic,
  MetadataError,
  type Position,
  type Severity,
} from './diagnostics.ts';
export type { Difference, Drift } from './drift/find-drift.ts';
export { type DriftSubject, inspectDrift, type SeenDrift } from './drift/inspect-drift.ts';
export { didYouMean, nearest } from './load/nearest.ts';
export { type LoadModelOptions, loadModel } from './load-model.ts';
export { MigrationError, migrate } from './migrate/migrate.ts';
export type { EventTrigger, Retry, Schedule } from './model/event-types.ts';
export { fitsType } from './model/literals.ts';
export { takenGraphqlNames } from './model/name-conflicts.ts';
export { defaultRolePrefix, graphqlName, headerOf, variableName } from './model/names.ts';
export type {
  BoolExp,
  ColumnModel,
  ComputedArgument,
  ComputedField,
  DeleteRule,
  InsertRule,
  Model,
  OperatorName,
  Relationship,
  RelationshipColumn,
  RoleModel,
  RootField,
  SelectRule,
  TableKey,
  TableModel,
  TablePermissions,
  TypeName,
  UniqueConstraint,
  UpdateRule,
  VariableName,
  VariableUse,
} from './model/types.ts';
export { filterColumns } from './model/variables.ts';
