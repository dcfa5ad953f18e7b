export type { ComputedAccess } from './access/computed-fields.ts';
export type { OwnerCall } from './access/owner-calls.ts';
export { rowsView } from './access/rows.ts';
export type { TableAccess } from './access/table-access.ts';
export type { ViewWrite } from './access/writes.ts';
export { type Applied, type ApplyOptions, applyMetadata } from './apply/apply-metadata.ts';
export type { AppliedMetadata } from './apply/history/applied-metadata.ts';
export {
  type ApplyRecord,
  readAppliedMetadata,
  readHistory,
} from './apply/history/apply-history.ts';
export { withLockRetries } from './apply/lock-retries.ts';
export { inspectCatalog } from './catalog/inspect-catalog.ts';
export { commands } from './commands/commands.ts';
export type { Command, CommandContext, ExitCode } from './commands/context/command.ts';
export { defaultMetadata, metadataOption } from './commands/context/options.ts';
export { applyDescribed, describePlan } from './commands/describe-plan.ts';
export { questionAbout } from './commands/explain/question-about.ts';
export { variablesOfHeaders, variablesOfOptions } from './commands/explain/read-pairs.ts';
export { missingVariableState, presetOnlyColumn } from './compile/presets.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  formatDiagnostic,
  type Position,
  type Severity,
} from './diagnostics.ts';
export { appliedComparer } from './diff/compare-applied.ts';
export { compareApplies } from './diff/compare-applies.ts';
export { gatherEvidence } from './diff/database/gather-evidence.ts';
export { currentRevision } from './diff/load/git-revision.ts';
export type { Naming } from './diff/load/version.ts';
export { diffJson } from './diff/output/json.ts';
export { listDraftFiles, readDraftFile, writeDraftFile } from './draft/draft-files.ts';
export { type OpenFolder, openFolder } from './draft/open-folder.ts';
export { contextOfRule } from './draft/rule-context.ts';
export { testDraft } from './draft/test-draft.ts';
export type { Difference, Drift } from './drift/find-drift.ts';
export { type DriftSubject, inspectDrift, type SeenDrift } from './drift/inspect-drift.ts';
export {
  CommandError,
  type ErrorCode,
  isInterruption,
  MetadataError,
  MigrationError,
  PlanChangedError,
  RowgateError,
  sqlState,
} from './errors.ts';
export { explainAccess } from './explain/access/explain-access.ts';
export { asPrincipal, type Principal, setPrincipal } from './explain/access/principal.ts';
export { listRows, type SeenRows } from './explain/rows/list-rows.ts';
export { tryOperation } from './explain/rows/try-operation.ts';
export { explainRule } from './explain/rule/explain-rule.ts';
export { canonicalTexts } from './expressions/canonical-text.ts';
export {
  computedInRule,
  type ExpressionsOfRule,
  filterColumns,
} from './expressions/dependencies.ts';
export {
  type KeyValues,
  type KnownKeys,
  keysOfAll,
  keysOfAny,
  unionOf,
} from './expressions/known-keys.ts';
export { fitsType, formatArray, quoteElement } from './expressions/literals.ts';
export {
  type ComparisonOperator,
  comparisonOperators,
  type OperatorGroup,
} from './expressions/operators.ts';
export { type RuleReads, readsOfRule, type Session } from './expressions/rule-reads.ts';
export { titledHeader } from './expressions/session-variables.ts';
export type { Unrunnable } from './lint/listed-operations.ts';
export { ensurePassword } from './login/gateway-password.ts';
export { buildMatrix } from './matrix/build-matrix.ts';
export { findTable } from './matrix/find-column.ts';
export { documentDigest } from './metadata/documents/document-digest.ts';
export type { Drafts } from './metadata/load-metadata.ts';
export { listOf, parseJwtSecret } from './metadata/parse-jwt-secret.ts';
export {
  type NamedApplication,
  namedApplication,
  readAuthentication,
} from './metadata/read-settings.ts';
export type {
  RawAuthentication,
  RawAuthenticationWebhook,
  RawJwt,
  RawSetting,
} from './metadata/schemas/authentication.ts';
export { editorSchemas, type FileKind } from './metadata/schemas/editor-schemas.ts';
export { defaultGraphileLimits } from './metadata/schemas/graphile.ts';
export type { RootField, SubscriptionField } from './metadata/schemas/tables/graphql-names.ts';
export type { Retry } from './metadata/schemas/webhooks/retry.ts';
export type { Schedule } from './metadata/schemas/webhooks/schedules.ts';
export { migrate } from './migrate/migrate.ts';
export { type ActionScalar, isActionScalar } from './model/actions/action-scalars.ts';
export { namedTypeOf, printType } from './model/actions/parse-type.ts';
export type { EnumValue, EnumValues } from './model/enums/enum-values.ts';
export { takesSession } from './model/functions/named-functions.ts';
export { type LoadModelOptions, loadModel } from './model/load-model.ts';
export { roleNamed } from './model/roles/role-named.ts';
export { cursorName } from './objects/api-functions/update-each.ts';
export { changesNothing } from './plan/make-plan.ts';
export { migrateGateway, type PrepareOptions, pinSettings } from './plan/prepare.ts';
export { lockTimeoutMs } from './plan/table-locks.ts';
export { explainRefusal, refusalIn } from './rights/explain-refusal.ts';
export type { GraphqlOperation, OpenGraphql } from './testing/graphql/run-graphql.ts';
export { keptTest } from './testing/keep/kept-test.ts';
export { shown as shownText } from './text/characters.ts';
export { defaultRolePrefix, headerOf, variableName } from './text/names.ts';
export { didYouMean, nearest } from './text/nearest.ts';
export { namesApiObject, type ObjectName } from './text/object-names.ts';
export { operatorSymbols } from './text/operator-symbols.ts';
export type {
  Action,
  CustomType,
  TypedName,
  TypeReference,
  TypeRelationship,
} from './types/actions.ts';
export type { EventTrigger } from './types/events.ts';
export type { BoolExp } from './types/expressions.ts';
export type { ExtensionRelationship, ExtensionsModel, OpenField } from './types/extensions.ts';
export type { FunctionField, FunctionModel } from './types/functions.ts';
export type { GraphileModel } from './types/graphile.ts';
export type { Model, RoleModel, TablePermissions } from './types/model.ts';
export type { OperatorName, TableKey, TypeName, VariableName, VariableUse } from './types/names.ts';
export type { ListedDocument } from './types/operations.ts';
export type { RateLimit, RoleLimits } from './types/role-limits.ts';
export {
  type DeleteRule,
  type InsertRule,
  operations as ruleOperations,
  type SelectRule,
  type UpdateRule,
} from './types/rules.ts';
export { runInSlices, type Steps } from './types/steps.ts';
export type {
  ColumnModel,
  ComputedArgument,
  ComputedField,
  LiveTable,
  Relationship,
  RelationshipColumn,
  TableModel,
  UniqueConstraint,
} from './types/tables.ts';
