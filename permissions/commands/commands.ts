import { apply } from './apply.ts';
import { catalog } from './catalog.ts';
import { check } from './check.ts';
import type { Command } from './context/command.ts';
import { diff } from './diff/diff.ts';
import { drift } from './drift.ts';
import { explainAccessCommand } from './explain/explain-access.ts';
import { explainRuleCommand } from './explain/explain-rule.ts';
import { history } from './history/history.ts';
import { historyExport } from './history/history-export.ts';
import { rollback } from './history/rollback.ts';
import { importHasura } from './import/import-hasura.ts';
import { init } from './init/init.ts';
import { permissionAdd } from './init/permission-add.ts';
import { schema } from './init/schema.ts';
import { track } from './init/track.ts';
import { loginCreate } from './login/login-create.ts';
import { loginDrop } from './login/login-drop.ts';
import { loginList } from './login/login-list.ts';
import { matrix } from './matrix.ts';
import { plan } from './plan.ts';
import { test } from './test/test.ts';
import { uninstall } from './uninstall.ts';

/** Every command of the compiler, in the order of `rowgate --help`. */
export const commands: readonly Command[] = [
  check,
  catalog,
  matrix,
  explainRuleCommand,
  explainAccessCommand,
  diff,
  plan,
  apply,
  drift,
  history,
  historyExport,
  rollback,
  test,
  loginCreate,
  loginList,
  loginDrop,
  init,
  track,
  permissionAdd,
  schema,
  importHasura,
  uninstall,
];
