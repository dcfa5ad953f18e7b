import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { graphql, offsetToPos } from 'cm6-graphql';
import type { GraphQLSchema } from 'graphql';
import { getHoverInformation } from 'graphql-language-service';

/** Completes and checks documents by a schema, and shows the type and the description of the name under the pointer. */
export function graphqlLanguage(schema: GraphQLSchema | undefined): readonly Extension[] {
  if (!schema) return [graphql()];
  const hover = hoverTooltip(({ state: { doc } }, pos) => {
    // The position before a character belongs to the token before it.
    const words = getHoverInformation(schema, doc.toString(), offsetToPos(doc, pos + 1));
    return words === '' ? null : { pos, create: () => ({ dom: textIn(String(words)) }) };
  });
  return [graphql(schema), withoutMistakesIfEmpty, hover];
}

/** A document of comments alone has no operation yet, which is no mistake. */
const withoutMistakesIfEmpty = linter(null, {
  markerFilter: (found, { doc }) => (/^(\s|#.*)*$/.test(doc.toString()) ? [] : [...found]),
});

function textIn(text: string): HTMLElement {
  const dom = document.createElement('div');
  dom.textContent = text;
  return dom;
}

const checkJson = jsonParseLinter();

/** Checks JSON. An empty text stands for no variables. */
export const jsonLanguage: readonly Extension[] = [
  json(),
  linter((view) => (view.state.doc.length === 0 ? [] : checkJson(view))),
];
