import { didYouMean, type NamedApplication } from '../permissions/index.ts';
import type { Application } from './application.ts';
import { ProcessError } from './errors.ts';

/** The applications that rowgate.yaml can select. No other file imports an application. */
const applications: Readonly<Record<string, () => Promise<Application>>> = {
  platform: async () => (await import('./platform/open-platform.ts')).platform,
};

/** Loads the application that the metadata selects. @throws ProcessError RG_CONFIG for an unknown name */
export async function loadApplication({ name, position }: NamedApplication): Promise<Application> {
  const load = Object.hasOwn(applications, name) ? applications[name] : undefined;
  if (load) return load();
  const names = Object.keys(applications);
  const { file, line, column } = position;
  throw new ProcessError(
    'RG_CONFIG',
    `${file}:${line}:${column}: there is no application "${name}"`,
    { hint: didYouMean(name, names) ?? `the applications are: ${names.join(', ')}`, exitCode: 2 },
  );
}
