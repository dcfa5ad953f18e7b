import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';

const closed = { additionalProperties: false };
const part = (title: string) => Type.String({ title, minLength: 1, pattern: namePattern });

/** The name of a table or a function. */
export const named = (what: string, one: string) =>
  Type.Union(
    [
      Type.String({
        title: `the name of a ${what}, with its schema before a dot where that is not public`,
        minLength: 1,
        pattern: namePattern,
      }),
      Type.Object(
        { schema: part('the name of a schema'), name: part(`the name of a ${what}`) },
        { ...closed, title: 'a schema and a name' },
      ),
    ],
    {
      title: `the name of a ${what}, or { schema: …, name: … } where names hold dots`,
      description: `${one}, billing.${one}, or { schema: "odd.schema", name: "odd.${what}" }.`,
    },
  );

/** The function of a computed field or root field. */
export const functionName = named('function', 'total');

/** With whose rights a function of people's own acts. */
export const rights = Type.Enum(['caller', 'owner'], {
  title: 'caller or owner',
  description:
    'caller: what it reads and writes is held to the rules of who asks. owner: it acts for whoever applies, and of each row that it returns only what the role may select is shown.',
});
