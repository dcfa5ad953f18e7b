import { languageOf } from '../../document-language.ts';
import { facts, paragraphs, section } from './blocks.ts';
import { ModificationTimes } from './modification-times.ts';
import { findOrganization, findPerson, organizationParty, personParty } from './parties.ts';
import { type Print, textOf, wordsOf } from './printed.ts';

/** A fund, and the person who agrees to its terms. */
export interface FundSubject {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
}

/**
 * Prints the agreement between a person and a fund: the fund, its terms, and lines for signatures. Undefined when the
 * role may not see the terms, or the fund has no terms.
 */
export const printFundAgreement: Print<FundSubject> = async ({ rows, format }, subject) => {
  const { id, userId, email } = subject;
  const times = new ModificationTimes();
  const [fund] = times.add(await rows.select({ table: 'fund', where: { id }, limit: 1 })) ?? [];
  if (!fund || fund.user_agreement === undefined) return undefined;
  const person = (await findPerson(rows, userId, times)) ?? { email };
  const organization = await findOrganization(rows, textOf(fund, 'organization_id'), times);
  const name = textOf(fund, 'name') ?? id;
  const terms = paragraphs(textOf(fund, 'user_agreement'));
  const title = `User agreement of ${name}`;
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    parties: [
      ...organizationParty('Run by', organization, format),
      ...personParty('Investor', person),
    ],
    blocks: [
      ...facts([
        ['Fund', name],
        ['Invests in', textOf(fund, 'description')],
        ['Currency', textOf(fund, 'currency')],
        ['Status', wordsOf(textOf(fund, 'status'))],
      ]),
      ...(terms.length > 0
        ? [
            ...section('Terms', terms),
            {
              kind: 'signatures' as const,
              parties: [textOf(person, 'full_name') ?? email, `For ${name}`],
            },
          ]
        : [
            {
              kind: 'notice' as const,
              title: 'No terms yet',
              text: 'The fund has not said what is agreed to. There is nothing to sign.',
            },
          ]),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `user-agreement-${name}`, lastModified: times.lastModified() };
};
