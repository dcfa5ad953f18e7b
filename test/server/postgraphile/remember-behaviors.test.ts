import { buildSchema, defaultPreset } from 'postgraphile/graphile-build';
import { expect, test } from 'vitest';
import { rememberBehaviorsPlugin } from '../../../server/postgraphile/schema/remember-behaviors-plugin.ts';

declare global {
  namespace GraphileBuild {
    interface BehaviorEntities {
      note: { readonly behavior: string };
    }
    interface BehaviorStrings {
      'note:read': true;
      'note:write': true;
    }
  }
}

type Ask = (build: GraphileBuild.Build) => void;

/** Builds a schema with entities named `note`, and calls `ask` during the build to query their behaviors. */
function build(ask: Ask, ...plugins: readonly GraphileConfig.Plugin[]): void {
  const asking: GraphileConfig.Plugin = {
    name: 'AskingPlugin',
    version: '1.0.0',
    schema: {
      behaviorRegistry: {
        add: {
          'note:read': { description: 'reads', entities: ['note'] },
          'note:write': { description: 'writes', entities: ['note'] },
        },
      },
      entityBehavior: {
        note: { override: (behavior, note) => [behavior, note.behavior as typeof behavior] },
      },
      hooks: {
        init(value, made) {
          ask(made);
          return value;
        },
      },
    },
  };
  const preset = { extends: [defaultPreset], plugins: [...plugins, asking] };
  buildSchema(preset, {} as GraphileBuild.BuildInput);
}

const notes = ['', '-note:read', '-*', 'note:write', '-note'].map((behavior) => ({ behavior }));

function answers({ behavior }: GraphileBuild.Build): unknown {
  return notes.map((note) => [
    behavior.noteMatches(note, 'note:read'),
    behavior.noteMatches(note, 'note:write'),
    behavior.noteBehavior(note),
  ]);
}

test('rememberBehaviorsPlugin returns the same behaviors as graphile-build without it', () => {
  const computed: unknown[] = [];
  const remembered: unknown[] = [];
  build((made) => computed.push(answers(made)));
  build((made) => remembered.push(answers(made), answers(made)), rememberBehaviorsPlugin);
  expect(remembered).toEqual([computed[0], computed[0]]);
  expect(computed[0]).toContainEqual([undefined, true, expect.any(String)]);
});

test('rememberBehaviorsPlugin computes a behavior only once for entities with equal behavior strings', () => {
  let computed = 0;
  // graphile-build splits the filter at each computation, so counting the splits counts the computations.
  const filter = {
    toString: () => 'note:read',
    split: (by: string) => {
      computed += 1;
      return 'note:read'.split(by);
    },
  } as unknown as 'note:read';
  const ask: Ask = ({ behavior }) => {
    behavior.noteMatches({ behavior: '' }, filter);
    const once = computed;
    expect(once).toBeGreaterThan(0);
    behavior.noteMatches({ behavior: '' }, filter);
    expect(computed).toBe(once);
  };
  build(ask, rememberBehaviorsPlugin);
  expect(() => build(ask)).toThrow();
});
