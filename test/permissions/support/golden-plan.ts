import { readVariable } from '../../../permissions/expressions/print/print-operand.ts';
import type { Prepared } from '../../../permissions/plan/prepare.ts';
import { systemRoles } from '../../../permissions/text/object-names.ts';

const shown = new Set([
  ...['row security', 'call', 'view', 'function', 'grant', 'execute', 'policy', 'trigger'],
]);

/**
 * The statements of a plan as expected.sql holds them. Left out: the admin role, who may do everything
 * everywhere, the roles themselves, and comments, which carry digests and places. The trusted reader of a
 * variable, which is long and always the same, is written `«name»`.
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
