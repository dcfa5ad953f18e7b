export { documentDigest } from './allow-list/document-digest.ts';
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
export { computedColumn, computedView, type ViewName } from './compile/computed-views.ts';
export { cursorName } from './compile/cursor-name.ts';
export type { ViewWrite } from './compile/make-write-view.ts';
export { namesApiObject } from './compile/names.ts';
export { fieldCall, functionCall, type OwnerCall } from './compile/owner-calls.ts';
export { missingVariableState, presetOnlyColumn } from './compile/presets.ts';
export { rowsView } from './compile/rows-views.ts';
export { upsertFinder } from './compile/upsert-finders.ts';
export { type FunctionName, upsertGuard } from './compile/upsert-guards.ts';
export { joinColumn } from './compile/visible-cells.ts';
export { writeViews } from './compile/write-views.ts';
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
export { type EnumValue, type EnumValues, readEnumValues } from './enums/enum-values.ts';
export type { Unrunnable } from './lint/listed-operations.ts';
export { didYouMean, nearest } from './load/nearest.ts';
export { defaultGraphileLimits } from './load/read-graphile.ts';
export { type LoadModelOptions, loadModel } from './load-model.ts';
export { MigrationError, migrate } from './migrate/migrate.ts';
export { type ActionScalar, isActionScalar } from './model/action-scalars.ts';
export type {
  Action,
  CustomType,
  TypedName,
  TypeReference,
  TypeRelationship,
} from './model/action-types.ts';
export { computedInRule, type ExpressionsOfRule } from './model/computed-uses.ts';
export type { EventTrigger, Retry, Schedule } from './model/event-types.ts';
export type { ExtensionRelationship, ExtensionsModel, OpenField } from './model/extension-types.ts';
export { argumentNames } from './model/function-arguments.ts';
export type { FunctionField, FunctionModel } from './model/function-types.ts';
export { grantedColumns } from './model/granted-columns.ts';
export type { GraphileModel } from './model/graphile-types.ts';
export { fitsType } from './model/literals.ts';
export { takenGraphqlNames } from './model/name-conflicts.ts';
export { defaultRolePrefix, graphqlName, headerOf, variableName } from './model/names.ts';
export type { ListedDocument, RateLimit, RoleLimits } from './model/operation-types.ts';
export { namedTypeOf, printType } from './model/parse-type.ts';
export type { DeleteRule, InsertRule, SelectRule, UpdateRule } from './model/rule-types.ts';
export type {
  BoolExp,
  ColumnModel,
  ComputedArgument,
  ComputedField,
  Model,
  OperatorName,
  Relationship,
  RelationshipColumn,
  RoleModel,
  RootField,
  TableKey,
  TableModel,
  TablePermissions,
  TypeName,
  UniqueConstraint,
  VariableName,
  VariableUse,
} from './model/types.ts';
export { filterColumns, tablesOf } from './model/variables.ts';
