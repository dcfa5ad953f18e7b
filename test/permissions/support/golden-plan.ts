import { readVariable } from '../../../permissions/expressions/print/print-operand.ts';
import type { Prepared } from '../../../permissions/plan/prepare.ts';
import { systemRoles } from '../../../permissions/text/object-names.ts';

const shown = new Set([
  ...['row security', 'call', 'view', 'function', 'grant', 'execute', 'policy', 'trigger'],
]);

/**
 * Returns the statements of a plan in the form of expected.sql. It omits the roles, all objects of the admin role,
 * which may do everything, and comments, which contain digests and positions. `«name»` replaces the long expression
 * that reads a variable.
 */
export function planText({ plan, loaded }: Prepared): string {
  const { model } = loaded;
  const admin = `"${model.rolePrefix}admin"`;
  const texts = plan.changes
    .filter((change) => shown.has(change.kind))
    .flatMap((change) => change.statements.map((statement) => statement.text))
    .filter(
      (text) =>
        !/^(comment on|insert into rowgate\.|grant execute on function "?rowgate_api"?\.)/.test(
          text,
        ) && !text.includes(admin),
    );
  const { gateway } = systemRoles(model);
  const short = texts.map((text) =>
    model.variables.reduce((shorter, name) => {
      const reader = readVariable(name, gateway).text;
      return shorter
        .replaceAll(reader, `«${name}»`)
        .replaceAll(reader.replaceAll("'", "''"), `«${name}»`);
    }, text),
  );
  return short.map((text) => `${text};\n`).join('');
}
